import { useId } from 'react'
import { t } from '../language/t.ts'
import styles from './PrizeFields.module.css'
import { type PrizeField, prizeFields, prizesText } from './prize-draft.ts'

type Props = {
  /** The draft's text. */
  value: string
  winners: string
  onChange: (value: string) => void
  error?: string | undefined
  locked?: string | undefined
}

/** What each winner gets: goods, or an amount of USDT that settles by itself. */
export function PrizeFields({ value, winners, onChange, error, locked }: Props) {
  const help = useId()
  const fields = prizeFields(value, winners)
  const set = (place: number, part: Partial<PrizeField>) =>
    onChange(prizesText(fields.map((field, index) => (index === place ? { ...field, ...part } : field))))
  return (
    <fieldset className={styles.prizes} aria-describedby={help}>
      <legend>{t('경품')}</legend>
      {fields.map(({ kind, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places keep their order
        <div key={index} className={styles.row}>
          <span className={styles.place}>{t('{index}번', { index: index + 1 })}</span>
          <select
            className="input"
            aria-label={t('{index}번 경품의 종류', { index: index + 1 })}
            value={kind}
            disabled={Boolean(locked)}
            onChange={({ target }) => set(index, { kind: target.value as PrizeField['kind'] })}
          >
            <option value="goods">{t('배송하는 물건')}</option>
            <option value="token">{t('USDT 지급')}</option>
          </select>
          {kind === 'token' && (
            <span className={styles.amount}>
              <input
                className="input figure"
                aria-label={t('{index}번 경품의 금액 (USDT)', { index: index + 1 })}
                aria-invalid={Boolean(error?.startsWith(t('경품 {index}:', { index: index + 1 })))}
                inputMode="decimal"
                autoComplete="off"
                value={amount}
                readOnly={Boolean(locked)}
                onChange={({ target }) => set(index, { amount: target.value })}
              />
              <span>USDT</span>
            </span>
          )}
        </div>
      ))}
      <p id={help} className={error ? 'field-error' : 'hint'} aria-live="polite">
        {error ??
          locked ??
          t(
            'USDT 경품은 운영자 지갑에서 정확한 금액을 보내면 체인에서 저절로 확인됩니다. 물건은 당첨자가 기한 안에 신청해야 합니다.',
          )}
      </p>
    </fieldset>
  )
}
