import { type SQL, sql } from 'drizzle-orm'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { AnchorKeyReport } from '../../core/draw/anchor.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

/** A single failed question is no news: another worker, or the next question, may have its answer. */
const quietSeconds = 5
const pauseAfterSeconds = 600
/** How old the noted answer may get before it is written again. */
const renewAfterSeconds = 2

/** While two nodes do not answer, payments wait; after ten minutes sales pause, too. */
export async function readNodeWatch(db: Db) {
  const [row] = await db.execute<{ seconds: string | null; paused: boolean }>(sql`
    select extract(epoch from clock_timestamp() - since) as seconds, state = 'paused' as paused
    from reports where name = 'nodes'`)
  const waitingSeconds = row?.seconds ? whole(Number(row.seconds)) : null
  return { isWaiting: waitingSeconds !== null, pausesSales: row?.paused ?? false, waitingSeconds }
}

/** Notes what a worker has just seen; the public state changes only where that is news. */
export async function noteNodes(db: Db, isAnswering: boolean): Promise<void> {
  const isDue = isAnswering ? isOld : isNews
  const [due] = await db.execute(sql`select 1 from reports where ${isDue}`)
  if (!due) return
  await db.transaction(async (tx) => {
    const [row] = await tx.execute<{ is_news: boolean }>(
      isAnswering
        ? sql`update reports set at = now(), state = 'answering', since = null
            from (select since is not null as is_news from reports where name = 'nodes' for update) as before
            where ${isOld} returning is_news`
        : sql`update reports set since = coalesce(since, now()),
            state = case when since <= now() - ${seconds(pauseAfterSeconds)} then 'paused' else 'waiting' end
            where ${isNews} returning true as is_news`,
    )
    if (row?.is_news) await bumpVersion(tx)
  })
}

const seconds = (count: number) => sql`${`${count} seconds`}::interval`

const isOld = sql`name = 'nodes' and (state <> 'answering' or at < now() - ${seconds(renewAfterSeconds)})`
/** Nobody had an answer for some seconds and that is not noted yet, or sales are to be paused for it. */
const isNews = sql`name = 'nodes' and ((state = 'answering' and at < now() - ${seconds(quietSeconds)})
  or (state = 'waiting' and since <= now() - ${seconds(pauseAfterSeconds)}))`

export async function readScan(db: Db) {
  const [row] = await db.execute<{
    height: number
    blockTime: string
    lagSeconds: number
    idleSeconds: number
  }>(sql`
    select height::float8, block_time as "blockTime", extract(epoch from now() - block_time)::float8 as "lagSeconds",
      extract(epoch from now() - updated_at)::float8 as "idleSeconds"
    from cursors where name = 'payments'`)
  return row ? { ...row, blockTime: new Date(row.blockTime).toISOString() } : null
}

/** Progress of payments from the chain to their tickets; `waitingSeconds` for a second node, null while two answer. */
export async function readPipeline(db: Db, refundMinUnits: bigint) {
  const scan = await readScan(db)
  const [claims] = await db.execute<{ received: number; confirming: number; oldest: number | null }>(sql`
    select count(*) filter (where status = 'received')::int as received,
      count(*) filter (where status = 'confirming')::int as confirming,
      extract(epoch from now() - min(created_at))::float8 as oldest
    from claims where next_attempt_at is not null`)
  const { received = 0, confirming = 0, oldest = null } = claims ?? {}
  const rejected = await db.execute<{ reason: string; count: number }>(sql`
    select reason, count(*)::int as count from payments
    where status = 'rejected'
      and (event_number is null or event_number = (select number from events where archived_at is null))
    group by 1 order by 1`)
  const [refunds] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from refund_dues
    where due > 0 and (had_tickets or due >= ${refundMinUnits.toString()}::numeric)`)
  const [report] = await db.execute<{ facts: ChainHealth; ago: number }>(sql`
    select facts, extract(epoch from now() - at)::float8 as ago from reports where name = 'chain'`)
  return {
    scan: scan && {
      ...{ height: scan.height, blockTime: scan.blockTime },
      ...{ lagSeconds: whole(scan.lagSeconds), updatedSecondsAgo: whole(scan.idleSeconds) },
    },
    claims: { received, confirming, oldestSeconds: oldest === null ? null : whole(oldest) },
    withoutTicket: Object.fromEntries(rejected.map(({ reason, count }) => [reason, count])),
    openRefunds: refunds?.count ?? 0,
    waitingSeconds: (await readNodeWatch(db)).waitingSeconds,
    worker: report ? { facts: report.facts, secondsAgo: whole(report.ago) } : null,
  }
}

const whole = (seconds: number): number => Math.max(0, Math.floor(seconds))

type Reports = { chain: ChainHealth; anchorKey: AnchorKeyReport }

/** The latest is kept. Of the chain an idle worker knows less: it is heard when nobody has told a later block for a while. */
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
