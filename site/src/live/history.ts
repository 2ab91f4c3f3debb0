import type { PublicHistoryItem, PublicWinner } from '../../../core/live/public.ts'
import { t } from '../texts/index.ts'

export const pageSize = 5

/** A winner counts only with a wallet text longer than 10 characters. */
export const hasWinner = (winner: PublicWinner | null | undefined): winner is PublicWinner =>
  typeof winner?.walletAddress === 'string' && winner.walletAddress.length > 10

/** Newest event first; items without an id or event number are not shown. */
export const shownHistory = (items: readonly PublicHistoryItem[]): PublicHistoryItem[] =>
  items
    .filter(({ id, eventNumber }) => Boolean(id) && Boolean(eventNumber))
    .sort((a, b) => b.eventNumber - a.eventNumber)

/** "09/30 12:00", in UTC. */
export function shortDate(value: string | null): string {
  if (!value) return t.none.notSet
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return t.none.invalidDate
  return date.toISOString().slice(-19, -8).replace('-', '/').replace('T', ' ')
}

/** With its dollar sign; "TBA" without a value. */
export function dollars(value: string | null | undefined): string {
  const text = value?.trim()
  if (!text) return t.none.tba
  return text.startsWith('$') ? text : `$${text}`
}
