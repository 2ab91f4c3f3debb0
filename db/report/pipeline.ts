import { sql } from 'drizzle-orm'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { Db } from '../index.ts'
import { readNodeWatch } from './node-watch.ts'

export type PipelineFacts = {
  scan: { height: number; blockTime: string; lagSeconds: number; updatedSecondsAgo: number } | null
  claims: { received: number; confirming: number; oldestSeconds: number | null }
  /** Payments of the open event that got no ticket, by reason. */
  withoutTicket: Record<string, number>
  /** Payers to whom something is due that is no dust. */
  openRefunds: number
  worker: { facts: ChainHealth; secondsAgo: number } | null
  /** How long payments have waited for a second node; null while two answer. */
  waitingSeconds: number | null
}

/** Progress of payments from the chain to their tickets. */
export async function readPipeline(db: Db, refundMinUnits: bigint): Promise<PipelineFacts> {
  const [scan] = await db.execute<{ height: string; block_time: Date; lag: string; ago: string }>(sql`
    select height, block_time, extract(epoch from now() - block_time) as lag,
      extract(epoch from now() - updated_at) as ago from scan_cursor`)
  const [open] = await db.execute<{ received: number; confirming: number; oldest: string | null }>(sql`
    select count(*) filter (where status = 'received')::int as received,
      count(*) filter (where status = 'confirming')::int as confirming,
      extract(epoch from now() - min(created_at)) as oldest
    from claims where next_attempt_at is not null`)
  const reasons = await db.execute<{ reason: string; count: number }>(sql`
    select reason, count(*)::int as count from payments
    where status = 'rejected' and (event_number is null or event_number = (select number from events where archived_at is null))
    group by reason`)
  const [refunds] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from refund_dues
    where due > 0 and (had_tickets or due >= ${refundMinUnits.toString()}::numeric)`)
  const [report] = await db.execute<{ facts: ChainHealth; ago: string }>(sql`
    select facts, extract(epoch from now() - at) as ago from reports where name = 'chain'`)
  return {
    scan: scan
      ? {
          height: Number(scan.height),
          blockTime: new Date(scan.block_time).toISOString(),
          lagSeconds: whole(scan.lag),
          updatedSecondsAgo: whole(scan.ago),
        }
      : null,
    claims: {
      received: open?.received ?? 0,
      confirming: open?.confirming ?? 0,
      oldestSeconds: open?.oldest ? whole(open.oldest) : null,
    },
    withoutTicket: Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])),
    openRefunds: refunds?.count ?? 0,
    waitingSeconds: (await readNodeWatch(db)).waitingSeconds,
    worker: report ? { facts: report.facts, secondsAgo: whole(report.ago) } : null,
  }
}

const whole = (seconds: string): number => Math.max(0, Math.floor(Number(seconds)))
