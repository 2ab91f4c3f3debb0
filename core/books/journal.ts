import type { Address } from 'viem'
import { openDebts } from '../flows/debts.ts'
import type { Flow, Opening } from '../flows/flow.ts'
import { paidBackBy } from '../flows/fold.ts'
import { type Account, type Entry, openBalances, type Posting, type PostingKind } from './accounts.ts'
import { debtsAfter } from './debts-after.ts'
import { type Moment, openMoments } from './moments.ts'

export type JournalTerms = {
  openings: readonly (Opening & { at: number })[]
  /** Of the block that drew; seconds. */
  draws: readonly { eventNumber: number; blockNumber: bigint; at: number }[]
  /** Since when events are in refund mode, in seconds: the clock of the database says so, and no block. */
  refunding: readonly { eventNumber: number; at: number }[]
  /** Token prizes in units, by event and place. */
  prizes: ReadonlyMap<number, ReadonlyMap<number, bigint>>
}

export type Journal = ReturnType<typeof openJournal>

/**
 * Double entry over the flows of the wallets, in chain order, in one pass. Whatever moves before a wallet's opening is posted
 * against the opening instead of the wallet, so that a wallet's account is its opening + in - out, and what was owed by then
 * stands in the liabilities. Refunds settle what core/flows/debts says; what they pay beyond it is the operator's own.
 */
export function openJournal(terms: JournalTerms) {
  let recalled: ReadonlySet<Address> = new Set()
  const debts = openDebts(0n, (payer) => recalled.has(payer))
  const balances = openBalances()
  const prizes = new Map([...terms.prizes].map(([event, places]) => [event, new Map(places)]))
  const openings = new Map(terms.openings.map((opening) => [opening.wallet, opening]))
  const moments = openMoments(terms)
  /** Events whose tickets somebody bought, and that are not drawn. */
  const open = new Set<number>()
  const refunding = new Set<number>()
  let done: Entry[] = []
  let entry: Entry | undefined

  function post(
    account: Account,
    units: bigint,
    kind: PostingKind,
    { wallet = null, eventNumber = null, counterparty = null, reason = null }: Partial<Posting> = {},
  ): void {
    if (units === 0n || !entry) return
    const where = { account, wallet, eventNumber }
    balances.add(where, units)
    // Both sides of a move between own wallets are one transaction.
    const same =
      account === 'between' ? entry.postings.find((posting) => posting.account === account) : undefined
    if (same) same.units += units
    else entry.postings.push({ ...where, kind, units, counterparty, reason })
  }

  function finish(): void {
    const postings = entry?.postings.filter(({ units }) => units !== 0n) ?? []
    if (entry && postings.length > 0) done.push({ ...entry, postings })
    entry = undefined
  }

  /** The side of the wallet: before its opening, that of the opening. */
  function postWallet(
    { wallet, blockNumber, direction, units, counterparty }: Flow,
    kind: PostingKind,
  ): void {
    const opening = openings.get(wallet)
    const signed = direction === 'in' ? units : -units
    if (opening && blockNumber > opening.blockNumber) post('wallet', signed, kind, { wallet, counterparty })
    else post('opening', signed, kind, { counterparty })
  }

  /** Of one of two wallets nobody may have shown yet that it is ours; both are in these books. */
  const elsewhere = ({ counterparty }: Flow): Account => (openings.has(counterparty) ? 'between' : 'owner')

  const owedFor = (event: number): Account => (refunding.has(event) ? 'refunds' : 'tickets')

  /** What tickets brought becomes another kind of debt, or revenue. */
  function turn(eventNumber: number, kind: 'draw' | 'refund_mode', to: Account): void {
    const units = debts.creditedOf(eventNumber)
    post(owedFor(eventNumber), units, kind, { eventNumber })
    post(to, -units, kind, { eventNumber })
  }

  function pass(due: readonly Moment[]): void {
    for (const moment of due) {
      finish()
      entry = { at: moment.at, block: moment.block, transactionHash: null, postings: [] }
      if (moment.kind === 'opening') {
        post('wallet', moment.opening.units, 'opening', { wallet: moment.opening.wallet })
        post('opening', -moment.opening.units, 'opening')
      } else if (moment.kind === 'draw') {
        turn(moment.eventNumber, 'draw', 'revenue')
        open.delete(moment.eventNumber)
        debts.draw(moment.eventNumber)
      } else {
        turn(moment.eventNumber, 'refund_mode', 'refunds')
        refunding.add(moment.eventNumber)
      }
      finish()
    }
  }

  /** Posts what this flow settles, and returns what is left of it. */
  function settle(flow: Flow, kind: PostingKind): bigint {
    const of = { counterparty: paidBackBy(flow) }
    const before = { leftovers: debts.leftovers, tickets: [...open].map((event) => debts.creditedOf(event)) }
    debts.settle(flow)
    let left = flow.units
    const paid = (account: Account, units: bigint, eventNumber: number | null) => {
      left -= units
      post(account, units, kind, { ...of, eventNumber })
    }
    paid('leftovers', before.leftovers - debts.leftovers, null)
    for (const [index, event] of [...open].entries())
      paid(owedFor(event), (before.tickets[index] ?? 0n) - debts.creditedOf(event), event)
    return left
  }

  function bought(flow: Flow): void {
    const { eventNumber, units, counterparty } = flow
    if (eventNumber === null) post('owner', -units, 'other', { counterparty })
    else {
      if (!debts.isDrawn(eventNumber)) open.add(eventNumber)
      debts.owe(flow)
      const account = debts.isDrawn(eventNumber) ? 'revenue' : owedFor(eventNumber)
      post(account, -units, 'tickets', { eventNumber, counterparty })
    }
  }

  /** What of a prize was still to be paid; all of it where nothing is known of the prize. */
  function payPrize({ eventNumber, prizePlace = 1, units }: Flow): bigint {
    const places = eventNumber === null ? undefined : prizes.get(eventNumber)
    if (!places) return units
    const due = places.get(prizePlace) ?? 0n
    const paid = units < due ? units : due
    places.set(prizePlace, due - paid)
    return paid
  }

  function takeOut(flow: Flow): void {
    const { class: kind, counterparty, units, eventNumber, wallet } = flow
    if (kind === 'own' || counterparty === wallet) post('between', units, 'own', { counterparty })
    else if (kind === 'prize') {
      const paid = payPrize(flow)
      post('prizes', paid, 'prize', { eventNumber, counterparty })
      post('owner', units - paid, 'other', { counterparty })
    } else {
      const left = paidBackBy(flow) === null ? units : settle(flow, 'refund')
      post(elsewhere(flow), left, kind === 'refund' ? 'refund' : 'other', { counterparty })
    }
  }

  function takeIn(flow: Flow): void {
    const { class: kind, counterparty, units, reason } = flow
    if (kind === 'credited') bought(flow)
    else if (kind === 'own') post('between', -units, 'own', { counterparty })
    else if (kind === 'leftover') {
      debts.owe(flow)
      post('leftovers', -units, 'leftover', { counterparty, reason })
    } else post(elsewhere(flow), -units, 'other', { counterparty, reason })
  }

  const shownAs = ({ class: kind }: Flow): PostingKind => (kind === 'credited' ? 'tickets' : kind)

  return {
    /** As in core/flows/fold: what follows may pay back these payers and no others; `past` is all that they paid and got before. */
    recall(payers: ReadonlySet<Address>, past: readonly Flow[]): void {
      debts.forget(recalled)
      debts.track(payers, debtsAfter(past, terms.draws))
      recalled = payers
    },
    /** The next flow of the chain. */
    take(flow: Flow): void {
      const debtor = paidBackBy(flow)
      if (debtor !== null && !recalled.has(debtor))
        throw new RangeError(`What is owed to ${debtor} was not recalled.`)
      if (entry?.transactionHash !== flow.transactionHash) finish()
      pass(moments.before(flow))
      entry ??= {
        ...{ at: flow.blockTime, block: flow.blockNumber },
        ...{ transactionHash: flow.transactionHash, postings: [] },
      }
      postWallet(flow, shownAs(flow))
      if (flow.direction === 'in') takeIn(flow)
      else takeOut(flow)
    },
    /** Everything up to the end of this block was taken. */
    close(block: bigint, at: number): void {
      finish()
      pass(moments.before({ blockNumber: block + 1n, blockTime: at + 1 }))
    },
    /** Everything up to this time was taken; more may follow. */
    passTime(at: number): void {
      finish()
      pass(moments.upTo(at))
    },
    /** Takes the entries that are done, in order. */
    entries(): Entry[] {
      const taken = done
      done = []
      return taken
    },
    balances,
    /** Owed without a ticket; and for tickets of an event. */
    owed: () => ({ leftovers: debts.leftovers, tickets: [...open].map((event) => debts.creditedOf(event)) }),
  }
}
