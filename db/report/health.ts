import { type SQL, sql } from 'drizzle-orm'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { AnchorKeyReport } from '../../core/draw/anchor.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

/** Whether two nodes answer, as the scans of all workers saw it. */
export type NodeWatch = {
  /** Payments wait: for some seconds no worker has had two nodes that agree on the final block. */
  isWaiting: boolean
  /** That has gone on for ten minutes: sales are paused until it ends. */
  pausesSales: boolean
  waitingSeconds: number | null
}

/** A single failed question is no news: another worker, or the next question, may have its answer. */
const quietSeconds = 5
const pauseAfterSeconds = 600
/** How old the noted answer may get before it is written again. */
const renewAfterSeconds = 2

export async function readNodeWatch(db: Db): Promise<NodeWatch> {
  const [row] = await db.execute<{ seconds: string | null; paused: boolean }>(sql`
    select extract(epoch from clock_timestamp() - waiting_since) as seconds, paused_at is not null as paused
    from node_watch`)
  const waitingSeconds = row?.seconds ? Math.max(0, Math.floor(Number(row.seconds))) : null
  return { isWaiting: waitingSeconds !== null, pausesSales: row?.paused ?? false, waitingSeconds }
}

/** Notes what a worker has just seen; the public state changes only where that is news. */
export async function noteNodes(db: Db, isAnswering: boolean): Promise<void> {
  const isDue = isAnswering ? isOld : isNews
  const [due] = await db.execute(sql`select 1 from node_watch where ${isDue}`)
  if (!due) return
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ is_news: boolean }>(
      isAnswering
        ? sql`update node_watch set agreed_at = now(), waiting_since = null, paused_at = null
            from (select waiting_since is not null as is_news from node_watch for update) as before
            where ${isOld} returning is_news`
        : sql`update node_watch set waiting_since = coalesce(waiting_since, now()),
            paused_at = case when waiting_since <= now() - ${seconds(pauseAfterSeconds)} then now() end
            where ${isNews} returning true as is_news`,
    )
    if (row?.is_news) await bumpVersion(tx)
  })
}

const seconds = (count: number) => sql`${`${count} seconds`}::interval`

const isOld = sql`(waiting_since is not null or agreed_at < now() - ${seconds(renewAfterSeconds)})`
/** Nobody had an answer for some seconds and that is not noted yet, or sales are to be paused for it. */
const isNews = sql`((waiting_since is null and agreed_at < now() - ${seconds(quietSeconds)})
  or (paused_at is null and waiting_since <= now() - ${seconds(pauseAfterSeconds)}))`

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

type Reports = { chain: ChainHealth; anchorKey: AnchorKeyReport }

/**
 * What a worker last saw of the endpoints, or of its anchor key; of many workers the latest is kept. Of the chain an idle
 * one knows less: it is heard when nobody who has seen a later final block has told anything for a while.
 */
export async function saveReport<N extends keyof Reports>(db: Db, name: N, facts: Reports[N]): Promise<void> {
  const height = (from: SQL) => sql`coalesce((${from} ->> 'finalHeight')::numeric, -1)`
  const knowsMore = sql`${height(sql`excluded.facts`)} >= ${height(sql`${reports.facts}`)}`
  const isOld = sql`${reports.at} < now() - interval '15 seconds'`
  await db
    .insert(reports)
    .values({ name, facts })
    .onConflictDoUpdate({
      ...{ target: reports.name, set: { facts, at: sql`now()` } },
      ...(name === 'chain' && { setWhere: sql`${knowsMore} or ${isOld}` }),
    })
}
