import { eq, gt, lt, max, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { readClock } from '../clock.ts'
import type { Db } from '../index.ts'
import { selfBars } from '../schema/index.ts'

export type Bar = { wallet: Address; until: Date; message: string; signature: Hex }

/** When this wallet is free again; null for one that is not barred. */
export async function getBarEnd(db: Db, wallet: Address): Promise<Date | null> {
  const [row] = await db.select().from(selfBars).where(eq(selfBars.wallet, wallet))
  return row && row.until.getTime() > (await readClock(db)) * 1000 ? row.until : null
}

/** Bars a wallet, and returns until when. Safe to repeat: a break is made longer and never shorter. */
export async function barWallet(db: Db, bar: Bar): Promise<Date> {
  const { wallet, ...word } = bar
  await db
    .insert(selfBars)
    .values(bar)
    .onConflictDoUpdate({ target: selfBars.wallet, set: word, setWhere: lt(selfBars.until, bar.until) })
  const [row] = await db.select({ until: selfBars.until }).from(selfBars).where(eq(selfBars.wallet, wallet))
  return row?.until ?? bar.until
}

/** When the last barred wallet is free again; null while none is barred. */
export async function lastBarEnd(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ until: max(selfBars.until) })
    .from(selfBars)
    .where(gt(selfBars.until, sql`now()`))
  return row?.until?.toISOString() ?? null
}

/** Who had barred himself is nobody's business once it is over. */
export async function purgeBars(db: Db): Promise<void> {
  await db.delete(selfBars).where(lt(selfBars.until, sql`now() - interval '1 day'`))
}
