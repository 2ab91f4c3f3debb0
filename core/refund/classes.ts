import type { Address } from 'viem'
import type { OutTransfer } from './books.ts'

/** What a transfer out of a wallet of ours was for. */
export const transferClasses = ['refund', 'prize', 'own', 'other'] as const
export type TransferClass = (typeof transferClasses)[number]
/** What an administrator can say that a transfer was for, whatever the rule says. */
export const transferMarks = ['refund', 'prize', 'other'] as const
export type TransferMark = (typeof transferMarks)[number]

type Told = Pick<OutTransfer, 'debtor' | 'rowId' | 'recipient' | 'notRefund'> & {
  isElsewhere?: boolean
  /** The winner whose prize it paid: core/prize/token.ts. */
  prizePlace?: number | null
}

/**
 * The class of a transfer by rule. What the register paid where its debtor wants it is a refund; what paid a prize is that, also
 * where a refund of the same amount is owed to the same person. A refund is what a row has been given that nobody has
 * marked. The rest moved between wallets of ours, or was for something else.
 */
export function classOf(
  { debtor, rowId, recipient, notRefund, isElsewhere = false, prizePlace = null }: Told,
  ownWallets: ReadonlySet<Address>,
): TransferClass {
  if (debtor !== null && !isElsewhere) return 'refund'
  if (prizePlace !== null) return 'prize'
  if (rowId !== null && !notRefund) return 'refund'
  return ownWallets.has(recipient) ? 'own' : 'other'
}
