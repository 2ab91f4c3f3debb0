import type { PublicSales } from '../../../../core/sales/sales.ts'
import type { SalesFigures } from '../session/session.ts'

export type SoldSpan = { from: string; name: string; sold: number }

/** "11-23 09:00", a day without its time. */
export function spansOf({ from, seconds, tickets }: SalesFigures['hours']): SoldSpan[] {
  return tickets.map((sold, index) => {
    const begin = new Date(Date.parse(from) + index * seconds * 1_000).toISOString()
    return {
      from: begin,
      sold,
      name: seconds < 86_400 ? begin.slice(5, 16).replace('T', ' ') : begin.slice(0, 10),
    }
  })
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** The hours shown are all of the sale. */
export const isHours = ({ hours, ticketsSold }: Pick<SalesFigures, 'hours' | 'ticketsSold'>): boolean =>
  sumOf(hours.tickets) === ticketsSold

/** Sold by the end of each hour, where those shown are all of the sale, else of each day. */
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
export const fewest = 12
/** Room above the highest bar. */
const top = 60

/** Bars in a square of 1,000 by 1,000, 0 at its upper left; what was sold is seen, however little. */
export function barsOf(values: readonly number[]): { x: number; y: number; width: number }[] {
  const most = Math.max(1, ...values)
  const step = size / Math.max(fewest, values.length)
  return values.map((value, index) => ({
    x: Math.round(index * step * 100) / 100,
    y: value === 0 ? size : Math.min(size - 6, Math.round(size - (value / most) * (size - top))),
    width: Math.round(step * 80) / 100,
  }))
}

/** Whole per cents that add up to 100, or zeros where there is nothing: the largest rests are rounded up. */
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
