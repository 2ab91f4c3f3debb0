import { sql } from 'drizzle-orm'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'

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
