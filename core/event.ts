import { RaffleError } from './errors.ts'

/** The draw date that the page shows only where the configuration could not be loaded. */
export const fallbackDrawDate = '2025-08-19T03:53:00.000Z'
/** The minimum where the configuration could not be loaded (docs/spec.md); a first event has 100. */
export const fallbackMinTickets = 10

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?Z?$/

/** `YYYY-MM-DDTHH:MM[:SS[.sss]][Z]`, read as UTC and cut to whole seconds; throws INVALID_DATE. */
export function parseDate(value: unknown): Date {
  const match = typeof value === 'string' ? form.exec(value.trim()) : null
  const parts = match?.slice(1, 7).map((part) => Number(part ?? 0)) ?? []
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds))
  // A date that does not exist, such as February 30, would silently become another one.
  const exists =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 60
  if (!match || !exists || year < 2020)
    throw new RaffleError('INVALID_DATE', 'A date is written as 2025-09-30T12:00:00Z, in UTC.')
  return date
}

/** A block in the sale has a time before this: the draw date less the lead. */
export const saleEndOf = (drawDate: Date, leadSeconds: number): Date =>
  new Date(drawDate.getTime() - leadSeconds * 1000)

/** How long before the sale end the page closes its button: 15 s, or half a lead that is shorter than 30 s. */
export const buttonClosesMs = (leadSeconds: number): number => Math.min(15, leadSeconds / 2) * 1000
