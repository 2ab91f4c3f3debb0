import type { Address, Hash } from 'viem'
import { openDebts } from './debts.ts'
import { debtorOf, type Flow, type Opening } from './flow.ts'
import { type Measure, openThinning, type Point } from './thin.ts'

/** Block numbers are those at whose end it holds. */
export type FoldTerms = {
  /** The event that is reckoned. */
  eventNumber: number
  /** What is measured begins then; seconds. */
  saleStart: number
  /** What one payer is owed without a ticket counts from this sum on. */
  dust: bigint
  /**
   * `counts`: the wallet has signed, so what it holds is held. `owesUntil`: its key is lost since then, in seconds; what came
   * before is owed all the same.
   */
  openings: readonly (Opening & { counts: boolean; owesUntil?: number })[]
  draws: readonly { eventNumber: number; blockNumber: bigint }[]
  /** Events in refund mode. */
  refunding: ReadonlySet<number>
  /** Token prizes that an event promised or promises, by event and place, in units. */
  prizes: ReadonlyMap<number, ReadonlyMap<number, bigint>>
}

export type Lowest = { cover: bigint; at: number; block: bigint; transactionHash: Hash }
export type Sums = {
  held: bigint
  required: bigint
  cover: bigint
  /** Add up to `required`: of the prizes what is more than the same event's `credited`. */
  owed: { leftovers: bigint; refunds: bigint; credited: bigint; prizes: bigint }
  lowest: Lowest | null
  /** Behind this one the cover was below 0 for the first time since it last was not. */
  shortSince: Lowest | null
  /** Since the sale start. */
  outflow: { refund: bigint; prize: bigint; own: bigint; other: bigint }
  /** Of class `other` the newest ten and the largest ten, newest first. */
  others: readonly Flow[]
  /** Of each wallet with an opening: opening + in - out. */
  balances: ReadonlyMap<Address, bigint>
  /** Tickets that are not drawn were paid to a wallet of which nobody has shown that it can pay. */
  isUnbacked: boolean
  points: readonly Point[]
}

const shownOthers = 10

export type Fold = ReturnType<typeof openFold>

/**
 * What is held and required, flow by flow in chain order, in one pass. A transaction happens as a whole: it is measured
 * behind its last flow, so that a move between two own wallets lowers nothing. The exact lowest cover of the sale is known
 * at any time; nothing is sampled.
 */
export function openFold(terms: FoldTerms) {
  /** Payers who may be paid back by what follows: of tickets of all others, a million perhaps, only the sum is kept. */
  let recalled: ReadonlySet<Address> = new Set()
  const debts = openDebts(terms.dust, (payer) => recalled.has(payer))
  const thinning = openThinning()
  const prizes = new Map([...terms.prizes].map(([event, places]) => [event, new Map(places)]))
  const balances = new Map<Address, bigint>()
  const counting = new Set(terms.openings.flatMap(({ wallet, counts }) => (counts ? wallet : [])))
  const openings = terms.openings.toSorted((a, b) => Number(a.blockNumber - b.blockNumber))
  const allDraws = terms.draws.toSorted((a, b) => Number(a.blockNumber - b.blockNumber))
  const draws = [...allDraws]
  const events = new Set(terms.prizes.keys())
  const unbacked = new Set<number>()
  const isDrawnBefore = new Set(
    terms.draws.flatMap(({ eventNumber }) => (eventNumber === terms.eventNumber ? [] : eventNumber)),
  )
  const outflow = { refund: 0n, prize: 0n, own: 0n, other: 0n }
  /** Wallets that money came to or left before they were opened: until then nobody knows what is held. */
  const awaited = new Set<Address>()
  let held = 0n
  let isOpen = false
  let ofEvents = sumOfEvents()
  let lowest: Lowest | null = null
  let shortSince: Lowest | null = null
  let newest: Other[] = []
  let largest: Other[] = []
  let others = 0
  let last: Flow | undefined
  let isMeasured = true

  function sumOfEvents(): bigint {
    let total = 0n
    for (const event of events) total += dueOf(event)
    return total
  }

  function dueOf(event: number): bigint {
    let prize = 0n
    for (const open of prizes.get(event)?.values() ?? []) prize += open
    const credited = debts.creditedOf(event)
    return debts.isDrawn(event) || prize > credited ? prize : credited
  }

  /** What changes debts or prizes of some events; few are open at any time. */
  function change(act: () => void, touched: Iterable<number>): void {
    const before = [...touched]
    for (const event of before) ofEvents -= dueOf(event)
    act()
    for (const event of before) ofEvents += dueOf(event)
  }

  function measure(): void {
    if (!last || isMeasured || last.blockTime < terms.saleStart || !isOpen || awaited.size > 0) return
    isMeasured = true
    const required = debts.leftovers + ofEvents
    const cover = held - required
    const { blockTime: at, blockNumber: block, transactionHash } = last
    const here = { cover, at, block, transactionHash }
    if (!lowest || cover < lowest.cover) lowest = here
    shortSince = cover < 0n ? (shortSince ?? here) : null
    thinning.add({ at, block, held, required, cover } satisfies Measure)
  }

  /** What came about at the end of blocks before `block`. */
  function pass(block: bigint): void {
    for (let next = draws[0]; next && next.blockNumber < block; next = draws[0]) {
      const { eventNumber } = next
      draws.shift()
      change(() => debts.draw(eventNumber), events.has(eventNumber) ? [eventNumber] : [])
    }
    for (let next = openings[0]; next && next.blockNumber < block; next = openings[0]) {
      openings.shift()
      balances.set(next.wallet, next.units)
      if (!next.counts) continue
      held += next.units
      isOpen = true
      // What came before it is known to be covered or not from here on.
      if (awaited.delete(next.wallet)) measure()
    }
  }

  function move({ wallet, direction, units }: Flow): void {
    const signed = direction === 'in' ? units : -units
    const balance = balances.get(wallet)
    if (balance !== undefined) {
      balances.set(wallet, balance + signed)
      if (counting.has(wallet)) held += signed
    } else if (counting.has(wallet) && direction === 'in') awaited.add(wallet)
  }

  /** What of its prize a transfer can pay; all of it where nothing is known of the prize. */
  function unpaidOf({ eventNumber, prizePlace = 1, units }: Flow): bigint {
    const places = eventNumber === null ? undefined : prizes.get(eventNumber)
    return places ? (places.get(prizePlace) ?? 0n) : units
  }

  function note(flow: Flow): void {
    if (flow.direction === 'in' || flow.blockTime < terms.saleStart) return
    const rest =
      flow.class === 'prize' ? flow.units - unpaidOf(flow) : flow.class === 'other' ? flow.units : 0n
    if (flow.class in outflow) outflow[flow.class as keyof typeof outflow] += flow.units
    if (rest <= 0n) return
    // A mark can make a transfer of more than is left a prize: what is over went elsewhere.
    if (flow.class === 'prize') {
      outflow.prize -= rest
      outflow.other += rest
    }
    const other = { flow: rest === flow.units ? flow : { ...flow, units: rest }, place: others++ }
    newest = [other, ...newest].slice(0, shownOthers)
    if (largest.length < shownOthers || rest > (largest.at(-1) as Other).flow.units)
      largest = [...largest, other].sort(bySize).slice(0, shownOthers)
  }

  const isBacked = ({ owedBy }: Flow): boolean => owedBy !== null && counting.has(owedBy)
  const owesUntil = new Map(terms.openings.map((opening) => [opening.wallet, opening.owesUntil ?? 0]))
  const wasBacked = ({ owedBy, blockTime }: Flow): boolean =>
    owedBy !== null && blockTime <= (owesUntil.get(owedBy) ?? 0)
  // Of earlier draws there may be millions of payments, and they are owed to nobody.
  const isForTickets = ({ class: kind, eventNumber }: Flow): boolean =>
    kind === 'credited' && eventNumber !== null && !isDrawnBefore.has(eventNumber)
  // What came to a wallet that has not signed is matched by nothing that is held: its key may be anybody's.
  const isOwed = (flow: Flow): boolean =>
    isForTickets(flow) || (flow.class === 'leftover' && (isBacked(flow) || wasBacked(flow)))

  /** What all these flows, in chain order, leave open to their payers. */
  function debtsAfter(past: readonly Flow[]): ReturnType<typeof openDebts> {
    const found = openDebts(terms.dust, () => true)
    let next = 0
    for (const flow of past) {
      for (let draw = allDraws[next]; draw && draw.blockNumber < flow.blockNumber; draw = allDraws[++next])
        found.draw(draw.eventNumber)
      if (isOwed(flow)) found.owe(flow)
      else if (paidBackBy(flow) !== null) found.settle(flow)
    }
    return found
  }

  return {
    /**
     * What follows may pay back these payers and no others, until it is said again. `past`: all that was taken of what they paid
     * and got back, in chain order.
     */
    recall(payers: ReadonlySet<Address>, past: readonly Flow[]): void {
      debts.forget(recalled)
      debts.track(payers, debtsAfter(past))
      recalled = payers
    },
    /** The next flow of the chain. Throws where it pays back somebody who was not recalled. */
    take(flow: Flow): void {
      const debtor = paidBackBy(flow)
      if (debtor !== null && !recalled.has(debtor))
        throw new RangeError(`What is owed to ${debtor} was not recalled.`)
      if (last && last.transactionHash !== flow.transactionHash) measure()
      pass(flow.blockNumber)
      move(flow)
      note(flow)
      const { eventNumber } = flow
      if (isForTickets(flow) && eventNumber !== null) {
        if (!isBacked(flow)) unbacked.add(eventNumber)
        const isNew = !events.has(eventNumber)
        events.add(eventNumber)
        change(() => debts.owe(flow), isNew ? [] : [eventNumber])
        if (isNew) ofEvents += dueOf(eventNumber)
      } else if (flow.class === 'leftover') {
        if (isOwed(flow)) debts.owe(flow)
      } else if (flow.class === 'prize' && eventNumber !== null && prizes.has(eventNumber))
        change(() => pay(prizes.get(eventNumber), flow), [eventNumber])
      else if (debtor !== null) change(() => debts.settle(flow), events)
      last = flow
      isMeasured = false
    },
    /** All flows up to this block were taken. Those of later blocks may follow. */
    sums(upTo: bigint): Sums {
      measure()
      pass(upTo + 1n)
      const required = debts.leftovers + ofEvents
      const owed = { leftovers: debts.leftovers, refunds: 0n, credited: 0n, prizes: 0n }
      for (const event of events) {
        const credited = debts.isDrawn(event) ? 0n : debts.creditedOf(event)
        owed[terms.refunding.has(event) ? 'refunds' : 'credited'] += credited
        owed.prizes += dueOf(event) - credited
      }
      return {
        ...{ held, required, cover: held - required, owed, lowest },
        ...{ shortSince: held < required ? shortSince : null, outflow: { ...outflow } },
        ...{ others: shown(newest, largest), balances: new Map(balances), points: thinning.points() },
        isUnbacked: [...unbacked].some((event) => !debts.isDrawn(event) && debts.creditedOf(event) > 0n),
      }
    },
  }
}

type Other = { flow: Flow; place: number }
const bySize = (a: Other, b: Other): number =>
  a.flow.units === b.flow.units ? a.place - b.place : a.flow.units < b.flow.units ? 1 : -1
const shown = (...lists: readonly Other[][]): Flow[] =>
  [...new Set(lists.flat())].sort((a, b) => b.place - a.place).map(({ flow }) => flow)

/** Whose debts a flow settles, if it is no prize. */
export const paidBackBy = (flow: Flow): Address | null => (flow.class === 'prize' ? null : debtorOf(flow))

/** Of a transfer that was more than its prize the rest pays no other one. */
function pay(places: Map<number, bigint> | undefined, { prizePlace = 1, units }: Flow): void {
  const open = (places?.get(prizePlace) ?? 0n) - units
  places?.set(prizePlace, open > 0n ? open : 0n)
}
