import type { Address, Hash } from 'viem'
import type { RefundReason, RefundState } from './rules.ts'

/** A row with what is owed by it, in units of 10^-18 USDT. `offeredUnits` is null unless it is in flight. */
export type AccountRow = {
  id: number
  payer: Address
  recipient: Address
  units: bigint
  state: RefundState
  reason: RefundReason | null
  offeredUnits: bigint | null
  transactionHash: Hash | null
}

/** A final transfer out of an operator wallet; `rowId` is the row that it has been allocated to. */
export type OutTransfer = {
  key: string
  recipient: Address
  units: bigint
  transactionHash: Hash
  rowId: number | null
  notRefund: boolean
}

/** `free`: what the payer is still owed in all, less what is unallocated; below zero if that is more. */
export type Account = { remaining: bigint; due: bigint; free: bigint; lastHash: Hash | null }

/**
 * Gives each transfer that belongs to no row yet, in chain order, to at most one row: the one in flight for
 * just that amount, else the oldest that is owed at least as much. What fits nowhere stays unallocated.
 */
export function allocate(
  rows: readonly AccountRow[],
  transfers: readonly OutTransfer[],
): Map<string, AccountRow['id']> {
  const paid = Map.groupBy(transfers, (transfer) => transfer.rowId)
  const remaining = new Map(rows.map((row) => [row.id, row.units - sum(paid.get(row.id) ?? [])]))
  const byAddress = Map.groupBy(
    rows.flatMap((row) => [...new Set([row.recipient, row.payer])].map((address) => ({ address, row }))),
    ({ address }) => address,
  )
  const given = new Map<string, number>()
  for (const transfer of paid.get(null) ?? []) {
    if (transfer.notRefund) continue
    const fitting = (byAddress.get(transfer.recipient) ?? [])
      .map(({ row }) => row)
      .filter((row) => (remaining.get(row.id) as bigint) >= transfer.units)
      .sort((a, b) => a.id - b.id)
    const inFlight = fitting.filter((row) => row.offeredUnits === transfer.units)
    const reported = inFlight.find((row) => row.transactionHash === transfer.transactionHash)
    const row = reported ?? inFlight[0] ?? fitting[0]
    if (!row) continue
    given.set(transfer.key, row.id)
    remaining.set(row.id, (remaining.get(row.id) as bigint) - transfer.units)
  }
  return given
}

/**
 * What is still owed by each row and may be sent now (`due`). Everything that went to the payer counts,
 * allocated or not, unless an administrator said that it was no refund.
 */
export function accountsOf(
  rows: readonly AccountRow[],
  transfers: readonly OutTransfer[],
): Map<AccountRow['id'], Account> {
  const paid = Map.groupBy(transfers, (transfer) => transfer.rowId)
  const loose = Map.groupBy(
    (paid.get(null) ?? []).filter((transfer) => !transfer.notRefund),
    (transfer) => transfer.recipient,
  )
  const accounts = new Map<number, Account>()
  for (const own of Map.groupBy(rows, (row) => row.payer).values()) {
    const addresses = new Set(own.flatMap((row) => [row.payer, row.recipient]))
    const unallocated = [...addresses].reduce((total, one) => total + sum(loose.get(one) ?? []), 0n)
    const open = own.map((row) => ({ row, remaining: atLeastZero(row.units - sum(paid.get(row.id) ?? [])) }))
    const free = open.reduce((total, { remaining }) => total + remaining, 0n) - unallocated
    for (const { row, remaining } of open)
      accounts.set(row.id, {
        remaining,
        due: atLeastZero(smaller(remaining, free)),
        free,
        lastHash: paid.get(row.id)?.at(-1)?.transactionHash ?? null,
      })
  }
  return accounts
}

export type Standing = Pick<AccountRow, 'state' | 'reason' | 'transactionHash'>

/**
 * Where a row stands by final facts. Settled: its money has arrived, or other transfers to the payer make up
 * for everything owed to the last unit. More than that leaves it open, `covered`, for a person to look at.
 */
export function standingOf(row: AccountRow, account: Account): Standing {
  const { state, reason, transactionHash } = row
  const settledBy = account.lastHash ?? transactionHash
  if (account.remaining === 0n) return { state: 'settled', reason: null, transactionHash: settledBy }
  if (account.free === 0n) return { state: 'settled', reason: 'covered', transactionHash: settledBy }
  const isCovered = account.free < 0n
  return {
    state: state === 'settled' ? 'planned' : state,
    reason: isCovered ? 'covered' : reason === 'covered' ? null : reason,
    transactionHash: state === 'settled' ? null : transactionHash,
  }
}

const sum = (transfers: readonly OutTransfer[]): bigint =>
  transfers.reduce((total, transfer) => total + transfer.units, 0n)
const atLeastZero = (units: bigint): bigint => (units > 0n ? units : 0n)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
