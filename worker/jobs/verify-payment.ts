import type { Jobs } from '../../core/jobs.ts'
import { decodeTransfer, groupPayments, type PaymentReason, transferTopic } from '../../core/payment.ts'
import { type Claim, getClaim, noteClaim } from '../../db/queries/claims.ts'
import { getOpenEvent, getWatchedWallets } from '../../db/queries/events.ts'
import type { Receipt } from '../chain.ts'
import type { Deps } from '../deps.ts'

type Note = Parameters<typeof noteClaim>[2]

/** After this time without a trace a hash is called not found; posting it again reopens it. */
const giveUpAfterMs = 15 * 60_000

/**
 * Looks where a claimed transaction stands and notes it for its buyer; the scan alone gives out tickets.
 * Safe to run twice: a resolved claim is left alone, an open one is noted anew.
 */
export async function verifyPayment({ db, chain }: Deps, { hash }: Jobs['verify-payment']): Promise<void> {
  const claim = await getClaim(db, hash)
  if (!claim?.nextAttemptAt) return
  const receipt = await chain.receipt(hash)
  const event = await getOpenEvent(db)
  if (!receipt || !event) return noteClaim(db, hash, unseen(claim))
  const isFinal = receipt.blockNumber <= (await chain.finalized()).number
  const wallets = new Set<string>(await getWatchedWallets(db))
  return noteClaim(db, hash, judgeReceipt(receipt, { isFinal, token: event.token, wallets }))
}

/** A receipt is a preview until its block is final; then what has no payment in it is rejected for good. */
export function judgeReceipt(
  receipt: Receipt,
  {
    isFinal,
    token,
    wallets,
  }: { isFinal: boolean; token: Claim['transactionHash']; wallets: ReadonlySet<string> },
): Note {
  const transfers = receipt.logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  const found = receipt.status === 'success' ? groupPayments(transfers, wallets) : []
  if (isFinal && found.length === 0)
    return { status: 'rejected', reason: whyNothing(receipt, wallets), seen: [], retryInMs: null }
  return {
    status: 'confirming',
    reason: null,
    seen: found.map((payment) => ({
      payer: payment.payer,
      units: payment.units.toString(),
      blockNumber: payment.blockNumber.toString(),
    })),
    retryInMs: 2_000,
  }
}

function whyNothing(receipt: Receipt, wallets: ReadonlySet<string>): PaymentReason {
  if (receipt.status === 'reverted') return 'reverted'
  const toUs = receipt.logs.some(
    ({ topics }) =>
      topics[0] === transferTopic && topics[2] && wallets.has(`0x${topics[2].slice(26).toLowerCase()}`),
  )
  return toUs ? 'wrong_token' : 'no_transfer'
}

function unseen(claim: Claim): Note {
  const ageMs = Date.now() - claim.createdAt.getTime()
  return ageMs > giveUpAfterMs
    ? { status: 'not_found', reason: null, seen: [], retryInMs: null }
    : {
        status: 'received',
        reason: null,
        seen: [],
        retryInMs: Math.min(1_000 * 2 ** Math.max(0, claim.attempts - 3), 30_000),
      }
}
