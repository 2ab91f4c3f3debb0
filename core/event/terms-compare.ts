import type { Address } from 'viem'
import { drawByOf, type Entropy } from './event.ts'
import { longestDelayMs } from './event-locks.ts'
import { ownWalletsSha256, parseTerms, type TermsField, termsFields } from './terms.ts'

/** A field that differs; `isAllowed`: the rules let it change after a purchase, as buyers lose nothing by it. */
export type TermsChange = { field: TermsField; from: string; to: string; isAllowed: boolean }

type Values = Record<TermsField, string>

/** What a buyer's browser keeps of the terms that it was shown. */
export type KeptTerms = {
  terms: string
  /** The date that was announced first, as an ISO text: the draw may be put off to 30 days behind it. */
  firstDrawDate: string | null
  /**
   * The kept list of own wallets was whole up to this second: one that is named later counts from a later one. Null where
   * only the line was noted, and not when.
   */
  ownUntil: number | null
  /** The site told this very line up to this second, by its database's clock. Null or absent where nobody noted it. */
  toldUntil?: number | null
}
/** What the site says now, or a proof. */
export type ToldTerms = { terms: string; ownWallets: readonly { address: Address; since: string }[] }

/**
 * Fields in which what was promised at any purchase differs from what is told of the same event, each once. One that
 * some promise does not allow is broken. Undefined if one of them is no terms line.
 */
export function compareTerms(kept: readonly KeptTerms[], told: ToldTerms): TermsChange[] | undefined {
  const found = new Map<TermsField, TermsChange>()
  for (const promise of kept) {
    const changes = compareOne(promise, told)
    if (!changes) return undefined
    for (const change of changes)
      if (found.get(change.field)?.isAllowed !== false) found.set(change.field, change)
  }
  return [...found.values()]
}

function compareOne(kept: KeptTerms, told: ToldTerms): TermsChange[] | undefined {
  const [before, after] = [parseTerms(kept.terms), parseTerms(told.terms)]
  if (!before || !after) return undefined
  return termsFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      field,
      from: before[field],
      to: after[field],
      isAllowed:
        !(locksAtSaleEnd.includes(field) && wasToldAfterSale([before, after], kept)) &&
        allowed[field]?.(before, after, kept, told) === true,
    }))
}

const locksAtSaleEnd: readonly TermsField[] = ['saleEnd', 'drawDate', 'drawBy', 'minTickets']

/** Behind its sale end nothing moves an event's dates and minimum, and no date is set whose sale end is past. */
const wasToldAfterSale = (lines: readonly Values[], { toldUntil }: KeptTerms): boolean =>
  lines.some(({ saleEnd }) => !unset(saleEnd) && (toldUntil ?? 0) >= Number(saleEnd))

const unset = (value: string): boolean => value === 'none'

/** All other fields may never differ. */
const allowed: Partial<
  Record<TermsField, (before: Values, after: Values, kept: KeptTerms, told: ToldTerms) => boolean>
> = {
  // The lead stays as it was promised: nobody waits for a block that suits him behind the sale end.
  drawDate: (before, after, { firstDrawDate }) => {
    if (unset(after.drawDate)) return false
    if (unset(before.drawDate)) return true
    if (!unset(before.saleEnd) && leadOf(before) !== leadOf(after)) return false
    const first = firstDrawDate ? Date.parse(firstDrawDate) / 1000 : Number(before.drawDate)
    return Number(after.drawDate) <= first + longestDelayMs / 1000
  },
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
  // An earlier payment that is found late moves it forward, as it counts from the first ticket.
  dateBy: (before, after) => unset(before.dateBy) || isUpTo(after.dateBy, before.dateBy),
  minTickets: (before, after) => Number(after.minTickets) < Number(before.minTickets),
  anchorWallet: () => true,
  // Named backwards, a wallet would take a ticket from the buyer who had paid with it by then.
  ownWalletsSha256: (before, after, { ownUntil }, { ownWallets }) => {
    const wallets = ownWallets.map(({ address, since }) => ({ address, since: new Date(since) }))
    const toldBy = (time: number) => wallets.filter(({ since }) => since.getTime() <= time)
    const hashOf = (list: typeof wallets) => ownWalletsSha256(list) ?? 'none'
    const moments =
      ownUntil === null ? [-1, ...wallets.map(({ since }) => since.getTime())] : [ownUntil * 1000]
    return (
      hashOf(wallets) === after.ownWalletsSha256 &&
      moments.some((time) => hashOf(toldBy(time)) === before.ownWalletsSha256)
    )
  },
}

const isUpTo = (value: string, limit: string): boolean => unset(limit) || Number(value) <= Number(limit)

const leadOf = ({ drawDate, saleEnd }: Values): number => Number(drawDate) - Number(saleEnd)
