import type { Address, Hash } from 'viem'
import type { RefundReason, RefundState } from './rules.ts'

/** A live payment that a row gives back, in units of 10^-18 USDT. */
export type Debt = {
  /** The operator wallet that was paid. */
  wallet: Address
  units: bigint
  /** The block in which this payment was first final: only what was sent after it can be its refund. */
  since: bigint
  /** It was refolded: the answer to an offer of it may now be in an earlier block. */
  isRefolded: boolean
}

/** A row with the payments behind it. `offeredUnits` is null unless it is in flight. */
export type AccountRow = {
  id: number
  payer: Address
  recipient: Address
  debts: readonly Debt[]
  state: RefundState
  reason: RefundReason | null
  offeredUnits: bigint | null
  transactionHash: Hash | null
}

/** A final transfer out of an operator wallet; `rowId` is the row that it has been allocated to. */
export type OutTransfer = {
  key: string
  wallet: Address
  recipient: Address
  units: bigint
  /** Its place in the order of the books, by which they are given to `balance`. */
  block: bigint
  transactionHash: Hash
  rowId: number | null
  notRefund: boolean
}

/** The effect of transfers on a row. */
export type Account = {
  /** Sum of its live payments. */
  owed: bigint
  /** The amount that no transfer has settled, and the most that this row may still send. */
  due: bigint
  /** With nothing due: `own` transfers arrived for it whole, else `others` to its payer, or those with a `surplus`. */
  settledBy: 'own' | 'others' | 'surplus'
  /** The last transfer that is allocated to it. */
  lastHash: Hash | null
}

export type Books = {
  accounts: Map<AccountRow['id'], Account>
  /** The row that each transfer is allocated to now which belonged to none, and its place in the books from now on. */
  given: Map<OutTransfer['key'], { rowId: AccountRow['id']; block: bigint }>
}

type Line = { row: AccountRow; debt: Debt; open: bigint; paidBy: OutTransfer[] }

/**
 * The books of some payers. Each transfer, in chain order, settles what is owed at its block and no payment that
 * came later: that of its own row first, then all else of the same payer, oldest first. What is left of it is
 * surplus and lowers nothing. So the rows of a payer can send no more than is owed to the payer in all.
 */
export function balance(rows: readonly AccountRow[], transfers: readonly OutTransfer[]): Books {
  const lines = rows.flatMap((row) =>
    row.debts.map((debt): Line => ({ row, debt, open: debt.units, paidBy: [] })),
  )
  const linesOf = Map.groupBy(lines, ({ row }) => row.payer)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byAddress = Map.groupBy(
    rows.flatMap((row) => [...new Set([row.recipient, row.payer])].map((address) => ({ address, row }))),
    ({ address }) => address,
  )
  const given: Books['given'] = new Map()
  const own = new Map<number, OutTransfer[]>(rows.map(({ id }) => [id, []]))
  const surplus = new Set<OutTransfer>()
  for (const transfer of transfers) {
    if (transfer.rowId === null && transfer.notRefund) continue
    const direct = (byAddress.get(transfer.recipient) ?? []).map(({ row }) => row)
    const known = transfer.rowId === null ? undefined : byId.get(transfer.rowId)
    const payers = new Set([...(known ? [known] : []), ...direct].map((row) => row.payer))
    const counting = [...payers]
      .flatMap((payer) => linesOf.get(payer) ?? [])
      .filter((line) => counts(transfer, line))
    const row = known ?? choose(transfer, direct, counting)
    if (row) own.get(row.id)?.push(transfer)
    if (row && !known) given.set(transfer.key, { rowId: row.id, block: placeOf(transfer, row) })
    if (pay(transfer, counting.sort(before(transfer, row, new Set(direct)))) > 0n) surplus.add(transfer)
  }
  const linesOfRow = Map.groupBy(lines, ({ row }) => row.id)
  return {
    given,
    accounts: new Map(
      rows.map(({ id }) => [id, accountOf(linesOfRow.get(id) ?? [], own.get(id) ?? [], surplus)]),
    ),
  }
}

/**
 * Only what was sent after a payment can be its refund. The answer to an offer was, also if a reorg has put the
 * payment behind it.
 */
const counts = (transfer: OutTransfer, { row, debt }: Line): boolean =>
  transfer.block > debt.since || (debt.isRefolded && isReported(transfer, row))

const isReported = ({ units, transactionHash }: OutTransfer, row: AccountRow): boolean =>
  row.offeredUnits === units && row.transactionHash === transactionHash

/** Behind every payment that it was sent for. */
const placeOf = (transfer: OutTransfer, row: AccountRow): bigint =>
  row.debts.reduce(
    (place, debt) =>
      counts(transfer, { row, debt, open: 0n, paidBy: [] }) && debt.since >= place ? debt.since + 1n : place,
    transfer.block,
  )

/**
 * The row that a transfer is meant for: the one in flight for just that amount, else the oldest that is owed at
 * least as much. A transfer that fits no row belongs to none.
 */
function choose(
  transfer: OutTransfer,
  direct: readonly AccountRow[],
  counting: readonly Line[],
): AccountRow | undefined {
  const openOf = (row: AccountRow) => sum(counting.filter((line) => line.row === row).map(({ open }) => open))
  const fitting = direct.filter((row) => openOf(row) >= transfer.units).sort((a, b) => a.id - b.id)
  const isAnswer = (row: AccountRow) => row.offeredUnits === transfer.units
  const reported = direct.find(
    (row) => isReported(transfer, row) && counting.some((line) => line.row === row),
  )
  return reported ?? fitting.find(isAnswer) ?? fitting[0]
}

/** Own row, rows that go to this very address, payments to the wallet that sends, the oldest of them. */
const before =
  ({ wallet }: OutTransfer, row: AccountRow | undefined, direct: ReadonlySet<AccountRow>) =>
  (a: Line, b: Line): number =>
    Number(b.row === row) - Number(a.row === row) ||
    Number(direct.has(b.row)) - Number(direct.has(a.row)) ||
    Number(b.debt.wallet === wallet) - Number(a.debt.wallet === wallet) ||
    Number(a.debt.since - b.debt.since) ||
    a.row.id - b.row.id

/** Settles one line after the other and returns the rest of the transfer. */
function pay(transfer: OutTransfer, lines: readonly Line[]): bigint {
  let left = transfer.units
  for (const line of lines) {
    const part = smaller(left, line.open)
    if (part === 0n) continue
    line.open -= part
    line.paidBy.push(transfer)
    left -= part
  }
  return left
}

function accountOf(
  lines: readonly Line[],
  own: readonly OutTransfer[],
  surplus: ReadonlySet<OutTransfer>,
): Account {
  const owed = sum(lines.map(({ debt }) => debt.units))
  const isWhole = sum(own.map(({ units }) => units)) >= owed
  const hasSurplus = lines.some(({ paidBy }) => paidBy.some((transfer) => surplus.has(transfer)))
  return {
    owed,
    due: sum(lines.map(({ open }) => open)),
    settledBy: isWhole ? 'own' : hasSurplus ? 'surplus' : 'others',
    lastHash: own.at(-1)?.transactionHash ?? null,
  }
}

export type Standing = Pick<AccountRow, 'state' | 'reason' | 'transactionHash'>

/**
 * Where a row stands by final facts. Settled: its money has arrived, or other transfers to the payer make up
 * for it to the last unit. More than that leaves it open, `covered`, for an administrator to look at.
 */
export function standingOf(row: Standing, account: Account): Standing {
  const { state, reason, transactionHash } = row
  const isDone = account.due === 0n
  if (isDone && account.settledBy !== 'surplus')
    return {
      state: 'settled',
      reason: account.settledBy === 'own' ? null : 'covered',
      transactionHash: account.lastHash ?? transactionHash,
    }
  return {
    state: state === 'settled' ? 'planned' : state,
    reason: isDone ? 'covered' : reason === 'covered' ? null : reason,
    transactionHash: state === 'settled' ? null : transactionHash,
  }
}

const sum = (units: readonly bigint[]): bigint => units.reduce((total, one) => total + one, 0n)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
