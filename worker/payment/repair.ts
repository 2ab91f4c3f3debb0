import type { Hash } from 'viem'
import type { FoundPayment } from '../../core/payment.ts'
import { type Event, getSaleTerms } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import { recordedHashes } from '../../db/payment/claim-checks.ts'
import { resolveClaims } from '../../db/payment/claims.ts'
import { recordEarly } from '../../db/payment/fold.ts'
import type { Receipt } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { judgeReceipt } from './judge-receipt.ts'
import { refoldFromMissedPayment } from './refold.ts'

type Found = {
  event: Event
  receipts: ReadonlyMap<Hash, Receipt>
  /** Those on which two endpoints agree. */
  firm: ReadonlySet<Hash>
  wallets: ReadonlySet<string>
}

/**
 * Final payments that the scan has passed: a claim that came while its payment was being recorded is ended,
 * one from before the first sale is recorded as early, and one that the scan should have seen is a hole.
 */
export async function mendRecords(deps: Deps, { event, receipts, firm, wallets }: Found): Promise<void> {
  const { db, chain } = deps
  const cursor = await getScanCursor(db)
  const passed = [...receipts].flatMap(([hash, receipt]) =>
    firm.has(hash) && cursor && receipt.blockNumber <= cursor.height
      ? judgeReceipt(receipt, { isFinal: true, token: event.token, wallets }).payments
      : [],
  )
  if (passed.length === 0) return
  const recorded = await recordedHashes(
    db,
    passed.map((payment) => payment.transactionHash),
  )
  await resolveClaims(db, [...recorded])
  const missed = passed.filter((payment) => !recorded.has(payment.transactionHash))
  if (missed.length === 0) return
  const heights = [...new Set(missed.map((payment) => payment.blockNumber))]
  const headers = await chain.headers(heights)
  const times = new Map(headers.map((header) => [header.number, header.timestamp]))
  const timed: FoundPayment[] = missed.map((payment) => ({
    ...payment,
    blockTime: times.get(payment.blockNumber) as number,
  }))
  const firstSale = Math.min(...(await getSaleTerms(db)).map((terms) => terms.saleStart))
  const early = timed.filter((payment) => payment.blockTime < firstSale)
  if (early.length > 0) await recordEarly(db, early)
  const [hole] = timed
    .filter((payment) => payment.blockTime >= firstSale)
    .sort((a, b) => (a.blockNumber < b.blockNumber ? -1 : 1))
  if (hole) await refoldFromMissedPayment(deps, hole.blockNumber)
}
