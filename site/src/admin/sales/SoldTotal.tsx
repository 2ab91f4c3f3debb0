import { curveOf } from '../../sales/curve.ts'
import plot from '../../shell/Plot.module.css'
import { t } from '../language/t.ts'
import type { SalesFigures } from '../session/types.ts'
import chart from '../ui/Chart.module.css'
import { count } from '../ui/numbers.ts'
import styles from './SoldTotal.module.css'
import { soldSoFar } from './spans.ts'

/** All tickets sold until when, with the minimum. */
export function SoldTotal({ figures }: { figures: SalesFigures }) {
  const { minTickets, ticketsSold } = figures
  const sales = soldSoFar(figures)
  const curve = curveOf(sales, Date.parse(sales.to))
  const minimum = t('최소 {count}장', { count: count(minTickets) })
  const sold = t('모두 {count}장 판매', { count: count(ticketsSold) })
  return (
    <div className={`${plot.plot} ${chart.height} ${styles.room}`}>
      <svg
        viewBox="0 0 1000 1000"
        preserveAspectRatio="none"
        role="img"
        aria-label={[sold, minimum].join(', ')}
      >
        <path className={plot.hair} d="M0 70H1000M0 535H1000M0 1000H1000" />
        <path className={plot.limit} d={`M0 ${curve.minimum}H1000`} />
        <path className={plot.line} d={curve.line} />
        <path className={plot.newest} d={curve.newest} />
      </svg>
      <span className={styles.below} style={{ top: `${curve.minimum / 10}%` }}>
        {minimum}
      </span>
    </div>
  )
}
