import { before, choose, counts, type Line, pay, placeOf, sum } from './allocate.ts'
import type { Account, AccountRow, Books, Open, OutTransfer, Part } from './books.ts'
import { makeRoom } from './make-room.ts'

/**
 * The books of some payers. Each transfer, in chain order, settles what is owed at its block and no payment that
 * came later: that of its own row first, then all else of the same payer, oldest first. What is left of it is
 * surplus and lowers nothing, but a payment of the register counts as long as there is any way to count all of them.
 * So the rows of a payer can send no more than is owed to the payer in all.
 */
export function balance(rows: readonly AccountRow[], transfers: readonly OutTransfer[]): Books {
  const lines = rows.flatMap((row) =>
    row.debts.map((debt): Line => ({ row, debt, open: debt.units, paidBy: [] })),
  )
  const linesOf = Map.groupBy(lines, ({ row }) => row.payer)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byPayer = Map.groupBy(rows, ({ payer }) => payer)
  const byAddress = Map.groupBy(rows.flatMap(addressesOf), ({ address }) => address)
  const given: Books['given'] = new Map()
  const own = new Map<number, OutTransfer[]>(rows.map(({ id }) => [id, []]))
  const accepting = new Map<OutTransfer, readonly Line[]>()
  const left = new Map<OutTransfer, bigint>()
  for (const transfer of transfers) {
    if (transfer.notRefund) continue
    const ofDebtor = transfer.debtor ? (byPayer.get(transfer.debtor) ?? []) : []
    if (isElsewhere(transfer, ofDebtor)) continue
    const direct = transfer.debtor
      ? ofDebtor
      : (byAddress.get(transfer.recipient) ?? [])
          .filter(({ after }) => transfer.block > after)
          .map(({ row }) => row)
    const known = transfer.rowId === null ? undefined : byId.get(transfer.rowId)
    const payers = new Set([...(known ? [known] : []), ...direct].map((row) => row.payer))
    const counting: Line[] = []
    for (const payer of payers)
      for (const line of linesOf.get(payer) ?? []) if (counts(transfer, line)) counting.push(line)
    const row = known ?? choose(transfer, direct, counting)
    if (row) own.get(row.id)?.push(transfer)
    if (row && !known) given.set(transfer.key, { rowId: row.id, block: placeOf(transfer, row) })
    const inOrder = counting.sort(before(transfer, row, new Set(direct)))
    accepting.set(transfer, inOrder)
    left.set(transfer, pay(transfer, inOrder))
  }
  for (const [transfer, units] of left)
    if (transfer.debtor) left.set(transfer, makeRoom(transfer, units, accepting))
  const surplus = new Set([...left].flatMap(([transfer, units]) => (units > 0n ? [transfer] : [])))
  const linesOfRow = Map.groupBy(lines, ({ row }) => row.id)
  return {
    given,
    accounts: new Map(
      rows.map(({ id }) => [id, accountOf(linesOfRow.get(id) ?? [], own.get(id) ?? [], surplus)]),
    ),
  }
}

/** Where a row's money goes, and behind which block a transfer to that address can be for it. */
const addressesOf = (row: AccountRow) => [
  { address: row.payer, after: -1n, row },
  ...(row.recipient === row.payer
    ? []
    : [{ address: row.recipient, after: row.named?.get(row.recipient) ?? -1n, row }]),
]

/**
 * A payment of the register for the payer of these rows, to an address that is neither his nor one that he has ever
 * named: whoever holds the wallet's key writes that log as he likes, and no debtor has been paid by it.
 */
export const isElsewhere = (
  { debtor, recipient }: Pick<OutTransfer, 'debtor' | 'recipient'>,
  rows: readonly Pick<AccountRow, 'recipient' | 'named'>[],
): boolean =>
  debtor !== null &&
  recipient !== debtor &&
  !rows.some((row) => row.recipient === recipient || row.named?.has(recipient))

function accountOf(
  lines: readonly Line[],
  own: readonly OutTransfer[],
  surplus: ReadonlySet<OutTransfer>,
): Account {
  const parts = partsOf(lines)
  const owed = sum(parts.map((part) => part.owed))
  const paid = lines.flatMap(({ paidBy }) => paidBy.map(({ transfer }) => transfer))
  const isWhole = sum(own.map(({ units }) => units)) >= owed || paid.every(({ debtor }) => debtor !== null)
  const hasSurplus = paid.some((transfer) => surplus.has(transfer))
  const dueBy = new Map<Part['wallet'], bigint>()
  for (const { wallet, due } of parts) dueBy.set(wallet, (dueBy.get(wallet) ?? 0n) + due)
  return {
    owed,
    due: sum(parts.map((part) => part.due)),
    dueBy,
    parts,
    settledBy: isWhole ? 'own' : hasSurplus ? 'surplus' : 'others',
    lastHash: (own.at(-1) ?? paid.findLast(({ debtor }) => debtor !== null))?.transactionHash ?? null,
  }
}

function partsOf(lines: readonly Line[]): Part[] {
  const groups = Map.groupBy(lines, ({ debt }) => `${debt.wallet} ${debt.token}`)
  return [...groups.values()].map((group) => {
    const { wallet, token } = (group[0] as Line).debt
    const outside = group
      .flatMap(({ paidBy }) => paidBy)
      .filter(({ transfer }) => transfer.debtor === null || transfer.wallet !== wallet)
    const byOthers = new Map<Part['wallet'], bigint>()
    for (const { transfer, units } of outside)
      if (transfer.debtor !== null)
        byOthers.set(transfer.wallet, (byOthers.get(transfer.wallet) ?? 0n) + units)
    return {
      ...{ wallet, token, byOthers },
      owed: sum(group.map(({ debt }) => debt.units)),
      outside: sum(outside.map(({ units }) => units)),
      due: sum(group.map(({ open }) => open)),
      unpaid: group.filter(({ open }) => open > 0n).map(({ debt }) => debt.paymentId),
      open: group
        .filter(({ debt, open }) => open > 0n && debt.handedOverBy === null)
        .map(({ debt: { paymentId, since }, open: units }) => ({ paymentId, since, units }))
        .sort(oldestFirst),
    }
  })
}

export const oldestFirst = (a: Open, b: Open): number =>
  Number(a.since - b.since) || a.paymentId - b.paymentId

export type Standing = Pick<AccountRow, 'state' | 'reason' | 'transactionHash'>

/**
 * Where a row stands by final facts. Settled: its money has arrived, or other transfers to the payer make up
 * for it to the last unit. More than that leaves it open, `covered`, for an administrator to look at, and so does a
 * register that remembers more than these books, `ahead`. `elsewhere`: what is due was paid by the register to an address
 * that the payer never named, so it will not pay it any more.
 */
export function standingOf(
  row: Standing,
  account: Account,
  { isAhead = false, isElsewhere = false } = {},
): Standing {
  const { state, reason, transactionHash } = row
  const isDone = account.due === 0n
  if (isDone && account.settledBy !== 'surplus' && !isAhead)
    return {
      state: 'settled',
      reason: account.settledBy === 'own' ? null : 'covered',
      transactionHash: account.lastHash ?? transactionHash,
    }
  const kept = reason === 'replaced' ? reason : null
  return {
    state: state === 'settled' ? 'planned' : state,
    reason: isAhead ? 'ahead' : isDone ? 'covered' : isElsewhere ? 'elsewhere' : kept,
    transactionHash: state === 'settled' ? null : transactionHash,
  }
}
