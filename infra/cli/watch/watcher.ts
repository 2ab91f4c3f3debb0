import type { Address } from 'viem'
import { connectChain } from '../../../worker/chain/index.ts'
import { changedTerm, compareClaim, compareLedger } from './compare.ts'
import { type Fold, foldSale } from './fold.ts'
import { readClaim, readLedger, type SiteClaim } from './site.ts'

type Options = {
  site: string
  rpcs: readonly string[]
  chainId: number
  token: Address
  /** How long the site may be ahead of this endpoint, or behind it. */
  patienceMs: number
}
/** `agrees`: all that the site tells is on the chain, and nothing of the chain is missing. */
export type Verdict =
  | { kind: 'agrees'; text: string }
  | { kind: 'waits'; text: string }
  | { kind: 'differs'; text: string }

type Followed = Pick<SiteClaim, 'terms' | 'ownWallets'> & {
  fold: Fold
  /** Tickets at the end of earlier passes, oldest first. */
  totals: { at: number; tickets: number }[]
  /** Claims that go beyond what was read here, oldest first. */
  pending: { at: number; ticketsSold: number; text: string }[]
}

/**
 * Folds the open event of a site from the chain, as often as it is called, and compares. Keeps what it has read,
 * and the terms that it saw first: a site that changes them is not believed.
 */
export function createWatcher({ site, rpcs, chainId, token, patienceMs }: Options): () => Promise<Verdict> {
  const chain = connectChain(rpcs, chainId)
  let followed: Followed | undefined

  function follow(claim: SiteClaim): Followed {
    if (followed?.terms.number === claim.terms.number) return followed
    const next: Followed = {
      terms: claim.terms,
      ownWallets: claim.ownWallets,
      fold: foldSale(chain, { token, rules: () => ({ events: [next.terms], wallets: next.ownWallets }) }),
      totals: [],
      pending: [],
    }
    return next
  }

  async function look(): Promise<Verdict> {
    const claim = await readClaim(site)
    if (!claim) return { kind: 'waits', text: 'There is no operator wallet yet.' }
    if (claim.chainId !== chainId || claim.token !== token)
      return differs(`the site sells for token ${claim.token} of chain ${claim.chainId}`)
    const current = follow(claim)
    const changed = changedTerm(current.terms, claim.terms)
    if (changed) return differs(changed)
    followed = current
    current.terms = claim.terms
    // Blocks that were read before are not judged again: a wallet cannot become an own one backwards.
    current.ownWallets = claim.ownWallets
    const { fold } = current
    await fold.readOn()
    const file = await frozenFile(fold, claim)
    if (file !== undefined) {
      const difference = compareLedger(fold.text(), file)
      if (difference) return differs(difference)
    }
    return judge(current, claim)
  }

  /** The list is compared once the chain has come to the sale end here too. */
  async function frozenFile(fold: Fold, { terms }: SiteClaim): Promise<string | undefined> {
    const readTo = fold.readTo()
    if (terms.saleEnd === null || readTo === undefined || readTo < terms.saleEnd) return undefined
    return readLedger(site, terms.number)
  }

  function judge(current: Followed, claim: SiteClaim): Verdict {
    const { fold, totals, pending } = current
    const now = performance.now()
    const total = fold.ticketsSold()
    const difference = compareClaim(fold.lines, claim)
    if (difference?.kind === 'wrong') return differs(difference.text)
    current.pending = pending.filter(({ ticketsSold }) => ticketsSold > total)
    if (difference) current.pending.push({ at: now, ticketsSold: claim.ticketsSold, text: difference.text })
    const overdue = current.pending.find(({ at }) => now - at > patienceMs)
    if (overdue) return differs(overdue.text)
    const mustCount = totals.findLast(({ at }) => now - at > patienceMs)?.tickets ?? 0
    if (claim.ticketsSold < mustCount)
      return differs(`the site counts ${claim.ticketsSold} tickets, the chain had ${mustCount} long ago`)
    const isUpToDate = claim.ticketsSold >= (totals.at(-1)?.tickets ?? total)
    current.totals = [...totals.filter(({ at, tickets }) => now - at <= patienceMs || tickets === mustCount)]
    current.totals.push({ at: now, tickets: total })
    const text = `event ${claim.terms.number}: ${claim.ticketsSold} tickets on the site, ${total} on the chain`
    return difference || !isUpToDate ? { kind: 'waits', text } : { kind: 'agrees', text }
  }

  return look
}

const differs = (text: string): Verdict => ({ kind: 'differs', text })
