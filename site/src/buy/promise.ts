import type { KeptTerms, TermsChange, ToldTerms } from '../../../core/event/terms-compare.ts'
import type { PublicConfig } from '../../../core/live/public.ts'
import { storage, termsKey } from '../shell/storage.ts'

/** What this browser was promised at a purchase. */
export type Promised = KeptTerms & { eventNumber: number; ownUntil: number }
type Shown = Pick<PublicConfig, 'eventNumber' | 'terms'>

/** Enough for a buyer of many years; the oldest are forgotten first. */
const keptAtMost = 100

/** A change, or an own wallet, may have come so long before the server's last word without being in it yet. */
const delayMs = 5_000

/** Keeps the terms that the buyer pays under, as the server told them at `toldAt`; the same line is kept once. */
export function keepPromise(shown: Shown, toldAt: number): void {
  if (renewPromise(shown, toldAt)) return
  const { eventNumber, terms } = shown
  const promise: Promised = { eventNumber, terms, firstDrawDate: null, ownUntil: ownUntil(shown, toldAt) }
  storage.write(termsKey, [...allKept(), promise].slice(-keptAtMost))
}

/**
 * Keeps a later line too, of an event in which this browser has bought: it settles dates that were set since. Only before the
 * draw date, and where the rules allow all that is `changed`.
 */
export function followPromise(
  shown: Shown & Pick<PublicConfig, 'drawDate'>,
  changed: readonly TermsChange[],
  { toldAt, now }: { toldAt: number; now: number },
): void {
  if (changed.length === 0 || !changed.every(({ isAllowed }) => isAllowed)) return
  if (shown.drawDate && now < Date.parse(shown.drawDate)) keepPromise(shown, toldAt)
}

/**
 * Notes that the terms of a promise were told again at `toldAt`, and of a word that was borne out that they were still told
 * then. False if they were never kept.
 */
export function renewPromise(shown: Shown, toldAt: number, borneOutAt = 0): boolean {
  const kept = allKept()
  const known = kept.find(({ terms }) => terms === shown.terms)
  if (!known) return false
  const renewed = {
    ownUntil: Math.max(known.ownUntil, ownUntil(shown, toldAt)),
    toldUntil: Math.max(known.toldUntil ?? 0, secondBefore(borneOutAt)),
  }
  if (renewed.ownUntil === known.ownUntil && renewed.toldUntil === (known.toldUntil ?? 0)) return true
  storage.write(
    termsKey,
    kept.map((promise) => (promise === known ? { ...known, ...renewed } : promise)),
  )
  return true
}

/**
 * Answers the time of a word of the server once a later word bears it out, which tells the same line: a server that was held
 * up, or lost its database, tells what it knew for a moment before it hears of a change. Undefined till then.
 */
export function bearsOut() {
  let first: { terms: string; at: number } | undefined
  return (terms: string, heardAt: number): number | undefined => {
    const before = first?.terms === terms ? first.at : undefined
    if (before !== undefined && heardAt < before + delayMs) return undefined
    first = { terms, at: heardAt }
    return before
  }
}

/** Up to this second the list of own wallets is whole: later ones count from a later moment. */
const ownUntil = (_: Shown, toldAt: number): number => secondBefore(toldAt)

const secondBefore = (toldAt: number): number => Math.floor((toldAt - delayMs) / 1_000)

/** Oldest first. */
export const keptPromises = (eventNumber: number): Promised[] =>
  allKept().filter((promise) => promise.eventNumber === eventNumber)

/**
 * As compareTerms; a text that is no terms line breaks every promise. That the event's deadline is known with the first
 * ticket is no change to who bought it.
 */
export async function changesSince(kept: readonly Promised[], told: ToldTerms): Promise<TermsChange[]> {
  const [first] = kept
  if (!first) return []
  // Only who has bought needs it.
  const { compareTerms } = await import('../../../core/event/terms-compare.ts')
  const noLine = { field: 'eventNumber', from: first.terms, to: told.terms, isAllowed: false } as const
  const changes = compareTerms(kept, told) ?? [noLine]
  return changes
}

const allKept = (): Promised[] => (storage.read(termsKey, Array.isArray) ?? []).filter(isPromised)

function isPromised(value: unknown): value is Promised {
  const entry = value as Partial<Promised> | null
  return (
    typeof entry === 'object' &&
    entry !== null &&
    Number.isSafeInteger(entry.eventNumber) &&
    Number.isSafeInteger(entry.ownUntil) &&
    Number.isSafeInteger(entry.toldUntil ?? 0) &&
    typeof entry.terms === 'string' &&
    (entry.firstDrawDate === null || typeof entry.firstDrawDate === 'string')
  )
}
