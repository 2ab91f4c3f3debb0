import type { Hash } from 'viem'
import { type FoldedPayment, judgePayment, type SaleRules } from '../../core/judge.ts'
import type { FoundPayment } from '../../core/payment.ts'
import { type AnchorCandidate, noteAnchors } from '../draw/anchors.ts'
import { addChange } from '../event/changes.ts'
import { lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { relinkPayments } from '../refund/links.ts'
import { resolveClaims } from './claims.ts'
import { recordPayments } from './payments.ts'
import { withoutKnown } from './recorded.ts'
import { getSaleRules } from './sale-rules.ts'

export type BlockEnd = { number: bigint; hash: Hash; timestamp: number }

/**
 * Folds the final blocks after `before` up to `end` into the ledger in one transaction: payments, ticket
 * numbers, claims, cursor, version, and possible anchors of a frozen ledger. Returns the number of new
 * tickets; undefined, with nothing written, if another worker had moved the cursor. The event's row is locked
 * first, so that no date changes meanwhile.
 */
export async function foldRange(
  db: Db,
  before: ScanCursor | undefined,
  end: BlockEnd,
  found: readonly FoundPayment[],
  anchors: readonly AnchorCandidate[] = [],
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const after = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
    if (!(await advanceCursor(tx, before, after))) return undefined
    if (event) await noteAnchors(tx, event, anchors)
    if (found.length === 0) return 0
    const written = await recordFound(tx, found, await getSaleRules(tx))
    await bumpVersion(tx)
    return ticketsOf(written)
  })
}

/**
 * Records payments that the scan has passed and that get no ticket any more, whatever is folded: from before
 * the first sale, after the end of a sale, or of an event that is drawn or archived. Such a payment of a sale
 * is `missed`, and that is public. Returns the others, which can still get tickets: their event must be folded
 * anew. Safe to run twice.
 */
export async function recordPassed(db: Db, found: readonly FoundPayment[]): Promise<FoundPayment[]> {
  return db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    const rules = await getSaleRules(tx)
    const judged = found.map((payment) => ({
      payment,
      verdict: judgePayment(payment, payment.blockTime, rules),
    }))
    const mayGetTickets = ({ verdict }: (typeof judged)[number]) =>
      verdict.reason !== 'early' &&
      verdict.reason !== 'late' &&
      rules.events.some(({ number, isClosed }) => number === verdict.eventNumber && !isClosed)
    const passed = judged.filter((one) => !mayGetTickets(one)).map(({ payment }) => payment)
    if ((await recordFound(tx, passed, rules)).length > 0) await bumpVersion(tx)
    return judged.filter(mayGetTickets).map(({ payment }) => payment)
  })
}

/** Returns what was written; a payment of a sale that came too late for its draw is listed in public. */
async function recordFound(
  tx: Db,
  found: readonly FoundPayment[],
  rules: SaleRules,
): Promise<FoldedPayment[]> {
  const written = await recordPayments(tx, await withoutKnown(tx, found, rules), rules)
  for (const { eventNumber, reason, transactionHash } of written)
    if (eventNumber !== null && reason === 'missed')
      await addChange(tx, eventNumber, 'ledger', null, `missed: ${transactionHash}`)
  const hashes = [...new Set(found.map((payment) => payment.transactionHash))]
  await relinkPayments(tx, hashes)
  await resolveClaims(tx, hashes)
  return written
}

const ticketsOf = (folded: readonly FoldedPayment[]): number =>
  folded.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
