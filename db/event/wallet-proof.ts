import { eq, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

/** Records that the operator wallet of this event has signed, so its key is available. */
export async function proveWallet(db: Db, eventNumber: number): Promise<void> {
  await db.update(events).set({ walletProvenAt: sql`now()` }).where(eq(events.number, eventNumber))
}
