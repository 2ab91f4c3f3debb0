import { smaller } from './allocate.ts'
import { type RefundReason, type RefundRow, type RefundState, refundHolds } from './rules.ts'

/** Each row, and each payer, is in exactly one group, so that the groups add up to all of them. */
export const refundGroups = ['left', 'underWay', 'held', 'done'] as const
export type RefundGroup = (typeof refundGroups)[number]

type Where = { state: RefundState; reason: RefundRow['reason'] | RefundReason }

/** What is held, or `ahead` by the register's memory, waits for an administrator. */
export function groupOf({ state, reason }: Where): RefundGroup {
  if (state === 'settled') return 'done'
  if (state === 'offered' || state === 'sent') return 'underWay'
  return reason === 'ahead' || refundHolds.some((hold) => hold === reason) ? 'held' : 'left'
}

/** A payer with several rows is where there is most to do: nothing hides behind a row that is done. */
export const groupOfAll = (groups: readonly RefundGroup[]): RefundGroup =>
  (['underWay', 'left', 'held'] as const).find((group) => groups.includes(group)) ?? 'done'

/** Where the money of a row, a payer or a batch is, in units of 10^-18: the last four add up to `owed`. */
export type Progress = { owed: bigint; paid: bigint; inFlight: bigint; held: bigint; left: bigint }

export const noProgress: Progress = { owed: 0n, paid: 0n, inFlight: 0n, held: 0n, left: 0n }

/** `due` is what no final transfer has settled. */
export function progressOf(row: Where & { units: bigint; due: bigint }): Progress {
  const group = groupOf(row)
  const open = group === 'done' ? 0n : smaller(row.due, row.units)
  return {
    owed: row.units,
    paid: row.units - open,
    inFlight: group === 'underWay' ? open : 0n,
    held: group === 'held' ? open : 0n,
    left: group === 'left' ? open : 0n,
  }
}

export const addProgress = (a: Progress, b: Progress): Progress => ({
  owed: a.owed + b.owed,
  paid: a.paid + b.paid,
  inFlight: a.inFlight + b.inFlight,
  held: a.held + b.held,
  left: a.left + b.left,
})
