import { count, usdtColumn } from '../frame/numbers.ts'
import styles from './Totals.module.css'
import type { DeskSummary } from './types.ts'

/** The sum to refund and its progress; the last three numbers add up to the first. */
export function Totals({ summary }: { summary: DeskSummary }) {
  const { done, underWay, held, totalRefunds, totalAmount } = summary
  const left = {
    refunds: totalRefunds - done.totalRefunds - underWay.totalRefunds,
    amount: totalAmount - done.totalAmount - underWay.totalAmount,
  }
  return (
    <dl className={`${styles.totals} card`} aria-label="환불 합계">
      <Cell name="환불 총액 (USDT)" amount={totalAmount}>
        주소 {count(totalRefunds)}개
      </Cell>
      <Cell name="완료" amount={done.totalAmount}>
        {count(done.totalRefunds)}개 확정
      </Cell>
      <Cell name="진행 중" amount={underWay.totalAmount}>
        {count(underWay.totalRefunds)}개 확인 중
      </Cell>
      <Cell name="남음" amount={left.amount}>
        {count(left.refunds)}개
        {held.totalRefunds > 0 && `, 보류 ${count(held.totalRefunds)}개 ${usdtColumn(held.totalAmount)} 포함`}
      </Cell>
    </dl>
  )
}

const Cell = (props: { name: string; amount: number; children: React.ReactNode }) => (
  <div>
    <dt>{props.name}</dt>
    <dd className="figure">{usdtColumn(props.amount)}</dd>
    <dd className="hint">{props.children}</dd>
  </div>
)
