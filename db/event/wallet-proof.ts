import { eq, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

/** The operator wallet of this event has signed: somebody holds its key. */
export async function proveWallet(db: Db, eventNumber: number): Promise<void> {
  await db.update(events).set({ walletProvenAt: sql`now()` }).where(eq(events.number, eventNumber))
}
