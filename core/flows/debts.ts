import type { Address } from 'viem'
import { nearness, ownFirst, smaller } from '../refund/allocate.ts'
import { debtorOf, type Flow } from './flow.ts'

type Debt = {
  eventNumber: number
  isLeftover: boolean
  open: bigint
  block: bigint
  wallet: Address
  handedOverBy: Address | null
}

/**
 * What is owed to payers, flow by flow, by the rules of core/refund/allocate: a refund settles what its debtor had paid in
 * an earlier block, through the register what its own wallet owes, whenever that came in; what is more settles nothing.
 * Money without a ticket goes first, as it is owed whatever becomes of the draw. `dust`: what one payer is owed without a
 * ticket counts from this sum on. `isTracked`: what is owed to this payer for tickets is kept by payment, as something
 * may settle it; of all others, a million perhaps, only the sum.
 */
export function openDebts(dust: bigint, isTracked: (payer: Address) => boolean) {
  const byPayer = new Map<Address, Debt[]>()
  const leftoverOf = new Map<Address, bigint>()
  const credited = new Map<number, bigint>()
  const drawn = new Set<number>()
  let leftovers = 0n

  const counted = (units: bigint): bigint => (units < dust ? 0n : units)

  function addLeftover(payer: Address, units: bigint): void {
    const before = leftoverOf.get(payer) ?? 0n
    const after = before + units
    leftovers += counted(after) - counted(before)
    if (after === 0n) leftoverOf.delete(payer)
    else leftoverOf.set(payer, after)
  }

  function addCredited(eventNumber: number, units: bigint): void {
    credited.set(eventNumber, (credited.get(eventNumber) ?? 0n) + units)
  }

  return {
    /** A payment that bought tickets, or that goes back. Returns the event whose tickets it bought. */
    owe({ eventNumber, class: kind, counterparty, units, blockNumber, wallet, owedBy }: Flow): void {
      if (eventNumber === null || owedBy === null) return
      const isLeftover = kind === 'leftover'
      // No refund mode comes after a draw: tickets of a drawn event are owed to nobody.
      if (!isLeftover && drawn.has(eventNumber)) return
      if (!isLeftover) {
        addCredited(eventNumber, units)
        if (!isTracked(counterparty)) return
      }
      const debt = { eventNumber, isLeftover, open: units, block: blockNumber, wallet: owedBy }
      const known = byPayer.get(counterparty)
      const added = { ...debt, handedOverBy: owedBy === wallet ? null : wallet }
      if (known) known.push(added)
      else byPayer.set(counterparty, [added])
      if (isLeftover) addLeftover(counterparty, units)
    },
    /** A refund. */
    settle(flow: Flow): void {
      const { wallet, counterparty, units, blockNumber, isRegister } = flow
      const debtor = debtorOf(flow)
      if (debtor === null || (isRegister && counterparty === wallet)) return
      const debts = byPayer.get(debtor) ?? []
      const counts = (debt: Debt) =>
        (debt.isLeftover || !drawn.has(debt.eventNumber)) &&
        (isRegister ? debt.wallet === wallet || debt.handedOverBy !== null : debt.block < blockNumber)
      let left = units
      for (const debt of debts.filter(counts).sort(inTurn(flow))) {
        const paid = smaller(left, debt.open)
        debt.open -= paid
        left -= paid
        if (debt.isLeftover) addLeftover(debtor, -paid)
        else addCredited(debt.eventNumber, -paid)
        if (left === 0n) break
      }
      const open = debts.filter((debt) => debt.open > 0n)
      if (open.length > 0) byPayer.set(debtor, open)
      else byPayer.delete(debtor)
    },
    /** The event is drawn: what bought its tickets is owed to nobody any more. */
    draw(eventNumber: number): void {
      drawn.add(eventNumber)
      credited.delete(eventNumber)
    },
    /** What is owed to these payers for tickets is kept by payment from now on, as `found` has it. */
    track(payers: Iterable<Address>, found: { ticketsOf(payer: Address): Debt[] }): void {
      for (const payer of payers) {
        const tickets = found.ticketsOf(payer)
        if (tickets.length > 0) byPayer.set(payer, [...(byPayer.get(payer) ?? []), ...tickets])
      }
    },
    /** Of these payers only the sum is kept from now on. */
    forget(payers: Iterable<Address>): void {
      for (const payer of payers) {
        const rest = byPayer.get(payer)?.filter(({ isLeftover }) => isLeftover) ?? []
        if (rest.length > 0) byPayer.set(payer, rest)
        else byPayer.delete(payer)
      }
    },
    ticketsOf: (payer: Address): Debt[] => byPayer.get(payer)?.filter(({ isLeftover }) => !isLeftover) ?? [],
    get leftovers() {
      return leftovers
    },
    creditedOf: (eventNumber: number): bigint => credited.get(eventNumber) ?? 0n,
    isDrawn: (eventNumber: number): boolean => drawn.has(eventNumber),
  }
}

const inTurn = ({ wallet, blockNumber }: Flow) => {
  const turnOf = (debt: Debt) => nearness(wallet, { ...debt, isLater: debt.block >= blockNumber })
  return (a: Debt, b: Debt): number =>
    Number(b.isLeftover) - Number(a.isLeftover) ||
    turnOf(a) - turnOf(b) ||
    ownFirst(a, b) ||
    Number(a.block - b.block)
}
