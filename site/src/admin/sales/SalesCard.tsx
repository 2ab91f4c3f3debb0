import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import { $stats } from '../../live/live.ts'
import plot from '../../sales/chart.module.css'
import { curveOf, type PublicSales, StepChart, soldRows } from '../../sales/StepChart.tsx'
import { Muted, Pair } from '../../shell/Layout.tsx'
import { t, words } from '../language/t.ts'
import { api, call, type SalesFigures } from '../session/session.ts'
import { ListCard } from '../ui/card.tsx'
import { count, toField } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
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
              <Muted>{t('아직 판매된 티켓이 없습니다.')}</Muted>
            ) : (
              <SoldChart figures={found} />
            )}
            <Pair gap={40}>
              <Wallets sizes={found.sizes} />
              <Money money={found.money} />
            </Pair>
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
    <section>
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

function SoldChart({ figures }: { figures: SalesFigures }) {
  const sales = soldSoFar(figures)
  const minimum = t('최소 {count}장', { count: count(figures.minTickets) })
  return (
    <figure className="stack">
      <figcaption className="muted size-13">{t('누적 판매 (장)')}</figcaption>
      <StepChart
        curve={curveOf(sales, Date.parse(sales.to))}
        minimum={minimum}
        label={`${t('모두 {count}장 판매', { count: count(figures.ticketsSold) })}, ${minimum}`}
      />
      <p className={`row spread faint figure size-13 ${plot.times}`}>
        <span>{toField(sales.from)}</span>
        <span>{toField(sales.to)} (UTC)</span>
      </p>
      <details>
        <summary>{t('표로 보기')}</summary>
        <Table<ReturnType<typeof soldRows>[number]>
          label={t('누적 판매 (장)')}
          rows={soldRows(sales)}
          idOf={({ by }) => by}
          columns={[
            { name: t('시각 (UTC)'), cell: ({ by }) => <span className="figure">{toField(by)}</span> },
            { name: t('판매'), isFigure: true, cell: ({ sold }) => count(sold) },
            { name: t('누적'), isFigure: true, cell: ({ all }) => count(all) },
          ]}
        />
      </details>
    </figure>
  )
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Sold by the end of each hour, where those shown are all of the sale, else of each day. @internal */
export function soldSoFar({ hours, days, ...event }: Omit<SalesFigures, 'sizes' | 'money'>): PublicSales {
  const { ticketsSold, eventNumber, minTickets } = event
  const { from, seconds, tickets } = sumOf(hours.tickets) === ticketsSold ? hours : days
  let sold = ticketsSold - sumOf(tickets)
  return {
    ...{ eventNumber, minTickets, from, bucketSeconds: seconds },
    to: new Date(Date.parse(from) + tickets.length * seconds * 1_000).toISOString(),
    tickets: tickets.map((value) => (sold += value)),
  }
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
