import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { usdtOf } from '../../../../core/money.ts'
import { $stats } from '../../live/live.ts'
import plot from '../../sales/chart.module.css'
import { curveOf, type PublicSales, StepChart } from '../../sales/StepChart.tsx'
import { Muted } from '../../shell/Layout.tsx'
import { t, words } from '../language/t.ts'
import { api, call, type SalesFigures } from '../session/session.ts'
import { Body, ListCard } from '../ui/card.tsx'
import { count } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { Choice } from '../ui/select.tsx'
import styles from './sales.module.css'

export function SalesCard() {
  const sold = useStore($stats)?.ticketsSold
  const figures = useResource(() => call(() => api.raffle.sales.get()), { everyMs: 60_000, key: `${sold}` })
  return (
    <ListCard
      title={t('판매 현황')}
      reason={t('체인에서 확정된 결제만 셉니다. 같은 판매 추이가 구매 화면에 공개됩니다.')}
    >
      <Loaded from={figures} rows={6}>
        {(found) => (
          <>
            {found.ticketsSold === 0 ? (
              <Body>
                <Muted>{t('아직 판매된 티켓이 없습니다.')}</Muted>
              </Body>
            ) : (
              <SoldChart figures={found} />
            )}
            <div className={styles.tables}>
              <Wallets sizes={found.sizes} />
              <Money money={found.money} />
            </div>
          </>
        )}
      </Loaded>
    </ListCard>
  )
}

type Share = { name: string; values: string[]; share: number | null }

function Wallets({ sizes }: Pick<SalesFigures, 'sizes'>) {
  const held = sharesOf(sizes.map(({ tickets }) => BigInt(tickets)))
  return (
    <Shares
      label={t('지갑별 보유 티켓')}
      columns={[t('티켓 수'), t('지갑 수'), t('티켓'), t('티켓 비율')]}
      rows={sizes.map(({ least, most, wallets, tickets }, index) => ({
        name:
          most === least
            ? t('{least}장', { least })
            : most === null
              ? t('{least}장 이상', { least })
              : t('{least}-{most}장', { least, most }),
        values: [count(wallets), count(tickets)],
        share: held[index] ?? 0,
      }))}
    />
  )
}

function Money({ money }: Pick<SalesFigures, 'money'>) {
  // What is seen and not final yet has not come in.
  const shares = sharesOf(money.map(({ state, units }) => (state === 'confirming' ? 0n : BigInt(units))))
  return (
    <Shares
      label={t('받은 돈의 상태')}
      columns={[t('상태'), t('금액 (USDT)'), t('비율')]}
      rows={money.map(({ state, units }, index) => ({
        name: words.moneyStates[state],
        values: [usdtOf(units)],
        share: state === 'confirming' ? null : (shares[index] ?? 0),
      }))}
    />
  )
}

/** A table whose last column, a share in per cent, is drawn as well; null where it is none of the whole. */
function Shares({ label, columns, rows }: { label: string; columns: string[]; rows: Share[] }) {
  const [first = '', ...others] = columns
  return (
    <section className={styles.part}>
      <h3 className="muted size-14">{label}</h3>
      <Table<Share>
        label={label}
        rows={rows}
        idOf={({ name }) => name}
        columns={[
          { name: first, cell: ({ name }) => name },
          ...others.map((name, at) => ({
            name,
            isFigure: true,
            cell: ({ values, share }: Share) => values[at] ?? (share === null ? '–' : <Bar share={share} />),
          })),
        ]}
      />
    </section>
  )
}

const Bar = ({ share }: { share: number }) => (
  <span className={`row whole ${styles.share}`}>
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.all} d="M0 5H100" />
      {share > 0 && <path className={styles.bar} d={`M0 0H${share}V10H0Z`} />}
    </svg>
    <span>{share}%</span>
  </span>
)

const kinds = { hours: t('시간별'), days: t('일별') } as const

function SoldChart({ figures }: { figures: SalesFigures }) {
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
      <figcaption className="row spread muted size-13">
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
      <p
        className={`row spread faint figure size-13 ${plot.times}`}
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

type SoldSpan = { from: string; name: string; sold: number }

/** "11-23 09:00", a day without its time. @internal */
export const spansOf = ({ from, seconds, tickets }: SalesFigures['hours']): SoldSpan[] =>
  tickets.map((sold, index) => {
    const begin = new Date(Date.parse(from) + index * seconds * 1_000).toISOString()
    return {
      from: begin,
      sold,
      name: seconds < 86_400 ? begin.slice(5, 16).replace('T', ' ') : begin.slice(0, 10),
    }
  })

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const isHours = ({ hours, ticketsSold }: Pick<SalesFigures, 'hours' | 'ticketsSold'>): boolean =>
  sumOf(hours.tickets) === ticketsSold

/** Sold by the end of each hour, where those shown are all of the sale, else of each day. @internal */
export function soldSoFar({ hours, days, ...event }: Omit<SalesFigures, 'sizes' | 'money'>): PublicSales {
  const { ticketsSold, eventNumber, minTickets } = event
  const { from, seconds, tickets } = isHours({ hours, ticketsSold }) ? hours : days
  let sold = ticketsSold - sumOf(tickets)
  return {
    ...{ eventNumber, minTickets, from, bucketSeconds: seconds },
    to: new Date(Date.parse(from) + tickets.length * seconds * 1_000).toISOString(),
    tickets: tickets.map((value) => (sold += value)),
  }
}

const size = 1_000
/** A sale that has just begun fills the picture from the left, and not with one wide bar. */
const fewest = 12
const top = 60

/** Bars in a square of 1,000 by 1,000, 0 at its upper left; what was sold is seen, however little. @internal */
export function barsOf(values: readonly number[]): { x: number; y: number; width: number }[] {
  const most = Math.max(1, ...values)
  const step = size / Math.max(fewest, values.length)
  return values.map((value, index) => ({
    x: Math.round(index * step * 100) / 100,
    y: value === 0 ? size : Math.min(size - 6, Math.round(size - (value / most) * (size - top))),
    width: Math.round(step * 80) / 100,
  }))
}

/** Whole per cents that add up to 100, or zeros where there is nothing: the largest rests are rounded up. @internal */
export function sharesOf(values: readonly bigint[]): number[] {
  const all = values.reduce((sum, value) => sum + value, 0n)
  if (all === 0n) return values.map(() => 0)
  const parts = values.map((value, index) => ({
    index,
    whole: (value * 100n) / all,
    rest: (value * 100n) % all,
  }))
  const left = 100 - Number(parts.reduce((sum, { whole }) => sum + whole, 0n))
  const raised = new Set(
    parts
      .toSorted((a, b) => (a.rest < b.rest ? 1 : a.rest > b.rest ? -1 : a.index - b.index))
      .slice(0, left)
      .map(({ index }) => index),
  )
  return parts.map(({ whole, index }) => Number(whole) + (raised.has(index) ? 1 : 0))
}
