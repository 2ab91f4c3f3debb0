import type { Address, Hash } from 'viem'
import type { RefundReason, RefundState } from './rules.ts'

/** A live payment that a row gives back, in units of 10^-18 of its token. */
export type Debt = {
  paymentId: number
  token: Address
  /** The wallet of ours that owes it: the one that was paid, or the one that pays in its place. */
  wallet: Address
  /** The one that was paid, where another one owes it now; what the others sent for it counts all the same. */
  handedOverBy: Address | null
  units: bigint
  /** The earliest block in which this payment was ever final: only what was sent after it can be its refund. */
  since: bigint
  /** It was refolded: the answer to an offer of it may now be in an earlier block. */
  isRefolded: boolean
}

/** A row with the payments behind it. `offeredUnits` is null unless it is in flight. */
export type AccountRow = {
  id: number
  payer: Address
  recipient: Address
  /**
   * Every address that its payer has signed for, with the newest block that was known then: an earlier transfer to it was
   * for something else. A recipient that is not in it was always his.
   */
  named?: ReadonlyMap<Address, bigint>
  debts: readonly Debt[]
  state: RefundState
  reason: RefundReason | null
  /** It waits for an administrator, so no total of the register names it. */
  isHeld: boolean
  offeredUnits: bigint | null
  offeredPath: 'register' | 'transfers' | null
  transactionHash: Hash | null
}

/** A final transfer out of an operator wallet; `rowId` is the row that it has been allocated to. */
export type OutTransfer = {
  key: string
  token: Address
  wallet: Address
  recipient: Address
  units: bigint
  /** By the register's own log: whose refund it is, if it went where he wants his money. Null for a transfer outside the register. */
  debtor: Address | null
  /** Its place in the order of the books, by which they are given to `balance`. */
  block: bigint
  transactionHash: Hash
  rowId: number | null
  notRefund: boolean
}

/** What is due of one payment, and the earliest block in which that was ever final. */
export type Open = { paymentId: number; since: bigint; units: bigint }

/** What one wallet of ours owes by a row, in one token. */
export type Part = {
  wallet: Address
  token: Address
  /** Sum of the live payments. */
  owed: bigint
  /** What reached the payer for them other than through this wallet's own payments by the register. */
  outside: bigint
  /** Of that, what each other wallet of ours paid by the register: the debt was its own before it was handed on. */
  byOthers: ReadonlyMap<Address, bigint>
  due: bigint
  /** What is due of payments that nobody has taken over, payment by payment, the oldest first. */
  open: readonly Open[]
  /** All payments of which something is due, whoever has taken them over. */
  unpaid: readonly number[]
}

/** The effect of transfers on a row. */
export type Account = {
  /** Sum of its live payments. */
  owed: bigint
  /** The amount that no transfer has settled, and the most that this row may still send. */
  due: bigint
  /** `due` by the wallet that owes it. */
  dueBy: ReadonlyMap<Address, bigint>
  /** One for each wallet and token. */
  parts: readonly Part[]
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
