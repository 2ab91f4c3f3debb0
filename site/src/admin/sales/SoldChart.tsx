import { useState } from 'react'
import plot from '../../sales/chart.module.css'
import { curveOf } from '../../sales/curve.ts'
import { StepChart } from '../../sales/StepChart.tsx'
import { t } from '../language/t.ts'
import type { SalesFigures } from '../session/api.ts'
import { count } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Choice } from '../ui/select.tsx'
import styles from './sales.module.css'
import { barsOf, fewest, isHours, type SoldSpan, soldSoFar, spansOf } from './spans.ts'

const kinds = { hours: t('시간별'), days: t('일별') } as const

/** Tickets sold by the hour and by the day, as bars and as a table, and all of them beside the minimum and the cap. */
export function SoldChart({ figures }: { figures: SalesFigures }) {
  const [shown, setShown] = useState<keyof typeof kinds | 'all'>('hours')
  const isTotal = shown === 'all'
  const kind = isTotal ? (isHours(figures) ? 'hours' : 'days') : shown
  const spans = spansOf(figures[kind])
  const most = Math.max(...spans.map(({ sold }) => sold))
  const [first, last] = [spans[0], spans.at(-1)]
  const total = spans.reduce((sum, { sold }) => sum + sold, 0)
  const best = spans.find(({ sold }) => sold === most && sold > 0)
  const sales = soldSoFar(figures)
  const minimum = t('최소 {count}장', { count: count(figures.minTickets) })
  return (
    <figure className={styles.figure}>
      <figcaption className="row spread">
        <span>{t('{kinds} 판매 (장)', { kinds: isTotal ? t('누적') : kinds[kind] })}</span>
        <Choice label={t('단위')} options={{ ...kinds, all: t('누적') }} value={shown} onChange={setShown} />
      </figcaption>
      {isTotal ? (
        <StepChart
          curve={curveOf(sales, Date.parse(sales.to))}
          minimum={minimum}
          label={`${t('모두 {count}장 판매', { count: count(figures.ticketsSold) })}, ${minimum}`}
        />
      ) : (
        <div className={`${plot.plot} ${plot.room}`}>
          <svg
            viewBox="0 0 1000 1000"
            preserveAspectRatio="none"
            role="img"
            aria-label={
              best
                ? t('{kinds} 판매, 모두 {total}장, 가장 많은 때 {name} {most}장', {
                    kinds: kinds[kind],
                    total: count(total),
                    name: best.name,
                    most: count(most),
                  })
                : t('{kinds} 판매, 아직 없음', { kinds: kinds[kind] })
            }
          >
            <path className={plot.hair} d="M0 60H1000M0 530H1000M0 1000H1000" />
            {barsOf(spans.map(({ sold }) => sold)).map(({ x, y, width }, index) => (
              <path
                key={spans[index]?.from}
                className={index === spans.length - 1 ? styles.latest : styles.bar}
                d={`M${x} 1000V${y}H${x + width}V1000Z`}
              />
            ))}
          </svg>
          {most > 0 && (
            <span className={plot.below} style={{ top: '6%' }}>
              {count(most)}
            </span>
          )}
        </div>
      )}
      <p className={`${plot.times} figure`} data-few={(!isTotal && spans.length < fewest) || undefined}>
        {spans.length > 1 && <span>{first?.name}</span>}
        <span>{last?.name} (UTC)</span>
      </p>
      <details>
        <summary>{t('표로 보기')}</summary>
        <Table<SoldSpan>
          label={t('{kinds} 판매', { kinds: kinds[kind] })}
          rows={spans.filter(({ sold }) => sold > 0).toReversed()}
          idOf={({ from }) => from}
          columns={[
            { name: t('시각 (UTC)'), cell: ({ name }) => <span className="figure">{name}</span> },
            { name: t('판매'), isFigure: true, cell: ({ sold }) => count(sold) },
          ]}
        />
      </details>
    </figure>
  )
}
