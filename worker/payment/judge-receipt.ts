import type { Address } from 'viem'
import {
  decodeTransfer,
  groupPayments,
  type Payment,
  type PaymentReason,
  type RpcLog,
  transferTopic,
} from '../../core/payment/payment.ts'
import type { Receipt } from '../chain/receipts.ts'

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

type Ours = Omit<Terms, 'isFinal'>

/**
 * The logs that a verdict rests on: our token's transfers to our wallets, and one of another token. All others of a
 * transaction, and there may be tens of thousands, are not kept.
 */
export function decisiveLogs(logs: readonly RpcLog[], { token, wallets }: Ours): RpcLog[] {
  const other = logs.find(isOtherToken({ token, wallets }))
  const own = logs.filter((log) => wallets.has(decodeTransfer(log, token)?.to ?? ''))
  return other ? [...own, other] : own
}

/** A zero transfer of the right token is no transfer; the sender of another token gets a reason of its own. */
function whyNothing(receipt: Receipt, ours: Ours): PaymentReason {
  if (receipt.status === 'reverted') return 'reverted'
  return receipt.logs.some(isOtherToken(ours)) ? 'wrong_token' : 'no_transfer'
}

const isOtherToken =
  ({ token, wallets }: Ours) =>
  ({ address, topics }: RpcLog): boolean =>
    address.toLowerCase() !== token.toLowerCase() &&
    topics[0] === transferTopic &&
    topics[2]?.length === 66 &&
    wallets.has(`0x${topics[2].slice(26).toLowerCase()}`)
