import type { Address } from 'viem'
import type { OutTransfer } from './books.ts'

/** What a transfer out of a wallet of ours was for. */
export const transferClasses = ['refund', 'own', 'other'] as const
export type TransferClass = (typeof transferClasses)[number]

/**
 * The class of a transfer by rule. What the register paid where its debtor wants it is a refund, and so is what a row has been given that nobody has
 * marked. The rest moved between wallets of ours, or was for something else. Prizes are paid in no token yet: one would
 * be told from a refund here, behind the register, by the drawn wallet and the exact amount.
 */
export function classOf(
  {
    debtor,
    rowId,
    recipient,
    notRefund,
    isElsewhere = false,
  }: Pick<OutTransfer, 'debtor' | 'rowId' | 'recipient' | 'notRefund'> & { isElsewhere?: boolean },
  ownWallets: ReadonlySet<Address>,
): TransferClass {
  if ((debtor !== null && !isElsewhere) || (rowId !== null && !notRefund)) return 'refund'
  return ownWallets.has(recipient) ? 'own' : 'other'
}
