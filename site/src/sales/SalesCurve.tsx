import { atom, onMount } from 'nanostores'
import { $config, $stats } from '../live/live.ts'
import { getJson } from '../shell/api.ts'
import { formatDate } from '../shell/dates.ts'
import { island, useLive, useShown } from '../shell/island.tsx'
import { count, fill, plural, t } from '../texts/index.ts'
import styles from './chart.module.css'
import { curveOf, isOver, type PublicSales, reachedAt, StepChart, soldRows } from './StepChart.tsx'

export const SalesCurve = island(function SalesCurve() {
  const sales = useShown($sales)
  const { config, stats } = useLive()
  const own = config?.eventNumber === sales?.eventNumber ? config : undefined
  // The curve is read every ten seconds at most: what was sold since is on the page before it.
  const isKnown = sales && (sales.tickets.some((sold) => sold > 0) || !stats?.ticketsSold)
  const end = own?.saleEndDate
  const until = end ?? sales?.to ?? ''
  const isLong = sales !== undefined && Date.parse(until) - Date.parse(sales.from) > longMs
  return (
    <figure className={`stack gap-8 ${styles.sales}`} data-sales={sales ? 'known' : ''}>
      <figcaption className="stack gap-8">
        <h3 className="display">{t.sales.title}</h3>
        <p className="hint">{isKnown ? sentenceOf(sales, isOver(sales, own)) : ''}</p>
      </figcaption>
      <StepChart
        curve={sales && curveOf(sales, Date.parse(until))}
        minimum={sales ? fill(t.sales.minimum, { count: sales.minTickets }) : ''}
      />
      <p className={`row spread faint figure size-13 ${styles.times}`} aria-hidden="true">
        <span>{sales && edge(sales.from, isLong)}</span>
        <span>{sales && `${edge(until, isLong)} UTC`}</span>
      </p>
      <details className="fold">
        <summary>{t.sales.table}</summary>
        {sales && <Rows sales={sales} />}
      </details>
    </figure>
  )
})

function Rows({ sales }: { sales: PublicSales }) {
  const rows = soldRows(sales)
  if (rows.length === 0) return <p className="hint">{t.sales.none}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={t.sales.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.sales.by}</th>
            <th scope="col">{t.sales.sold}</th>
            <th scope="col">{t.sales.all}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ by, sold, all }) => (
            <tr key={by}>
              <th scope="row">
                <time dateTime={by}>{shortUtc(by)}</time>
              </th>
              <td>{count(sold)}</td>
              <td>{count(all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function sentenceOf(sales: PublicSales, isOver: boolean): string {
  const { tickets, minTickets } = sales
  const sold = tickets.at(-1) ?? 0
  if (sold === 0) return t.sales.none
  const reached = reachedAt(sales, minTickets)
  return [
    plural(t.sales.total, sold),
    reached
      ? fill(t.sales.reached, { count: minTickets, date: formatDate(reached) })
      : fill(isOver ? t.sales.short : t.sales.missing, { count: minTickets - sold, minimum: minTickets }),
  ].join(' ')
}

const longMs = 3 * 86_400_000

/** Where the picture begins or ends: "2026-11-23", within a few days "11-23 12:00". */
const edge = (iso: string, isLong: boolean): string =>
  isLong ? iso.slice(0, 10) : iso.slice(5, 16).replace('T', ' ')

const shortUtc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

const $sales = atom<PublicSales | undefined>()

const restMs = 10_000

// Asked for again when something was sold, at most every ten seconds however much is.
onMount($sales, () => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = ''
  let isStopped = false
  const look = async () => {
    const number = $config.get()?.eventNumber
    const wanted = `${number} ${$stats.get()?.ticketsSold}`
    if (number === undefined || timer || wanted === asked) return
    asked = wanted
    timer = setTimeout(() => {
      timer = undefined
      void look()
    }, restMs)
    // What cannot be loaded now is loaded with the next sale.
    const found = await getJson(`/api/raffle/sales/${number}`).catch(() => undefined)
    if (found && !isStopped) $sales.set(found.value)
  }
  const stops = [$config.subscribe(() => void look()), $stats.subscribe(() => void look())]
  return () => {
    isStopped = true
    clearTimeout(timer)
    timer = undefined
    for (const stop of stops) stop()
  }
})
