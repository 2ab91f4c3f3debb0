import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { events, payments } from '../schema/index.ts'

/** Every token that an event has or has had with payments on record; `token` is the column. */
export const everyToken: SQL = sql`(select ${events.token} as token from ${events}
  union select ${payments.token} from ${payments} where ${payments.token} is not null)`

export async function getWatchedTokens(db: Db): Promise<Address[]> {
  const rows = await db.execute<{ token: Address }>(sql`select token from ${everyToken} t order by token`)
  return rows.map(({ token }) => token)
}
