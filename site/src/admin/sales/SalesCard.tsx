import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import { $stats } from '../../live/live.ts'
import plot from '../../sales/chart.module.css'
import { curveOf, StepChart, soldRows } from '../../sales/StepChart.tsx'
import { Muted, Pair } from '../../shell/Layout.tsx'
import { t, words } from '../language/t.ts'
import { api, call, type SalesFigures } from '../session/session.ts'
import { ListCard } from '../ui/card.tsx'
import { count, toField } from '../ui/format.ts'
import { Table } from '../ui/list.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'

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

type Size = SalesFigures['sizes'][number]

function Wallets({ sizes }: { sizes: readonly Size[] }) {
  const all = sumOf(sizes.map(({ tickets }) => tickets))
  return (
    <Table<Size>
      label={t('지갑별 보유 티켓')}
      rows={sizes}
      idOf={({ least }) => least}
      columns={[
        {
          name: t('지갑별 보유 티켓'),
          cell: ({ least, most }) =>
            most === least
              ? t('{least}장', { least })
              : most === null
                ? t('{least}장 이상', { least })
                : t('{least}-{most}장', { least, most }),
        },
        { name: t('지갑 수'), isFigure: true, cell: ({ wallets }) => count(wallets) },
        { name: t('티켓'), isFigure: true, cell: ({ tickets }) => count(tickets) },
        {
          name: t('티켓 비율'),
          isFigure: true,
          cell: ({ tickets }) => shareOf(BigInt(tickets), BigInt(all)),
        },
      ]}
    />
  )
}

type Part = SalesFigures['money'][number]

function Money({ money }: { money: readonly Part[] }) {
  // What is seen and not final yet has not come in.
  const isIn = ({ state }: Part) => state !== 'confirming'
  const all = money.filter(isIn).reduce((sum, { units }) => sum + BigInt(units), 0n)
  return (
    <Table<Part>
      label={t('받은 돈의 상태')}
      rows={money}
      idOf={({ state }) => state}
      columns={[
        { name: t('받은 돈의 상태'), cell: ({ state }) => words.moneyStates[state] },
        { name: t('금액 (USDT)'), isFigure: true, cell: ({ units }) => usdtOf(units) },
        {
          name: t('비율'),
          isFigure: true,
          cell: (part) => (isIn(part) ? shareOf(BigInt(part.units), all) : '–'),
        },
      ]}
    />
  )
}

/** In per cent, with one place. @internal */
export const shareOf = (part: bigint, all: bigint): string =>
  `${all === 0n ? 0 : Number((part * 1_000n) / all) / 10}%`

function SoldChart({ figures }: { figures: SalesFigures }) {
  const { before, ...sales } = soldSoFar(figures, Math.floor(Date.now() / 60_000) * 60_000)
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
          rows={soldRows(sales, before)}
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
export function soldSoFar({ hours, days, ...event }: Omit<SalesFigures, 'sizes' | 'money'>, now: number) {
  const { ticketsSold, eventNumber, minTickets } = event
  const { from, seconds, tickets } = sumOf(hours.tickets) === ticketsSold ? hours : days
  const before = ticketsSold - sumOf(tickets)
  let sold = before
  return {
    before,
    ...{ eventNumber, minTickets, from, bucketSeconds: seconds },
    to: new Date(Math.min(Date.parse(from) + tickets.length * seconds * 1_000, now)).toISOString(),
    tickets: tickets.map((value) => (sold += value)),
  }
}
