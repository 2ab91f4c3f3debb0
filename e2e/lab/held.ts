import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Db } from '../../db/index.ts'

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** What is asked while a transaction holds what it took; once it waits for that, the transaction makes its change and ends. */
export async function askedMeanwhile<T>(
  db: Db,
  { take, change, ask }: Record<'take' | 'change', (tx: Tx) => Promise<unknown>> & { ask: () => Promise<T> },
): Promise<T> {
  const [taken, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await take(tx)
    taken.resolve()
    await letGo.promise
    await change(tx)
  })
  await taken.promise
  const answer = ask()
  const waiting = () =>
    db.execute(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(waiting, { interval: 10 }).not.toEqual([])
  letGo.resolve()
  await holding
  return answer
}
