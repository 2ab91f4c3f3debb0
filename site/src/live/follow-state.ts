import { fallback } from '../content/site.ts'
import { applySlots } from '../event/slots.ts'
import { type KnownNow, stateSlots } from '../event/state-slots.ts'
import { $found, $gate } from '../house/gate.ts'
import { localTime } from '../shell/dates.ts'
import { fill, t } from '../texts/index.ts'
import { showByHand } from '../wallet/operator-wallet.ts'
import { followBrand } from './brand.ts'
import { $now, serverNow } from './clock.ts'
import { $link, $live, type Known } from './live.ts'
import { stageOf } from './stage.ts'

const root = () => document.documentElement

/** Keeps the marked places at the live state, without React; with `only` nothing is filled in while another event runs. */
export function followState(only?: number): void {
  const served = servedNow()
  const event = () => eventNow($live.get(), serverNow()) ?? ($link.get() === 'offline' ? served : undefined)
  const show = () => {
    const at = serverNow()
    // The page of an event sells nothing itself.
    if (only === undefined) showByHand(at)
    const now = event()
    if (!now || (only !== undefined && $live.get().config?.eventNumber !== only)) return
    const { drawDate = null, saleEnd = null, ticketsSold, stage } = now
    applySlots(document, {
      ...stateSlots(now),
      ...countdown(drawDate, at),
      'sales-left': timeLeft(saleEnd, at),
      ...{ 'draw-local': localTime(drawDate), 'end-local': localTime(saleEnd) },
    })
    showMeter(now)
    if (stage) root().dataset.stage = stage
    root().dataset.draw = drawDate ?? ''
    // The sentences around these values become visible; see base.css.
    const isGateKnown = $gate.get().kind !== 'asking' || $found.get() !== undefined
    if ((ticketsSold !== undefined && isGateKnown) || $link.get() === 'offline') root().dataset.known = ''
  }
  // For the whole visit: this keeps the stream open while sections change.
  for (const store of [$live, $link, $gate, $now]) store.listen(show)
  show()
  followBrand()
}

/** @internal */
export function eventNow(known: Known, now: number): KnownNow | undefined {
  const { config, stats } = known
  if (!config) return undefined
  return {
    ...{ eventNumber: config.eventNumber, drawDate: config.drawDate, saleEnd: config.saleEndDate },
    ...{ minTickets: config.minTicketsForDraw, isRefund: config.isRefundMode },
    salesPaused: config.salesPaused,
    ...(stats && {
      ticketsSold: stats.ticketsSold,
      ticketPrice: Math.round(stats.ticketPrice * 100),
    }),
    stage: stageOf(known, now),
  }
}

/** While the server is away: what the page was served with, else the defaults of docs/spec.md. */
function servedNow(): KnownNow {
  const { stage, draw, end } = root().dataset
  if (stage) return { drawDate: draw || null, saleEnd: end || null }
  const { drawDate, minTicketsForDraw: minTickets } = fallback
  const saleEnd = new Date(Date.parse(drawDate) - 86_400_000).toISOString()
  return { drawDate, saleEnd, minTickets, isRefund: false }
}

function showMeter({ ticketsSold = 0, minTickets = 1 }: KnownNow): void {
  const share = Math.min(1, ticketsSold / Math.max(1, minTickets))
  for (const bar of document.querySelectorAll<HTMLElement>('[data-meter]'))
    bar.style.transform = `scaleX(${share})`
}

/** Two digits each until `date`; zeros when it is past or not set. @internal */
export function countdown(
  date: string | null,
  now: number,
): Record<'days' | 'hours' | 'minutes' | 'seconds', string> {
  const end = date ? Date.parse(date) : Number.NaN
  const seconds = Number.isNaN(end) ? 0 : Math.max(0, Math.ceil((end - now) / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return {
    days: two(seconds / 86_400),
    hours: two((seconds / 3600) % 24),
    minutes: two((seconds / 60) % 60),
    seconds: two(seconds % 60),
  }
}

/** "11d 07:41:09" until `date`; "Not Set" without one, "Closed" after it. @internal */
export function timeLeft(date: string | null, now: number): string {
  if (!date) return t.none.notSet
  if (Date.parse(date) <= now) return t.facts.closed
  const { days, hours, minutes, seconds } = countdown(date, now)
  return fill(t.facts.salesLeft, { days: Number(days), time: `${hours}:${minutes}:${seconds}` })
}
