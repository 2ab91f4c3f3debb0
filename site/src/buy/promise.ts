import type { PublicConfig } from '../../../core/public.ts'
import type { TermsChange } from '../../../core/terms-compare.ts'
import { storage, termsKey } from '../shell/storage.ts'

/** What this browser was promised at a purchase; `firstDrawDate` bounds how far the draw may be put off. */
export type Promised = Pick<PublicConfig, 'eventNumber' | 'terms' | 'firstDrawDate'>

/** Enough for a buyer of many years; the oldest are forgotten first. */
const keptAtMost = 100

/** Keeps the terms that the buyer pays under; the same line is kept once. */
export function keepPromise({ eventNumber, terms, firstDrawDate }: Promised): void {
  const kept = allKept()
  if (kept.some((promise) => promise.terms === terms)) return
  storage.write(termsKey, [...kept, { eventNumber, terms, firstDrawDate }].slice(-keptAtMost))
}

/** Oldest first. */
export const keptPromises = (eventNumber: number): Promised[] =>
  allKept().filter((promise) => promise.eventNumber === eventNumber)

/**
 * Fields in which what was promised at any purchase differs from `terms`, each once. One that some promise does not
 * allow is broken. A text that is no terms line breaks every promise.
 */
export async function changesSince(kept: readonly Promised[], terms: string): Promise<TermsChange[]> {
  if (kept.length === 0) return []
  // Only who has bought needs it.
  const { compareTerms } = await import('../../../core/terms-compare.ts')
  const found = new Map<string, TermsChange>()
  for (const promise of kept) {
    const first = promise.firstDrawDate ? new Date(promise.firstDrawDate) : null
    const noLine = { field: 'eventNumber', from: promise.terms, to: terms, isAllowed: false } as const
    for (const change of compareTerms(promise.terms, terms, first) ?? [noLine])
      if (found.get(change.field)?.isAllowed !== false) found.set(change.field, change)
  }
  return [...found.values()]
}

const allKept = (): Promised[] => (storage.read(termsKey, Array.isArray) ?? []).filter(isPromised)

function isPromised(value: unknown): value is Promised {
  const entry = value as Partial<Promised> | null
  return (
    typeof entry === 'object' &&
    entry !== null &&
    Number.isSafeInteger(entry.eventNumber) &&
    typeof entry.terms === 'string' &&
    (entry.firstDrawDate === null || typeof entry.firstDrawDate === 'string')
  )
}
