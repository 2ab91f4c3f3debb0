import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { type FoundPayment, judgePayment } from '../../core/payment.ts'
import { noteAnchorHints } from '../draw/anchors.ts'
import { getSaleTerms, lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { relinkPayments } from '../refund/links.ts'
import { resolveClaims } from './claims.ts'
import { recordPayments } from './payments.ts'

export type BlockEnd = { number: bigint; hash: Hash; timestamp: number }

/**
 * Folds the final blocks after `before` up to `end` into the ledger in one transaction: payments, ticket
 * numbers, claims, cursor, version, and what may be an anchor of a frozen ledger. Returns the tickets given
 * out; undefined, with nothing written, if
 * another worker had moved the cursor. The event's row is locked first, so that no date changes meanwhile.
 */
export async function foldRange(
  db: Db,
  before: ScanCursor | undefined,
  end: BlockEnd,
  found: readonly FoundPayment[],
  anchorHints: readonly Hash[] = [],
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const after = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
    if (!(await advanceCursor(tx, before, after))) return undefined
    if (event?.frozenAt) await noteAnchorHints(tx, event.number, anchorHints)
    if (found.length === 0) return 0
    const tickets = await recordFound(tx, found)
    await bumpVersion(tx)
    return tickets
  })
}

/**
 * Records a payment from before the first sale, which the scan never reads. It gets no ticket, so it may be
 * recorded at any time; true if this call did it.
 */
export async function recordEarly(db: Db, found: readonly FoundPayment[]): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    const terms = await getSaleTerms(tx)
    const early = found.filter(
      (payment) => judgePayment(payment, payment.blockTime, terms).reason === 'early',
    )
    const known = await tx.execute<{ hash: Hash }>(
      sql`select transaction_hash as hash from payments where transaction_hash = any(${sql.param(early.map((p) => p.transactionHash))}::text[])`,
    )
    const fresh = early.filter((payment) => !known.some(({ hash }) => hash === payment.transactionHash))
    await recordFound(tx, fresh)
    return fresh.length > 0
  })
}

async function recordFound(tx: Db, found: readonly FoundPayment[]): Promise<number> {
  const terms = await getSaleTerms(tx)
  const judged = found.map((payment) => ({ ...payment, ...judgePayment(payment, payment.blockTime, terms) }))
  const tickets = await recordPayments(tx, judged)
  const hashes = [...new Set(judged.map((payment) => payment.transactionHash))]
  await relinkPayments(tx, hashes)
  await resolveClaims(tx, hashes)
  return tickets
}
