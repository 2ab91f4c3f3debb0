import type { Address } from 'viem'
import type { AccountRow, Debt, OutTransfer } from './books.ts'

/** A debt, what is open of it, and the transfers that settled the rest. */
export type Line = {
  row: AccountRow
  debt: Debt
  open: bigint
  paidBy: { transfer: OutTransfer; units: bigint }[]
}

/**
 * A payment of the register pays its debtor what its own wallet owes, whenever that was paid in: the contract knows
 * totals and no order. One to that wallet itself has moved nothing: it settles nothing, and the register is ahead. Of all
 * else only what was sent after a payment can be its refund. The answer to an offer was, also if a reorg has put the
 * payment behind it.
 */
export const counts = (transfer: OutTransfer, { row, debt }: Pick<Line, 'row' | 'debt'>): boolean =>
  transfer.token === debt.token &&
  (transfer.debtor
    ? transfer.debtor === row.payer &&
      transfer.recipient !== transfer.wallet &&
      (transfer.wallet === debt.wallet || debt.handedOverBy !== null)
    : transfer.block > debt.since || (debt.isRefolded && isReported(transfer, row)))

const isReported = (transfer: OutTransfer, row: AccountRow): boolean =>
  isSamePath(transfer, row) &&
  row.offeredUnits === transfer.units &&
  row.transactionHash === transfer.transactionHash

/** What was offered through the register is answered by the register alone. */
const isSamePath = ({ debtor }: OutTransfer, { offeredPath }: AccountRow): boolean =>
  (debtor !== null) === (offeredPath === 'register')

/** Behind every payment that it was sent for. */
export const placeOf = (transfer: OutTransfer, row: AccountRow): bigint =>
  transfer.debtor
    ? transfer.block
    : row.debts.reduce(
        (place, debt) => (counts(transfer, { row, debt }) && debt.since >= place ? debt.since + 1n : place),
        transfer.block,
      )

/**
 * The row that a transfer is meant for: the one in flight for just that amount, else the oldest that is owed at
 * least as much. A transfer that fits no row belongs to none. A payment of the register may be for several rows and
 * belongs to the first of them.
 */
export function choose(
  transfer: OutTransfer,
  direct: readonly AccountRow[],
  counting: readonly Line[],
): AccountRow | undefined {
  const open = new Map<AccountRow, bigint>()
  for (const line of counting) open.set(line.row, (open.get(line.row) ?? 0n) + line.open)
  if (transfer.debtor) return counting.filter((line) => line.open > 0n).sort(byRegister(transfer))[0]?.row
  const fitting = direct.filter((row) => (open.get(row) ?? 0n) >= transfer.units).sort((a, b) => a.id - b.id)
  const isAnswer = (row: AccountRow) => isSamePath(transfer, row) && row.offeredUnits === transfer.units
  const reported = direct.find((row) => isReported(transfer, row) && open.has(row))
  return reported ?? fitting.find(isAnswer) ?? fitting[0]
}

/**
 * In which order a transfer settles debts: those of the wallet that sends it, then those of other wallets, one after the
 * other. How much of each wallet's debts it settles so follows from the chain alone, whatever rows they were put into.
 * Within a wallet the own row comes first, rows that go to this very address, the oldest. The register pays for its own
 * wallet alone, also what was handed over since.
 */
export const before =
  (transfer: OutTransfer, row: AccountRow | undefined, direct: ReadonlySet<AccountRow>) =>
  (a: Line, b: Line): number =>
    transfer.debtor
      ? byRegister(transfer)(a, b)
      : byWallet(transfer, a, b) ||
        Number(b.row === row) - Number(a.row === row) ||
        Number(direct.has(b.row)) - Number(direct.has(a.row)) ||
        ownFirst(a.debt, b.debt) ||
        Number(a.debt.since - b.debt.since) ||
        a.row.id - b.row.id

const byWallet = (transfer: OutTransfer, a: Line, b: Line): number =>
  byNearness(transfer, a, b) || (a.debt.wallet === b.debt.wallet ? 0 : a.debt.wallet < b.debt.wallet ? -1 : 1)

const byNearness = ({ wallet, block, debtor }: OutTransfer, { debt: a }: Line, { debt: b }: Line): number => {
  const [ofA, ofB] = [a, b].map((debt) =>
    nearness(wallet, { ...debt, isLater: debtor !== null && debt.since >= block }),
  ) as [number, number]
  return ofA - ofB
}

/**
 * A wallet pays what it owes, then what it has owed and another one owes now, then what it may have had from a third in
 * between: so what others hand over changes nobody's sum. What the register paid before a debt came in was for another one.
 */
export function nearness(
  wallet: Address,
  debt: Pick<Debt, 'wallet' | 'handedOverBy'> & { isLater: boolean },
): number {
  if (debt.wallet === wallet && !debt.isLater) return 0
  if (debt.handedOverBy === wallet) return 1
  return debt.handedOverBy === null ? 3 : 2
}

/** A wallet may have paid its own debts before it took over others, which may have been paid in part before that. */
export const ownFirst = (a: Pick<Debt, 'handedOverBy'>, b: Pick<Debt, 'handedOverBy'>): number =>
  Number(a.handedOverBy !== null) - Number(b.handedOverBy !== null)

/** Rows that go to its payee, then those that a total would name, the oldest debts, and of these what was called for. */
const byRegister =
  (transfer: OutTransfer) =>
  (a: Line, b: Line): number =>
    Number(b.row.recipient === transfer.recipient) - Number(a.row.recipient === transfer.recipient) ||
    byNearness(transfer, a, b) ||
    Number(a.row.isHeld) - Number(b.row.isHeld) ||
    ownFirst(a.debt, b.debt) ||
    Number(a.debt.since - b.debt.since) ||
    Number(isCalled(b.row)) - Number(isCalled(a.row)) ||
    a.row.id - b.row.id
const isCalled = ({ offeredPath, offeredUnits }: AccountRow): boolean =>
  offeredPath === 'register' && offeredUnits !== null

/** Settles one line after the other and returns the rest of the transfer. */
export function pay(transfer: OutTransfer, lines: readonly Line[]): bigint {
  let left = transfer.units
  for (const line of lines) {
    const units = smaller(left, line.open)
    if (units === 0n) continue
    line.open -= units
    line.paidBy.push({ transfer, units })
    left -= units
  }
  return left
}

export const sum = (units: readonly bigint[]): bigint => units.reduce((total, one) => total + one, 0n)
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
