import type { Hash } from 'viem'
import type { PurchaseReport } from '../../../core/live/public.ts'
import type { Body } from '../shell/answers.ts'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import type { Pending } from './purchase.ts'

/** Only the hash is required: a payment sent from elsewhere has no hints. */
type Claim = { transactionHash: Hash } & Partial<Omit<Pending, 'transactionHash'>>

function post({ walletAddress, transactionHash, quantity, amount, accepted }: Claim) {
  // What is undefined is left out by JSON.
  const body = { walletAddress, transactionHash, quantity, amount, accepted }
  return postJson('/api/tickets/purchase', body as Body<'post', '/api/tickets/purchase'>)
}

/** Retries until the server has the claim: a paid hash must not be lost. */
export async function claim(purchase: Claim, onTrouble: (trouble: boolean) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await post(purchase)
      return onTrouble(false)
    } catch (error) {
      if (!isPassing(error)) throw error
      onTrouble(true)
      const retryAfter = error instanceof ApiError ? error.retryAfterMs : undefined
      await wait(Math.min(15_000, retryAfter ?? 1_000 * 2 ** Math.min(attempt, 4)))
    }
  }
}

type Watch = {
  onReport: (report: PurchaseReport) => void
  onTrouble: (isTroubled: boolean) => void
  isOff?: () => boolean
  /** Looks for the payment by what else is known of it, while no block is known to have its hash. */
  find?: () => Promise<Hash | undefined>
  onFound?: (hash: Hash) => void
}

/** A hash that is in no block after so many looks may not be the one that the payment has. */
const looks = 5

/** Polls a payment until it is credited or rejected, under whichever hash; undefined once the caller stopped. */
export async function follow(first: Hash | null, watch: Watch): Promise<PurchaseReport | undefined> {
  const { onReport, onTrouble, isOff, find, onFound } = watch
  let hash = first
  let pauseMs = 300
  for (let unseen = 0; ; ) {
    await wait(pauseMs)
    if (isOff?.()) return undefined
    pauseMs = hash ? 1_000 : 5_000
    try {
      if (hash) {
        const { value: report } = await getJson(`/api/tickets/purchase/${hash}`)
        onTrouble(false)
        onReport(report)
        if (isOver(report)) return report
        unseen = report.payments.length > 0 ? 0 : unseen + 1
        if (report.status === 'not_found') pauseMs = 5_000
      }
      const found = !hash || (unseen > 0 && unseen % looks === 0) ? await find?.() : undefined
      if (found && found !== hash) {
        hash = found
        pauseMs = 0
        onFound?.(found)
      }
      if (!hash) onTrouble(false)
    } catch (error) {
      pauseMs = 3_000
      // The post was lost, or its claim swept: posted without its hints, as a wrong one must not block a paid hash.
      if (hash && error instanceof ApiError && error.status === 404)
        await post({ transactionHash: hash }).catch(() => {})
      else onTrouble(true)
    }
  }
}

/** Credited with all its numbers, or rejected; a `not_found` transaction may still appear. */
const isOver = ({ status, payments }: PurchaseReport): boolean =>
  status === 'rejected' ||
  (status === 'credited' && payments.every((p) => p.status !== 'credited' || p.ticketNumber !== null))

const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || [408, 429, 502, 503, 504].includes(error.status)

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
