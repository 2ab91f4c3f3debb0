import { showByHand } from '../buy/by-hand.ts'
import { fallback } from '../content/site.ts'
import { $found, $gate } from '../house/gate.ts'
import { dateParts, formatDate, localTime } from '../shell/dates.ts'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $now, serverNow } from './clock.ts'
import { countdown, timeLeft } from './countdown.ts'
import { $link, $live, type Known } from './live.ts'
import { stageOf } from './stage.ts'

/**
 * Fills the elements marked `data-fact` in the static page. Single words and digits need no framework, so the
 * first view of the page runs without React. With `only` nothing is filled in while another event runs.
 */
export function bindFacts(only?: number): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-fact]')]
  const first = new Map(places.map((place) => [place, place.textContent]))
  const show = (facts: Record<string, string | null | undefined>) => {
    for (const place of places) {
      const fact = facts[place.dataset.fact ?? '']
      const text = fact === null ? first.get(place) : fact
      if (text !== undefined && place.textContent !== text) place.textContent = text
    }
  }
  const update = () => {
    const facts = known()
    if (only !== undefined && facts.config?.eventNumber !== only) return
    show(factsOf(facts))
    showMeter(facts)
    tick(serverNow())
    // The sentences around these values become visible; see base.css.
    const isGateKnown = $gate.get().kind !== 'asking' || $found.get() !== undefined
    if (facts.config && ((facts.stats && isGateKnown) || $link.get() === 'offline'))
      document.documentElement.dataset.known = ''
  }
  const tick = (now: number) => {
    const { config } = known()
    if (only !== undefined && config?.eventNumber !== only) return
    if (config) show({ ...countdown(config.drawDate, now), salesLeft: timeLeft(config.saleEndDate, now) })
    // The page of an event sells nothing itself.
    if (only === undefined) showByHand(now)
    const stage = stageOf($live.get(), now) ?? 'selling'
    document.documentElement.dataset.stage = stage
    show(stubOf(known(), stage === 'selling'))
  }
  $live.subscribe(update)
  $link.subscribe(update)
  $gate.listen(update)
  $now.listen(tick)
}

type Facts = Pick<Known, 'stats' | 'winner'> & {
  config?: {
    eventNumber?: number
    drawDate: string | null
    saleEndDate: string | null
    minTicketsForDraw: number
    isRefundMode: boolean
  }
}

/** The defaults of docs/spec.md are used only when the server's settings could not be loaded. */
function known(): Facts {
  const live = $live.get()
  if (live.config || $link.get() !== 'offline') return live
  const saleEndDate = new Date(Date.parse(fallback.drawDate) - 86_400_000).toISOString()
  return { ...live, config: { ...fallback, saleEndDate, isRefundMode: false } }
}

/**
 * Null leaves what the page says by itself.
 * @internal
 */
export function factsOf({ config, stats }: Facts): Record<string, string | null | undefined> {
  return {
    ...(config && {
      eventNumber: config.eventNumber ? String(config.eventNumber) : undefined,
      drawDate: formatDate(config.drawDate),
      ...datesOf('draw', config.drawDate),
      ...datesOf('end', config.saleEndDate),
      saleNote: config.saleEndDate
        ? fill(t.facts.saleEnds, { date: formatDate(config.saleEndDate) })
        : t.facts.saleOpen,
      winnerTitle: config.isRefundMode ? t.facts.refundTitle : t.facts.winnerTitle,
      minTickets: count(config.minTicketsForDraw),
    }),
    ...(stats && {
      ticketsSold: count(stats.ticketsSold),
      ticketPrice: String(stats.ticketPrice),
    }),
  }
}

/** What the stub of the gold ticket counts: the next one, and once nothing is sold, all of them. */
const stubOf = ({ stats }: Facts, isSelling: boolean): Record<string, string> =>
  stats ? { stubTicket: isSelling ? `#${stats.ticketsSold + 1}` : count(stats.ticketsSold) } : {}

/** "September 30, 2025", "12:00 PM UTC" and the visitor's own time; "Not Set" and empty lines without a date. */
function datesOf(name: 'draw' | 'end', value: string | null): Record<string, string> {
  const parts = dateParts(value)
  const [day, time] =
    typeof parts === 'string' ? [parts, ''] : [parts.day, fill(t.date.time, { time: parts.time })]
  return { [`${name}Day`]: day, [`${name}Time`]: time, [`${name}Local`]: localTime(value) }
}

/** Progress of the sale towards the minimum. */
function showMeter({ config, stats }: Facts): void {
  if (!config || !stats) return
  const share = Math.min(1, stats.ticketsSold / Math.max(1, config.minTicketsForDraw))
  for (const bar of document.querySelectorAll<HTMLElement>('[data-meter]'))
    bar.style.transform = `scaleX(${share})`
}
