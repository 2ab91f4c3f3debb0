import { usdtOf } from '../../../../core/money.ts'
import plot from '../../shell/Plot.module.css'
import chart from '../frame/Chart.module.css'
import { inShortWords, toStamp } from '../frame/dates.ts'
import listStyles from '../frame/List.module.css'
import { Table } from '../frame/Table.tsx'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import styles from './CoverChart.module.css'
import { type CoverPoint, curveOf } from './curve.ts'

type Point = CoverPoint & { block: number; held: string; required: string }
type Props = { points: readonly Point[]; until: number }

/** Of so many, the newest are in the table: the server has more, and the page of past events all. */
const inTable = 50
const signed = (units: string): string => `${units.startsWith('-') ? '−' : ''}${usdtOf(units)}`

/** What was held beyond what was owed since the sale start, as a step line, and the same as a table. */
export function CoverChart({ points, until }: Props) {
  const curve = curveOf(points, until)
  const [first] = points
  if (!curve || !first) return <p className={listStyles.foot}>{t('판매 시작 이후 움직인 돈이 없습니다.')}</p>
  const percent = (part: number) => `${part / 10}%`
  const { lowest } = curve
  const isLow = lowest.cover.startsWith('-')
  return (
    <figure className={chart.figure}>
      <figcaption>{t('지급하고 남는 금액 (USDT)')}</figcaption>
      <div className={`${plot.plot} ${chart.height} ${styles.room}`}>
        <svg
          viewBox="0 0 1000 1000"
          preserveAspectRatio="none"
          role="img"
          aria-label={t('판매 시작 이후 남는 금액, 최저 {cover} USDT', { cover: signed(lowest.cover) })}
        >
          <path className={plot.hair} d="M0 60H1000M0 500H1000M0 940H1000" />
          <path className={plot.limit} d={`M0 ${curve.zero}H1000`} />
          <path className={plot.line} d={curve.line} />
          <path className={plot.newest} d={curve.newest} />
        </svg>
        <span className={styles.zeroName} style={{ top: percent(curve.zero) }}>
          0
        </span>
        <span
          className={styles.lowest}
          data-low={isLow || undefined}
          style={{ left: percent(lowest.x), top: percent(lowest.y) }}
        />
      </div>
      <p className={`${plot.times} ${styles.times} figure`}>
        <time dateTime={first.at}>{toStamp(first.at)}</time>
        <time dateTime={new Date(until).toISOString()}>{toStamp(new Date(until).toISOString())}</time>
      </p>
      <p className="hint">
        {rich('가장 낮았던 때: {cover}, {at} (한국)', {
          cover: <b className="figure">{signed(lowest.cover)} USDT</b>,
          at: inShortWords(lowest.at),
        })}
      </p>
      <details>
        <summary>{t('표로 보기')}</summary>
        <Table<Point>
          label={t('남는 금액의 기록')}
          rows={points.slice(-inTable).reverse()}
          idOf={({ at, block }) => `${block} ${at}`}
          columns={[
            { name: t('시각 (UTC)'), cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
            { name: t('보유'), isFigure: true, cell: ({ held }) => signed(held) },
            { name: t('지급할 금액'), isFigure: true, cell: ({ required }) => signed(required) },
            { name: t('남는 금액'), isFigure: true, cell: ({ cover }) => signed(cover) },
          ]}
        />
      </details>
    </figure>
  )
}
