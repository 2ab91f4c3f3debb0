import { drawByOf, type Entropy } from './event.ts'
import { longestDelayMs } from './event-locks.ts'
import { parseTerms, type TermsField, termsFields } from './terms.ts'

/** A field that differs; `isAllowed`: the rules let it change after a purchase, as buyers lose nothing by it. */
export type TermsChange = { field: TermsField; from: string; to: string; isAllowed: boolean }

type Values = Record<TermsField, string>

/**
 * Compares the line that a buyer was promised with another one of the same event, field by field. `firstDrawDate` is the
 * date that was announced first, as far as the buyer's browser knew it: the draw may be put off to 30 days behind it.
 * Undefined if one of them is no terms line.
 */
export function compareTerms(
  promised: string,
  now: string,
  firstDrawDate: Date | null = null,
): TermsChange[] | undefined {
  const [before, after] = [parseTerms(promised), parseTerms(now)]
  if (!before || !after) return undefined
  return termsFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      field,
      from: before[field],
      to: after[field],
      isAllowed: allowed[field]?.(before, after, firstDrawDate) === true,
    }))
}

const unset = (value: string): boolean => value === 'none'

/** All other fields may never differ. */
const allowed: Partial<
  Record<TermsField, (before: Values, after: Values, firstDrawDate: Date | null) => boolean>
> = {
  drawDate: (before, after, firstDrawDate) => {
    if (unset(after.drawDate)) return false
    if (unset(before.drawDate)) return true
    const first = firstDrawDate ? firstDrawDate.getTime() / 1000 : Number(before.drawDate)
    return Number(after.drawDate) <= first + longestDelayMs / 1000
  },
  // The lead stays as it was promised.
  saleEnd: (before, after) =>
    !unset(after.saleEnd) &&
    !unset(after.drawDate) &&
    (unset(before.saleEnd) || leadOf(before) === leadOf(after)),
  // Who bought without a date was told when the draw is due at the latest.
  drawBy: (before, after) =>
    !unset(after.drawDate) &&
    Number(after.drawBy) ===
      drawByOf(new Date(Number(after.drawDate) * 1000), after.entropy as Entropy).getTime() / 1000 &&
    (!unset(before.drawDate) || isUpTo(after.drawBy, unset(before.dateBy) ? after.dateBy : before.dateBy)),
  dateBy: (before) => unset(before.dateBy),
  minTickets: (before, after) => Number(after.minTickets) < Number(before.minTickets),
  anchorWallet: () => true,
  ownWalletsSha256: () => true,
}

const isUpTo = (value: string, limit: string): boolean => unset(limit) || Number(value) <= Number(limit)

const leadOf = ({ drawDate, saleEnd }: Values): number => Number(drawDate) - Number(saleEnd)
