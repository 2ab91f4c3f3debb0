import type { PublicConfig } from '../../../core/live/public.ts'
import { storage, termsKey } from '../shell/storage.ts'

type Kept = { eventNumber: number; book: string; terms: string }
type Shown = Pick<PublicConfig, 'eventNumber' | 'book' | 'terms'>

/** Keeps the terms line under which the buyer pays; the same line is kept once, and none is forgotten. */
export function keepTerms({ eventNumber, book, terms }: Shown): void {
  const kept = allKept()
  if (book === null || kept.some((each) => each.terms === terms)) return
  storage.write(termsKey, [...kept, { eventNumber, book, terms }])
}

/** Keeps the dated line beside the one of a purchase before the date was set, as long as the sale is on; `now` in ms. */
export function keepDatedTerms(shown: Shown & Pick<PublicConfig, 'saleEndDate'>, now: number): void {
  if (!shown.saleEndDate || now >= Date.parse(shown.saleEndDate)) return
  const lines = keptLines(shown.eventNumber, shown.book)
  if (lines.length > 0 && lines.every(isUndated)) keepTerms(shown)
}

/** Not by parseTerms, which brings a hash function to every visitor. */
const isUndated = (line: string): boolean => line.split(',')[drawDateAt] === 'none'
const drawDateAt = 10

/** The lines that this browser kept of an event, oldest first; of any book where it is not known. */
export const keptLines = (eventNumber: number, book: string | null): string[] =>
  allKept()
    .filter((each) => each.eventNumber === eventNumber && (book === null || each.book === book))
    .map(({ terms }) => terms)

const allKept = (): Kept[] => (storage.read(termsKey, Array.isArray) ?? []).filter(isKept)

function isKept(value: unknown): value is Kept {
  const { eventNumber, book, terms } = (value ?? {}) as Partial<Kept>
  return Number.isSafeInteger(eventNumber) && typeof book === 'string' && typeof terms === 'string'
}
