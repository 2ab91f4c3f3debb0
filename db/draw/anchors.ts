import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Hash, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { addChange } from '../event/changes.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { anchors, draws, workerRequests } from '../schema/index.ts'

/** How long a transaction that the scan found is looked at: an endpoint may be down for a while. */
const hintMinutes = 10
/** The first one that holds is stored, so more of the operator's own are of no use. */
const anchorsAtOnce = 3

/** A transaction of the operator's in which 32 bytes stand behind the call, as the anchor button sends it. */
export type AnchorCandidate = { transactionHash: Hash; sha256: Hex }

/**
 * The scan saw transactions of the operator: those that carry the event's fingerprint become worker requests,
 * unless the ledger is anchored or such requests are open.
 */
export async function noteAnchors(tx: Db, event: Event, found: readonly AnchorCandidate[]): Promise<void> {
  const fitting = found.filter(({ sha256 }) => sha256 === event.ledgerSha256).slice(0, anchorsAtOnce)
  if (fitting.length === 0 || !event.ledgerSha256) return
  const [known] = await tx.select().from(anchors).where(eq(anchors.eventNumber, event.number))
  if (known?.ledgerSha256 === event.ledgerSha256) return
  if ((await dueAnchors(tx)).includes(event.number)) return
  await tx.insert(workerRequests).values(
    fitting.map(({ transactionHash }) => ({
      kind: 'anchor' as const,
      eventNumber: event.number,
      transactionHash,
      expiresAt: sql`clock_timestamp() + ${`${hintMinutes} minutes`}::interval`,
    })),
  )
}

/** Events with a possible anchor to check. */
export async function dueAnchors(db: Db): Promise<number[]> {
  const rows = await db
    .select({ number: workerRequests.eventNumber })
    .from(workerRequests)
    .where(
      and(
        eq(workerRequests.kind, 'anchor'),
        isNull(workerRequests.answeredAt),
        gt(workerRequests.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .groupBy(workerRequests.eventNumber)
  return rows.map((row) => row.number)
}

type FoundAnchor = {
  eventNumber: number
  sha256: Hex
  transactionHash: Hash
  blockNumber: bigint
  blockTime: Date
}

/**
 * Stores the first anchor of a ledger; the same one again changes nothing. Throws SALES_OPEN for a ledger
 * that is not frozen with this fingerprint, ALREADY_DRAWN after the draw, as the proof is published, and
 * ALREADY_PROCESSED when another transaction anchored it before.
 */
export async function recordAnchor(db: Db, found: FoundAnchor): Promise<void> {
  const { eventNumber, sha256, transactionHash, blockNumber, blockTime } = found
  await db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber || event.ledgerSha256 !== sha256)
      throw new RaffleError('SALES_OPEN', '확정된 티켓 명단의 지문이 아닙니다.')
    const [before] = await tx.select().from(anchors).where(eq(anchors.eventNumber, eventNumber))
    if (before?.ledgerSha256 === sha256) {
      if (before.transactionHash === transactionHash) return
      throw new RaffleError('ALREADY_PROCESSED', '티켓 명단의 지문은 이미 다른 거래로 기록되었습니다.')
    }
    const [drawn] = await tx
      .select({ n: draws.eventNumber })
      .from(draws)
      .where(eq(draws.eventNumber, eventNumber))
    if (drawn) throw new RaffleError('ALREADY_DRAWN', 'This event has been drawn: its proof is final.')
    const values = { ledgerSha256: sha256, transactionHash, blockNumber, blockTime }
    await tx
      .insert(anchors)
      .values({ eventNumber, ...values })
      .onConflictDoUpdate({ target: anchors.eventNumber, set: values })
    await addChange(tx, eventNumber, 'anchor', before?.transactionHash ?? null, transactionHash)
    await bumpVersion(tx)
  })
}
