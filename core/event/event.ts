import { type Address, zeroAddress } from 'viem'
import { register } from '../chain/register.ts'
import { RaffleError } from '../errors.ts'

/** Where the draw takes its number from: five block hashes alone, or a round of drand mixed in. */
export const entropies = ['blocks', 'blocks+drand'] as const
export type Entropy = (typeof entropies)[number]

/** The page shows this draw date only if it could not load the configuration. */
export const fallbackDrawDate = '2025-08-19T03:53:00.000Z'
/** The minimum shown if the configuration could not be loaded (docs/spec.md); a first event has 100. */
export const fallbackMinTickets = 10

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?Z?$/

/** `YYYY-MM-DDTHH:MM[:SS[.sss]][Z]`, read as UTC and cut to whole seconds; throws INVALID_DATE. */
export function parseDate(value: unknown): Date {
  const match = typeof value === 'string' ? form.exec(value.trim()) : null
  const parts = match?.slice(1, 7).map((part) => Number(part ?? 0)) ?? []
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds))
  // `Date` would turn a date that does not exist, such as February 30, into another one.
  const exists =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 60
  if (!match || !exists || year < 2020) throw new RaffleError('INVALID_DATE', { reason: 'form' })
  return date
}

/** A block in the sale has a time before this: the draw date less the lead. */
export const saleEndOf = (drawDate: Date, leadSeconds: number): Date =>
  new Date(drawDate.getTime() - leadSeconds * 1000)

/** How long before the sale end the page closes its button: 15 s, or half a lead that is shorter than 30 s. */
export const buttonClosesMs = (leadSeconds: number): number => Math.min(15, leadSeconds / 2) * 1000

const dayMs = 86_400_000

export const furthestDateMs = 180 * dayMs

/** By then a dated event is drawn, or fails its minimum, by itself. */
export const drawByOf = (drawDate: Date): Date => new Date(drawDate.getTime() + 7 * dayMs)

/** By then an event without a draw date gives its money back, from the time of its first payment that got a ticket. */
export const dateByOf = (firstTicketAt: Date): Date => new Date(firstTicketAt.getTime() + 180 * dayMs)

/** What a wallet cannot be, as money sent there is lost for good; undefined for one that can sell tickets. */
export function whyNotOperatorWallet(wallet: Address, token: Address) {
  const address = wallet.toLowerCase()
  if (address === zeroAddress) return 'zero'
  if (address === token.toLowerCase()) return 'token'
  return address === register.address.toLowerCase() ? 'register' : undefined
}

export type LockReason = 'ticket' | 'saleEnd' | 'environment'

/** The fields of the event's form that promise something to buyers; links, support address and form stay open. */
const termFields = ['operatorWallet', 'drawDate', 'minTicketsForDraw', 'entropy', 'content'] as const
export type TermField = (typeof termFields)[number]
export type Locks = Partial<Record<TermField, LockReason>>

/** The first ticket or the terms' anchor shuts all but a draw date that was never set; the sale end shuts that one too. */
export function locksOf(event: {
  isLocked: boolean
  hasEnded: boolean
  hasDate: boolean
  isPinned: boolean
}): Locks {
  const reason = event.isLocked ? 'ticket' : event.hasEnded ? 'saleEnd' : undefined
  if (!reason) return event.isPinned ? { operatorWallet: 'environment' } : {}
  const locks: Locks = Object.fromEntries(termFields.map((field) => [field, reason]))
  if (!event.hasDate && !event.hasEnded) delete locks.drawDate
  return locks
}

export function expectOpen(locks: Locks, field: TermField): void {
  const reason = locks[field]
  if (reason) throw new RaffleError('EVENT_LOCKED', { reason, field })
}
