import type { Address } from 'viem'
import {
  decodeTransfer,
  groupPayments,
  type Payment,
  type PaymentReason,
  transferTopic,
} from '../../core/payment.ts'
import type { Receipt } from '../chain/index.ts'

/** What a receipt shows. `reason` is set only where its block is final and there is no payment in it. */
export type Sight = { payments: Payment[]; reason: PaymentReason | null }
type Terms = { isFinal: boolean; token: Address; wallets: ReadonlySet<string> }

/** A receipt is a preview until its block is final; then a receipt without a payment is rejected for good. */
export function judgeReceipt(receipt: Receipt, { isFinal, token, wallets }: Terms): Sight {
  const transfers = receipt.logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  const payments = receipt.status === 'success' ? groupPayments(transfers, wallets) : []
  const reason = isFinal && payments.length === 0 ? whyNothing(receipt, { token, wallets }) : null
  return { payments, reason }
}

/** A zero transfer of the right token is no transfer; the sender of another token gets a reason of its own. */
function whyNothing(receipt: Receipt, { token, wallets }: Omit<Terms, 'isFinal'>): PaymentReason {
  if (receipt.status === 'reverted') return 'reverted'
  const toUs = receipt.logs.some(
    ({ address, topics }) =>
      address.toLowerCase() !== token.toLowerCase() &&
      topics[0] === transferTopic &&
      topics[2]?.length === 66 &&
      wallets.has(`0x${topics[2].slice(26).toLowerCase()}`),
  )
  return toUs ? 'wrong_token' : 'no_transfer'
}
