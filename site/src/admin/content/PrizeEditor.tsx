import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { mostWinners } from '../../../../core/draw/winners.ts'
import { language } from '../language/language.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { Field, TextField } from '../ui/Field.tsx'
import { BothFields, ContentField, useContentForm } from './ContentForm.tsx'
import { type DraftPrize, emptyFact, emptyPrize } from './content-draft.ts'
import { withAt } from './edit.ts'
import styles from './PrizeEditor.module.css'
import { PrizePictures } from './PrizePictures.tsx'
import { RowTools } from './RowTools.tsx'
import { winnersOf } from './wrong.ts'

/** What is raffled, in order of the places. */
export function PrizeEditor() {
  const { draft, wrong, edit } = useContentForm()
  const { prizes } = draft
  return (
    <section className={styles.prizes} aria-labelledby="content-prizes" tabIndex={-1} data-list>
      <header>
        <h3 id="content-prizes">{t('경품')}</h3>
        <p className="hint">
          {rich('위에서부터 1등입니다. 수량의 합이 당첨자 수가 됩니다: {winners} (최대 {mostWinners}명)', {
            winners: <b className="figure">{t('{winners}명', { winners: winnersOf(draft) })}</b>,
            mostWinners,
          })}
        </p>
        {wrong.prizes && (
          <p className="field-error" role="alert">
            {wrong.prizes}
          </p>
        )}
      </header>
      <ol>
        {prizes.map((prize, at) => (
          <li key={prize.id}>
            <Prize prize={prize} at={at} count={prizes.length} />
          </li>
        ))}
      </ol>
      <Button
        tone="edged"
        size="small"
        icon={plusIcon}
        disabled={prizes.length >= most.prizes}
        onClick={() => edit((newest) => ({ ...newest, prizes: [...newest.prizes, emptyPrize()] }))}
      >
        {t('경품 추가')}
      </Button>
    </section>
  )
}

type PrizeProps = { prize: DraftPrize; at: number; count: number }

function Prize({ prize, at, count }: PrizeProps) {
  const { wrong, edit } = useContentForm()
  const path = `prizes.${at}`
  const set = (name: 'kind' | 'amount' | 'copies') => (value: string) =>
    edit((draft) => withAt(draft, `${path}.${name}`, value))
  return (
    <section className={styles.prize} aria-label={t('경품 {at}', { at: at + 1 })}>
      <header className={styles.head}>
        <h4>
          <span className={styles.place}>{t('경품 {at}', { at: at + 1 })}</span>{' '}
          <bdi>{prize.name[language] || t('이름 없음')}</bdi>
        </h4>
        <RowTools name={t('경품 {at}', { at: at + 1 })} path="prizes" at={at} count={count} least={1} />
      </header>
      <BothFields label={t('이름')} path={`${path}.name`} max={most.name} />
      <div className={styles.terms}>
        <ContentField label={t('인쇄되는 가치')} path={`${path}.value`} max={most.value} />
        <Field label={t('종류')}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={prize.kind}
              onChange={({ target }) => set('kind')(target.value)}
            >
              <option value="goods">{t('배송하는 물건')}</option>
              <option value="token">{t('USDT 지급')}</option>
            </select>
          )}
        </Field>
        {prize.kind === 'token' && (
          <TextField
            label={t('금액')}
            value={prize.amount}
            onChange={set('amount')}
            error={wrong[`${path}.amount`]}
            hint={t('한 개당. 체인에서 정확한 금액을 확인합니다.')}
            inputMode="decimal"
            autoComplete="off"
            suffix="USDT"
            isMono
          />
        )}
        <TextField
          label={t('수량')}
          value={prize.copies}
          onChange={set('copies')}
          error={wrong[`${path}.copies`]}
          hint={t('당첨자마다 하나')}
          inputMode="numeric"
          autoComplete="off"
          suffix={t('개')}
          isMono
        />
      </div>
      <BothFields label={t('설명')} path={`${path}.about`} max={most.about} rows={3} />
      <Facts prize={prize} path={path} />
      <PrizePictures pictures={prize.pictures} id={prize.id} path={path} />
    </section>
  )
}

function Facts({ prize: { facts }, path }: { prize: DraftPrize; path: string }) {
  const { edit } = useContentForm()
  return (
    <fieldset className={styles.rows} tabIndex={-1} data-list>
      <legend>{t('정보')}</legend>
      {facts.length === 0 && (
        <p className="hint">{t('사양, 소비자가처럼 이름과 값으로 보여줄 것을 더합니다.')}</p>
      )}
      {facts.map(({ id }, at) => (
        <fieldset key={id} className={styles.fact} aria-label={t('정보 {at}', { at: at + 1 })} data-tight>
          <span className={styles.number}>{at + 1}</span>
          <div className={styles.both}>
            <BothFields label={t('항목')} path={`${path}.facts.${at}.name`} max={most.factName} isShort />
            <BothFields label={t('값')} path={`${path}.facts.${at}.value`} max={most.factValue} isShort />
          </div>
          <RowTools
            name={t('정보 {at}', { at: at + 1 })}
            path={`${path}.facts`}
            at={at}
            count={facts.length}
          />
        </fieldset>
      ))}
      <Button
        tone="edged"
        size="compact"
        icon={plusIcon}
        disabled={facts.length >= most.facts}
        onClick={() => edit((draft) => withAt(draft, `${path}.facts`, [...facts, emptyFact()]))}
      >
        {t('정보 추가')}
      </Button>
    </fieldset>
  )
}
