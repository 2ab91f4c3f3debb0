import type { Address } from 'viem'
import { connectChain } from '../../../worker/chain/index.ts'
import { compareClaim, compareLedger, type Told } from './compare.ts'
import { type Fold, foldSale } from './fold.ts'
import { changedBackwards, changedTerm } from './promise.ts'
import { readClaim, readLedger, type SiteClaim } from './site.ts'

type Options = {
  site: string
  rpcs: readonly string[]
  chainId: number
  token: Address
  /** How long the site may be ahead of this endpoint, or behind it. */
  toleranceMs: number
}
/** `agrees`: all that the site tells is on the chain, and nothing of the chain is missing. */
export type Verdict =
  | { kind: 'agrees'; text: string }
  | { kind: 'waits'; text: string }
  | { kind: 'differs'; text: string }

type Followed = Pick<SiteClaim, 'terms' | 'ownWallets'> & {
  fold: Fold
  /** Time of the newest block that was read before the site last told its terms. */
  readBefore: number
  /** The site has told a ticket, or should have: its terms are fixed. */
  isLocked: boolean
  /** Tickets at the end of earlier passes, oldest first. */
  totals: { at: number; tickets: number }[]
  /** Claims that go beyond what was read here, oldest first. */
  pending: { at: number; told: number; text: string; claim: Told }[]
}

/** So long may a cache between the site and this reader answer of the event before. */
const readAgainMs = 1_500
const mostPending = 100

/**
 * Folds the open event of a site from the chain, as often as it is called, and compares. Keeps what it has read,
 * and the terms that it saw first: a site that changes them is not believed. A difference counts when it is seen twice,
 * as the site's answers come one by one, and an archive or a change may lie between them.
 */
export function createWatcher({ site, rpcs, chainId, token, toleranceMs }: Options): () => Promise<Verdict> {
  const chain = connectChain(rpcs, chainId)
  let followed: Followed | undefined

  function follow(claim: SiteClaim): Followed {
    const { terms, ownWallets } = claim
    const rules = () => ({ events: [next.terms], wallets: next.ownWallets })
    const next: Followed = {
      ...{ terms, ownWallets, fold: foldSale(chain, { token, rules }) },
      ...{ readBefore: 0, isLocked: false, totals: [], pending: [] },
    }
    return next
  }

  /** The answers come one by one: of a new event they are read once no cache tells of the former one any more. */
  async function readWhole(): Promise<SiteClaim | undefined> {
    const claim = await readClaim(site)
    if (!claim || claim.terms.number === followed?.terms.number) return claim
    await Bun.sleep(readAgainMs)
    return readClaim(site)
  }

  async function look(): Promise<Verdict> {
    const readTo = followed?.fold.readTo() ?? 0
    const claim = await readWhole()
    if (!claim) return { kind: 'waits', text: 'There is no operator wallet yet.' }
    if (claim.chainId !== chainId || claim.token !== token)
      return differs(`the site sells for token ${claim.token} of chain ${claim.chainId}`)
    if (claim.contradiction) return differs(claim.contradiction)
    if (followed && claim.terms.number < followed.terms.number)
      return differs(`the site went back from event ${followed.terms.number} to event ${claim.terms.number}`)
    const known = followed?.terms.number === claim.terms.number ? followed : follow(claim)
    const changed = changedTerm(known, claim)
    if (changed && known.isLocked) return differs(changed)
    const current = changed ? follow(claim) : known
    const backwards = changedBackwards(current, claim, current.readBefore - toleranceMs / 1000)
    if (backwards) return differs(backwards)
    followed = current
    const isMoved = current.terms.saleEnd !== claim.terms.saleEnd || isOther(current, claim)
    Object.assign(current, {
      terms: claim.terms,
      ownWallets: claim.ownWallets,
      readBefore: changed ? 0 : readTo,
    })
    if (isMoved) current.fold.judgeAnew()
    return compare(current, claim)
  }

  async function compare(current: Followed, claim: SiteClaim): Promise<Verdict> {
    const { fold } = current
    await fold.readOn()
    const file = await frozenFile(fold, claim)
    const difference = file === undefined ? undefined : compareLedger(fold.text(), file)
    return difference ? differs(difference) : judge(current, claim)
  }

  /** The list is compared once the chain has come to the sale end here too. */
  async function frozenFile(fold: Fold, { terms }: SiteClaim): Promise<string | undefined> {
    const readTo = fold.readTo()
    if (terms.saleEnd === null || readTo === undefined || readTo < terms.saleEnd) return undefined
    return readLedger(site, terms.number)
  }

  function judge(current: Followed, claim: SiteClaim): Verdict {
    const { fold, totals } = current
    const now = performance.now()
    const total = fold.ticketsSold()
    const mustCount = totals.findLast(({ at }) => now - at > toleranceMs)?.tickets ?? 0
    current.isLocked ||= claim.ticketsSold > 0 || mustCount > 0
    const difference = compareClaim(fold.lines, claim)
    if (difference?.kind === 'wrong') return differs(difference.text)
    if (difference && current.pending.length < mostPending)
      current.pending.push({ at: now, told: difference.told, text: difference.text, claim })
    const broken = brokenClaim(current, total, now)
    if (broken) return differs(broken)
    if (claim.ticketsSold < mustCount)
      return differs(`the site counts ${claim.ticketsSold} tickets, the chain had ${mustCount} long ago`)
    const isUpToDate = claim.ticketsSold >= (totals.at(-1)?.tickets ?? total)
    current.totals = [...totals.filter(({ at, tickets }) => now - at <= toleranceMs || tickets === mustCount)]
    current.totals.push({ at: now, tickets: total })
    const text = `event ${claim.terms.number}: ${claim.ticketsSold} tickets on the site, ${total} on the chain`
    return difference || !isUpToDate ? { kind: 'waits', text } : { kind: 'agrees', text }
  }

  /** Of the claims that went beyond the chain: the first that it never confirmed, or that it has shown to be false. */
  function brokenClaim(current: Followed, total: number, now: number): string | undefined {
    const reached = current.pending.filter(({ told }) => told <= total)
    const wrong = reached.map(({ claim }) => compareClaim(current.fold.lines, claim)).find((one) => one)
    if (wrong) return wrong.text
    current.pending = current.pending.filter(({ told }) => told > total)
    return current.pending.find(({ at }) => now - at > toleranceMs)?.text
  }

  return async () => {
    const first = await look()
    if (first.kind !== 'differs') return first
    await Bun.sleep(readAgainMs)
    return look()
  }
}

const differs = (text: string): Verdict => ({ kind: 'differs', text })

const isOther = (before: Followed, { ownWallets }: SiteClaim): boolean =>
  JSON.stringify(before.ownWallets) !== JSON.stringify(ownWallets)
