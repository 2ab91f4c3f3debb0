import { useState } from 'react'
import plot from '../../shell/Plot.module.css'
import { t } from '../language/t.ts'
import type { SalesFigures } from '../session/types.ts'
import chart from '../ui/Chart.module.css'
import { Choice } from '../ui/Choice.tsx'
import { count } from '../ui/numbers.ts'
import { Table } from '../ui/Table.tsx'
import styles from './SoldChart.module.css'
import { SoldTotal } from './SoldTotal.tsx'
import { barsOf, fewest, isHours, type SoldSpan, spansOf } from './spans.ts'

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
  return (
    <figure className={chart.figure}>
      <figcaption>
        <span>{t('{kinds} 판매 (장)', { kinds: isTotal ? t('누적') : kinds[kind] })}</span>
        <Choice label={t('단위')} options={{ ...kinds, all: t('누적') }} value={shown} onChange={setShown} />
      </figcaption>
      {isTotal ? (
        <SoldTotal figures={figures} />
      ) : (
        <div className={`${plot.plot} ${chart.height} ${styles.room}`}>
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
          {most > 0 && <span className={styles.most}>{count(most)}</span>}
        </div>
      )}
      <p
        className={`${plot.times} ${styles.times} figure`}
        data-few={(!isTotal && spans.length < fewest) || undefined}
      >
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
