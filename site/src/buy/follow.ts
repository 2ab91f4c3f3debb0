import type { Hash } from 'viem'
import type { PurchaseReport } from '../../../core/live/public.ts'
import { ApiError, getPurchase, type PurchaseClaim, postPurchase } from '../shell/api.ts'

/** Only the hash is required: a payment sent from elsewhere has no hints. */
type Claim = { transactionHash: Hash } & Partial<PurchaseClaim>

/** Retries until the server has the claim: a paid hash must not be lost. */
export async function claim(purchase: Claim, onTrouble: (trouble: boolean) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await postPurchase(purchase)
      return onTrouble(false)
    } catch (error) {
      if (!isPassing(error)) throw error
      onTrouble(true)
      const retryAfter = error instanceof ApiError ? error.retryAfterMs : undefined
      await wait(Math.min(15_000, retryAfter ?? 1_000 * 2 ** Math.min(attempt, 4)))
    }
  }
}

/**
 * Polls a payment's status about every second until it is credited or rejected. Returns undefined when
 * `isOff` says that the caller has stopped.
 */
export async function follow(
  purchase: Claim,
  onReport: (report: PurchaseReport) => void,
  onTrouble: (trouble: boolean) => void,
  isOff: () => boolean = () => false,
): Promise<PurchaseReport | undefined> {
  let pauseMs = 300
  for (;;) {
    await wait(pauseMs)
    if (isOff()) return undefined
    pauseMs = 1_000
    try {
      const report = await getPurchase(purchase.transactionHash)
      onTrouble(false)
      onReport(report)
      if (isOver(report)) return report
      if (report.status === 'not_found') pauseMs = 5_000
    } catch (error) {
      pauseMs = 3_000
      // The server does not know it: the post was lost, or the sweeper deleted the old claim.
      if (error instanceof ApiError && error.status === 404)
        await postPurchase(bare(purchase)).catch(() => {})
      else onTrouble(true)
    }
  }
}

/** Credited with all its numbers, or rejected; a `not_found` transaction may still appear. */
const isOver = ({ status, payments }: PurchaseReport): boolean =>
  status === 'rejected' ||
  (status === 'credited' && payments.every((p) => p.status !== 'credited' || p.ticketNumber !== null))

/** Without its hints: a wrong hint must not block a paid hash. */
const bare = ({ transactionHash }: Claim) => ({ transactionHash })

/** Network errors and a server that is overloaded or restarting. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || [408, 429, 502, 503, 504].includes(error.status)

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
