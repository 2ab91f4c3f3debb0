import { centsOf } from '../../../../core/money.ts'
import { groupOf, type Progress, type RefundGroup } from '../../../../core/refund/progress.ts'
import { count, usdtColumn } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import { nextStep, progressOfRows } from './next-step.ts'
import styles from './Totals.module.css'
import { groupTexts } from './texts.ts'
import type { DeskAnswer } from './types.ts'

const parts = [
  ['paid', 'done', t('확정')],
  ['inFlight', 'underWay', t('확인 중')],
  ['left', 'left', ''],
  ['held', 'held', ''],
] as const satisfies readonly (readonly [keyof Progress, RefundGroup, string])[]

/** The batch at a glance: one bar, one sentence of what happens next, and sums that add up to the first. */
export function Totals({ desk, asked }: { desk: DeskAnswer; asked: number }) {
  const { summary, rows } = desk
  const progress = progressOfRows(rows)
  const groups = Map.groupBy(rows, groupOf)
  const people = (group: RefundGroup) => t('{count}개', { count: count(groups.get(group)?.length ?? 0) })
  return (
    <section className={`${styles.totals} card`} aria-label={t('환불 진행')}>
      <Bar progress={progress} />
      <p role="status">{nextStep({ rows, ...summary, asked })}</p>
      <dl aria-label={t('환불 합계')}>
        <Cell name={t('환불 총액 (USDT)')} units={progress.owed}>
          {t('주소 {count}개', { count: count(rows.length) })}
        </Cell>
        {parts.map(([part, group, word]) => (
          <Cell key={part} name={groupTexts[group]} part={part} units={progress[part]}>
            {people(group)} {word}
          </Cell>
        ))}
      </dl>
    </section>
  )
}

/** Each part as long as its share of what is owed. */
function Bar({ progress }: { progress: Progress }) {
  const share = (part: keyof Progress) =>
    progress.owed === 0n ? 0 : Number((progress[part] * 10_000n) / progress.owed) / 100
  const label = parts.map(([part, group]) => `${groupTexts[group]} ${share(part)}%`).join(', ')
  return (
    <div className={styles.bar} role="img" aria-label={label}>
      {parts.map(
        ([part]) =>
          progress[part] > 0n && <span key={part} data-part={part} style={{ flexGrow: share(part) }} />,
      )}
    </div>
  )
}

type CellProps = { name: string; units: bigint; part?: keyof Progress; children: React.ReactNode }

const Cell = ({ name, units, part, children }: CellProps) => (
  <div>
    <dt>
      {part && <span className={styles.key} data-part={part} aria-hidden="true" />}
      {name}
    </dt>
    <dd className="figure">{usdtColumn(Number(centsOf(units)))}</dd>
    <dd className="hint">{children}</dd>
  </div>
)
