import { and, desc, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import { ifGiven, olderThan } from '../filter.ts'
import type { Db } from '../index.ts'
import { debtsOf } from '../refund/debts.ts'
import { readNodeWatch } from '../report/node-watch.ts'
import { payments } from '../schema/index.ts'

export type PaymentFilter = {
  /** Payments before the one of this id. */
  cursor?: number | undefined
  eventNumber?: number | undefined
  status?: 'credited' | 'rejected' | undefined
  reason?: PaymentReason | undefined
  payer?: Address | undefined
  transactionHash?: Hash | undefined
}

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listPayments(db: Db, filter: PaymentFilter, limit = 100) {
  const where = [
    olderThan(payments.id, filter.cursor),
    ifGiven(payments.eventNumber, filter.eventNumber),
    ifGiven(payments.status, filter.status),
    ifGiven(payments.reason, filter.reason),
    ifGiven(payments.payer, filter.payer),
    ifGiven(payments.transactionHash, filter.transactionHash),
  ]
  const rows = await db
    .select()
    .from(payments)
    .where(and(...where))
    .orderBy(desc(payments.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    eventNumber: row.eventNumber,
    transactionHash: row.transactionHash,
    walletAddress: getAddress(row.payer),
    operatorWallet: getAddress(row.wallet),
    status: row.status,
    reason: row.reason,
    ticketNumber: row.ticketNumber,
    ticketCount: row.ticketCount,
    amount: Number(centsOf(row.units)),
    blockNumber: Number(row.blockNumber),
    createdAt: row.blockTime.toISOString(),
  }))
}

export type PipelineFacts = {
  scan: { height: number; blockTime: string; lagSeconds: number; updatedSecondsAgo: number } | null
  claims: { received: number; confirming: number; oldestSeconds: number | null }
  /** Payments of the open event that got no ticket, by reason. */
  withoutTicket: Record<string, number>
  /** Refund rows that are not done; before there is a batch, the addresses that wait for one. */
  openRefunds: number
  worker: { facts: ChainHealth; secondsAgo: number } | null
  /** How long payments have waited for a second node; null while two answer. */
  waitingSeconds: number | null
}

/** Progress of payments from the chain to their tickets. */
export async function readPipeline(db: Db): Promise<PipelineFacts> {
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
    select (select count(*) from refund_rows where state <> 'settled' and units > 0)::int
      + (select count(distinct p.payer) from events e join ${debtsOf('event')} p on p.event_number = e.number
        where e.archived_at is null and e.refund_mode_at is not null
          and not exists (select 1 from refund_batches b where b.event_number = e.number and b.kind = 'event'))::int
      as count`)
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
