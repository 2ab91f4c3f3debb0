import type { PaymentReason } from '../../../core/payment.ts'
import type { Purchase } from '../stores/purchase.ts'

export type StepState = 'done' | 'now' | 'ahead' | 'failed'

/** What a rejected payment means for the money. */
export const reasonTexts: Record<PaymentReason, readonly [title: string, text: string]> = {
  late: [
    'Rejected, paid after the sale',
    'The payment came too late for a ticket. It is listed for a full refund to the sending address.',
  ],
  early: [
    'Rejected, paid before the sale',
    'The sale had not begun. The payment is listed for a full refund to the sending address.',
  ],
  underpaid: [
    'Rejected, underpaid',
    'The amount is below one ticket. It is listed for a full refund to the sending address.',
  ],
  reverted: [
    'Rejected, reverted on chain',
    'The transfer failed in its block, so no USDT left your wallet. Only the network fee was spent.',
  ],
  no_transfer: [
    'Rejected, no transfer found',
    'This transaction sent no USDT to the operator wallet, so there is nothing to credit or refund.',
  ],
  wrong_token: [
    'Rejected, another token',
    'Only USDT (BEP-20) buys tickets. Write to support with the transaction hash.',
  ],
  old_wallet: [
    'Rejected, former operator wallet',
    'The payment went to a former wallet of ours. It is listed for a full refund to the sending address.',
  ],
  held: [
    'Held',
    'This sending address cannot hold tickets. The payment is kept aside; write to support with the transaction hash.',
  ],
}

/** The badge over the steps. */
export function badgeOf({
  status,
  reason,
}: Pick<Purchase, 'status' | 'reason'>): readonly [tone: string, word: string] {
  switch (status) {
    case 'sent':
      return ['wait', 'Sent']
    case 'received':
      return ['', 'Received']
    case 'confirming':
      return ['wait', 'Confirming']
    case 'credited':
      return ['ok', 'Credited']
    case 'rejected':
      return ['bad', reason === 'held' ? 'Held' : 'Rejected']
    case 'not_found':
      return ['bad', 'Not found']
  }
}

/** States of the third and fourth step: final on the chain, tickets issued. */
export function lastSteps({ status, ticketNumber, ticketCount }: Purchase): readonly [StepState, StepState] {
  if (status === 'rejected') return ['failed', 'ahead']
  if (status === 'not_found') return ['failed', 'ahead']
  if (status === 'credited') return ['done', ticketNumber === null && ticketCount > 0 ? 'now' : 'done']
  return ['now', 'ahead']
}
