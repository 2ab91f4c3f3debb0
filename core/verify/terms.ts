import type { Address, Hex } from 'viem'
import { bscChainId, usdtOnBsc } from '../chain/register.ts'
import type { Proof } from '../draw/proof.ts'
import { mostWinners } from '../draw/winners.ts'
import { formerWalletsSha256, parseTerms, type TermsField, termsFields, termsSha256 } from '../event/terms.ts'
import { differing, failed, open, passed, type VerifyResult } from './steps.ts'

/** What a terms line promises, with the list whose SHA-256 it names. Times in seconds, the price in units. */
export type Promised = NonNullable<ReturnType<typeof promisedBy>>

/** Undefined for a text that is no terms line of a dated event with a wallet. */
export function promisedBy(line: string, formerWallets: readonly Address[]) {
  const terms = parseTerms(line)
  if (!terms || [terms.book, terms.operatorWallet, terms.saleEnd, terms.drawDate].includes('none'))
    return undefined
  // More are never drawn, and nobody shall wait for a browser that tries.
  if (!(Number(terms.winners) <= mostWinners)) return undefined
  const { book, token, operatorWallet, anchorWallet, ticketPrice, ...more } = terms
  const number = (field: keyof typeof more) => Number(more[field])
  return {
    ...{ line, formerWallets, book: book as Hex, token: token as Address },
    operatorWallet: operatorWallet as Address,
    anchorWallet: anchorWallet === 'none' ? undefined : (anchorWallet as Address),
    ticketPrice: BigInt(ticketPrice),
    ...{ eventNumber: number('eventNumber'), chainId: number('chainId'), winners: number('winners') },
    ...{ saleStart: number('saleStart'), saleEnd: number('saleEnd'), drawDate: number('drawDate') },
    minTickets: number('minTickets'),
  }
}

export type Known = {
  /** Terms lines that were kept while tickets were sold; those of other events are left out. */
  kept?: readonly string[] | undefined
  /** Where tickets were not paid in USDT on chain 56. */
  chainId?: number | undefined
  token?: Address | undefined
}

type Committed = Partial<Pick<Proof, 'termsSha256' | 'entropy' | 'ticketsSold'>>

/** A kept line has to equal the proof's to the letter. One from before the date may lack the date, and proves nothing. */
export function checkTerms(promised: Promised, committed: Committed, known: Known): VerifyResult {
  return contradiction(promised, committed, known) ?? compareKept(promised, known.kept ?? [])
}

function contradiction(
  { line, formerWallets, ...promised }: Promised,
  { termsSha256: told, entropy, ticketsSold }: Committed,
  known: Known,
): VerifyResult | undefined {
  const terms = parseTerms(line) as Record<TermsField, string>
  const sha256 = termsSha256(line)
  const wrong = differing(
    'terms',
    { termsSha256: sha256, formerWalletsSha256: terms.formerWalletsSha256, entropy: terms.entropy },
    {
      ...{ termsSha256: told ?? sha256, entropy: entropy ?? terms.entropy },
      formerWalletsSha256: formerWalletsSha256(formerWallets) ?? 'none',
    },
  )
  if (wrong) return wrong
  const { chainId = bscChainId, token = chainId === bscChainId ? usdtOnBsc : undefined } = known
  const [wanted, found] = [`${chainId} ${token?.toLowerCase()}`, `${promised.chainId} ${promised.token}`]
  if (wanted !== found) return failed('terms', 'notUsdt', { expected: wanted, actual: found })
  const { minTickets: minimum } = promised
  if (ticketsSold !== undefined && ticketsSold < minimum)
    return failed('terms', 'minimumMissed', { minimum, tickets: ticketsSold })
  return undefined
}

/** What may be set once after a purchase. */
const setLater: readonly TermsField[] = ['saleEnd', 'drawDate']

function compareKept({ line, eventNumber }: Promised, kept: readonly string[]): VerifyResult {
  const theirs = parseTerms(line) as Record<TermsField, string>
  let isEqual = false
  const lines = kept.map((each) => parseTerms(each))
  if (lines.includes(undefined)) return failed('terms', 'noTermsLine', {})
  const own = lines.filter((each) => each?.eventNumber === `${eventNumber}`)
  for (const ours of own as Record<TermsField, string>[]) {
    const isUndated = setLater.every((field) => ours[field] === 'none')
    const field = termsFields.find(
      (name) => ours[name] !== theirs[name] && !(isUndated && setLater.includes(name)),
    )
    if (field) return failed('terms', 'keptDiffers', { field, expected: ours[field], actual: theirs[field] })
    isEqual ||= !isUndated
  }
  if (own.length === 0) return open('terms', 'noLineKept', {})
  return isEqual ? passed('terms', 'termsKept', {}) : open('terms', 'keptBeforeDate', {})
}
