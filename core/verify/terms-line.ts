import type { Proof } from '../draw/proof.ts'
import { parseTerms, type TermsField } from '../event/terms.ts'
import { compareTerms, type KeptTerms, type TermsChange } from '../event/terms-compare.ts'

/** The fields of a proof that its terms line repeats. */
const repeated = {
  eventNumber: (proof) => proof.eventNumber,
  chainId: (proof) => proof.chainId,
  token: (proof) => proof.token,
  operatorWallet: (proof) => proof.operatorWallet,
  ticketPrice: (proof) => proof.ticketPrice,
  entropy: (proof) => proof.entropy,
  saleStart: (proof) => Date.parse(proof.saleStart) / 1000,
  saleEnd: (proof) => Date.parse(proof.saleEndDate) / 1000,
  drawDate: (proof) => Date.parse(proof.drawDate) / 1000,
} satisfies Partial<Record<TermsField, (proof: Proof) => string | number>>

/** The first field in which a proof and its own terms line differ; undefined where they agree. */
export function contradictionWithin(proof: Proof): TermsChange | undefined {
  const line = parseTerms(proof.terms)
  for (const [name, shownBy] of Object.entries(repeated)) {
    const field = name as keyof typeof repeated
    const [from, to] = [line?.[field] ?? '', `${shownBy(proof)}`]
    if (from !== to) return { field, from, to, isAllowed: false }
  }
  return undefined
}

/** The minimum of tickets in the terms, where fewer were sold: such an event is not drawn. */
export function missedMinimum(proof: Proof): number | undefined {
  const minimum = Number(parseTerms(proof.terms)?.minTickets)
  return proof.ticketsSold < minimum ? minimum : undefined
}

/**
 * What was promised of the same event with a sale end before the proof's: when that draw would have been anchored, in seconds
 * and up to, not including, `until`; and by which wallets besides the operator's.
 */
export function earlierPromises({ eventNumber, saleEndDate }: Proof, kept: readonly KeptTerms[]) {
  const saleEnd = Date.parse(saleEndDate) / 1000
  const earlier = kept
    .flatMap(({ terms }) => parseTerms(terms) ?? [])
    .filter((line) => line.eventNumber === `${eventNumber}` && Number(line.saleEnd) < saleEnd)
  const windows = earlier.map((line) => {
    const [from, until] = [Number(line.saleEnd), Math.min(Number(line.drawDate) || saleEnd, saleEnd)]
    return [`${from} ${until}`, { from, until }] as const
  })
  return {
    windows: [...new Map(windows).values()].sort((a, b) => a.from - b.from),
    anchorWallets: earlier.map(({ anchorWallet }) => anchorWallet),
  }
}

/** What the terms kept at purchases say against the proof: the first broken promise, and what the rules let change. */
export function comparePromises(proof: Proof, kept: readonly KeptTerms[]) {
  const changes = compareTerms(kept, proof)
  return {
    areLines: changes !== undefined,
    broken: changes?.find(({ isAllowed }) => !isAllowed),
    changed: (changes ?? []).filter(({ isAllowed }) => isAllowed).map(({ field }) => field),
    /** The terms that the lines settle; dates only where one had them. */
    settles: [
      ...(['token', 'operatorWallet', 'ticketPrice', 'saleStart'] as const),
      ...(kept.every(({ terms }) => parseTerms(terms)?.drawDate === 'none')
        ? []
        : (['saleEndDate', 'drawDate'] as const)),
    ],
  }
}
