import type { Hash } from 'viem'
import { isBeforeSale, judgePayment } from '../../core/payment/judge.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import type { Event } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import { noteClaims } from '../../db/payment/claim-checks.ts'
import { resolveClaims } from '../../db/payment/claims.ts'
import { recordPassed } from '../../db/payment/fold.ts'
import { notRecorded } from '../../db/payment/recorded.ts'
import { getSaleRules } from '../../db/payment/sale-rules.ts'
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
 * Final payments of claims that the scan has passed: a claim that came while its payment was being recorded is
 * ended, and a payment that is not on record gets there.
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
  const missed = await notRecorded(db, passed)
  const open = new Set(missed.map((payment) => payment.transactionHash))
  await resolveClaims(db, hashesOf(passed.filter((payment) => !open.has(payment.transactionHash))))
  if (missed.length === 0) return
  const headers = await chain.headers([...new Set(missed.map((payment) => payment.blockNumber))])
  const times = new Map(headers.map((header) => [header.number, header.timestamp]))
  await repairMissed(
    deps,
    missed.map((payment) => ({ ...payment, blockTime: times.get(payment.blockNumber) as number })),
  )
}

/**
 * Puts final payments on record that the scan has passed without seeing them. Those that can still get tickets
 * are a hole in the open ledger, which is folded anew; the others are recorded at once, for refund. Money from before
 * the sale is no alarm, as any stranger can name it. Money that is none of ours ends its claim and leaves no row.
 */
async function repairMissed(deps: Deps, missed: readonly FoundPayment[]): Promise<void> {
  const { db, log } = deps
  const rules = await getSaleRules(db)
  const isOurs = (payment: FoundPayment) =>
    judgePayment(payment, payment.blockTime, rules).eventNumber !== null
  const ours = missed.filter(isOurs)
  await rejectClaims(
    deps,
    hashesOf(missed).filter((hash) => !ours.some((payment) => payment.transactionHash === hash)),
  )
  if (ours.length === 0) return
  const open = await recordPassed(db, ours)
  const unread = ours.filter((payment) => isBeforeSale(payment, payment.blockTime, rules))
  if (unread.length > 0) log.info({ transactions: hashesOf(unread) }, 'money from before the sale recorded')
  if (unread.length < ours.length) {
    const facts = { transactions: hashesOf(ours.filter((payment) => !unread.includes(payment))) }
    log.fatal({ ...facts, mayGetTickets: hashesOf(open) }, 'payments were missed by the scan')
  }
  const [hole] = [...open].sort((a, b) => (a.blockNumber < b.blockNumber ? -1 : 1))
  if (!hole) return
  const { blockNumber, transactionHash } = hole
  await refoldFromMissedPayment(
    deps,
    blockNumber,
    `payment ${transactionHash} of block ${blockNumber} had been missed`,
  )
}

const rejectClaims = ({ db }: Deps, hashes: readonly Hash[]): Promise<void> =>
  noteClaims(
    db,
    hashes.map((transactionHash) => ({
      transactionHash,
      ...{ status: 'rejected', reason: 'early', seen: [], attempts: 0, retryInMs: null },
    })),
  )

const hashesOf = (payments: readonly FoundPayment[] | readonly { transactionHash: Hash }[]): Hash[] => [
  ...new Set(payments.map((payment) => payment.transactionHash)),
]
