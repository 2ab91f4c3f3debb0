import { fallback } from '../content/site.ts'
import { dateParts, formatDate, localTime } from '../shell/dates.ts'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { showOperatorWallet } from '../wallet/operator-wallet.ts'
import { isSwapped } from '../wallet/pinned.ts'
import { $now, serverNow } from './clock.ts'
import { countdown, timeLeft } from './countdown.ts'
import { $link, $live, type Known } from './live.ts'

/**
 * Fills the places marked `data-fact` in the static page. Single words and digits need no framework, so the
 * first view of the page runs without React.
 */
export function bindFacts(): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-fact]')]
  const show = (facts: Record<string, string | undefined>) => {
    for (const place of places) {
      const text = facts[place.dataset.fact ?? '']
      if (text !== undefined && place.textContent !== text) place.textContent = text
    }
  }
  const update = () => {
    const facts = known()
    show(factsOf(facts))
    showMeter(facts)
    // Who pays by hand copies the address from here.
    const named = $live.get().config
    if (facts.config) showOperatorWallet(named && isSwapped(named) ? null : facts.config.operatorWallet)
    tick(serverNow())
    // Sentences around these values show from now on; see base.css.
    if (facts.config && (facts.stats || $link.get() === 'offline'))
      document.documentElement.dataset.known = ''
  }
  const tick = (now: number) => {
    const { config } = known()
    if (config) show({ ...countdown(config.drawDate, now), salesLeft: timeLeft(config.saleEndDate, now) })
  }
  $live.subscribe(update)
  $link.subscribe(update)
  $now.listen(tick)
}

type Facts = Pick<Known, 'stats' | 'winner'> & {
  config?: {
    eventNumber?: number
    drawDate: string | null
    saleEndDate: string | null
    operatorWallet: string | null
    minTicketsForDraw: number
    isRefundMode: boolean
  }
}

/** The defaults of docs/spec.md stand in only where the server's settings could not be loaded at all. */
function known(): Facts {
  const live = $live.get()
  if (live.config || $link.get() !== 'offline') return live
  const saleEndDate = new Date(Date.parse(fallback.drawDate) - 86_400_000).toISOString()
  return { ...live, config: { ...fallback, saleEndDate, isRefundMode: false } }
}

function factsOf({ config, stats }: Facts): Record<string, string | undefined> {
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
      nextTicket: `#${stats.ticketsSold + 1}`,
      ticketPrice: String(stats.ticketPrice),
    }),
  }
}

/** "September 30, 2025", "12:00 PM UTC" and the visitor's own time; "Not Set" and empty lines without a date. */
function datesOf(name: 'draw' | 'end', value: string | null): Record<string, string> {
  const parts = dateParts(value)
  const [day, time] =
    typeof parts === 'string' ? [parts, ''] : [parts.day, fill(t.date.time, { time: parts.time })]
  return { [`${name}Day`]: day, [`${name}Time`]: time, [`${name}Local`]: localTime(value) }
}

/** How far the sale is on its way to the minimum. */
function showMeter({ config, stats }: Facts): void {
  if (!config || !stats) return
  const share = Math.min(1, stats.ticketsSold / Math.max(1, config.minTicketsForDraw))
  for (const bar of document.querySelectorAll<HTMLElement>('[data-meter]'))
    bar.style.transform = `scaleX(${share})`
}
