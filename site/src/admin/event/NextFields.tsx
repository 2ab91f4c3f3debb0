import { t } from '../language/t.ts'
import type { NextTerms } from '../session/types.ts'
import { DateField } from '../ui/DateField.tsx'
import { spanText } from '../ui/dates.ts'
import { Field, TextField } from '../ui/Field.tsx'
import { count } from '../ui/numbers.ts'
import rowStyles from '../ui/Rows.module.css'
import { EntropyChoice } from './EntropyChoice.tsx'
import styles from './NextTerms.module.css'
import type { NextDraft } from './next-form.ts'
import { prizesLine } from './prize-draft.ts'

type Props = {
  terms: NextTerms
  draft: NextDraft
  wrong: Partial<Record<keyof NextDraft, string>>
  onEdit: (part: Partial<NextDraft>) => void
}

/** The terms that a draft can choose; an empty field says what counts without it. */
export function NextFields({ terms: { current, next }, draft, wrong, onEdit }: Props) {
  return (
    <>
      <div className={rowStyles.pair}>
        <DateField
          label={t('추첨 일시 (UTC)')}
          value={draft.drawDate}
          onChange={(drawDate) => onEdit({ drawDate })}
          error={wrong.drawDate}
          emptyHint={t('판매는 추첨 {saleLeadSeconds} 전에 끝납니다.', {
            saleLeadSeconds: spanText(next.saleLeadSeconds),
          })}
        />
        <TextField
          label={t('최소 참여 인원')}
          value={draft.minTicketsForDraw}
          onChange={(minTicketsForDraw) => onEdit({ minTicketsForDraw })}
          error={wrong.minTicketsForDraw}
          hint={t('비워 두면 지금 이벤트처럼 {minTicketsForDraw}장입니다.', {
            minTicketsForDraw: count(current.minTicketsForDraw),
          })}
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix={t('장')}
        />
      </div>
      <div className={rowStyles.pair}>
        <Field label={t('추첨 시작')} hint={t('관리자가 직접 시작해도 당첨 번호는 달라지지 않습니다.')}>
          {(ids) => (
            <div className={styles.select}>
              <select
                {...ids}
                className="input"
                value={draft.autoDraw}
                onChange={(event) => onEdit({ autoDraw: event.target.value as NextDraft['autoDraw'] })}
              >
                <option value="">{t('서버 설정대로')}</option>
                <option value="on">{t('추첨 시각에 자동으로')}</option>
                <option value="off">{t('관리자가 직접')}</option>
              </select>
            </div>
          )}
        </Field>
        <TextField
          label={t('경품 수령 기한')}
          value={draft.claimDays}
          onChange={(claimDays) => onEdit({ claimDays })}
          error={wrong.claimDays}
          hint={t('7일에서 90일. 비워 두면 서버 설정을 따릅니다.')}
          inputMode="numeric"
          autoComplete="off"
          isMono
          suffix={t('일')}
        />
      </div>
      <TextField
        label={t('당첨자 수와 경품')}
        value={t('{winners}명 · {prizesLine}', {
          winners: next.winners,
          prizesLine: prizesLine(next.prizes),
        })}
        readOnly
        hint={t('아래 “다음 이벤트 내용”의 경품과 수량에서 정해집니다.')}
      />
      <EntropyChoice
        value={draft.entropy}
        onChange={(entropy) => onEdit({ entropy })}
        error={wrong.entropy}
        unset={t('블록 해시 5개로 추첨합니다.')}
      />
    </>
  )
}
