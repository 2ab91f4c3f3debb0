import { formatDate } from '../../../core/format.ts'
import { fallback } from '../content/site.ts'
import { countdown, timeLeft } from '../lib/countdown.ts'
import { $now } from '../stores/clock.ts'
import { $link, $live, type Known } from '../stores/live.ts'
import { showOperatorWallet } from './operator-wallet.ts'

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
    if (facts.config) showOperatorWallet(facts.config.operatorWallet)
  }
  $live.subscribe(update)
  $link.subscribe(update)
  $now.subscribe((now) => {
    const { config } = known()
    if (config) show({ ...countdown(config.drawDate, now), salesLeft: timeLeft(config.saleEndDate, now) })
  })
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

/** SPEC's defaults stand in only where the server's settings could not be loaded at all. */
function known(): Facts {
  const live = $live.get()
  if (live.config || $link.get() !== 'offline') return live
  const saleEndDate = new Date(Date.parse(fallback.drawDate) - 86_400_000).toISOString()
  return { ...live, config: { ...fallback, saleEndDate, isRefundMode: false } }
}

function factsOf({ config, stats }: Facts): Record<string, string | undefined> {
  const count = (value: number) => value.toLocaleString('en-US')
  const [drawDay, drawTime] = dateParts(config?.drawDate)
  const [endDay, endTime] = dateParts(config?.saleEndDate)
  return {
    ...(config && {
      eventNumber: config.eventNumber ? String(config.eventNumber) : undefined,
      drawDate: formatDate(config.drawDate),
      drawDay,
      drawTime,
      endDay,
      endTime,
      saleNote: config.saleEndDate
        ? `Sales close on ${formatDate(config.saleEndDate)}.`
        : 'Sales are open until a draw date is set.',
      winnerTitle: config.isRefundMode ? 'Refund Announcement!' : 'Winner Announcement',
      minTickets: count(config.minTicketsForDraw),
    }),
    ...(stats && {
      ticketsSold: count(stats.ticketsSold),
      nextTicket: `#${stats.ticketsSold + 1}`,
      ticketPrice: String(stats.ticketPrice),
    }),
  }
}

/** "September 30, 2025" and "12:00 PM UTC"; "Not Set" and an empty line without a date. */
function dateParts(value: string | null | undefined): [string, string] {
  const [day = '', time = ''] = formatDate(value).split(' at ')
  return [day, time]
}

/** How far the sale is on its way to the minimum. */
function showMeter({ config, stats }: Facts): void {
  if (!config || !stats) return
  const share = Math.min(1, stats.ticketsSold / Math.max(1, config.minTicketsForDraw))
  for (const bar of document.querySelectorAll<HTMLElement>('[data-meter]'))
    bar.style.transform = `scaleX(${share})`
}
