import { sql } from 'drizzle-orm'
import type { World } from './world.ts'

/** Whether a payment of a transaction that a scan was not told is still on no list. */
export async function hasHole({ db, ask, overlooked }: World): Promise<boolean> {
  for (const hash of overlooked) {
    const [known] = await db.execute(sql`select 1 from payments where transaction_hash = ${hash} limit 1`)
    if (!known && (await ask('eth_getTransactionReceipt', hash))) return true
  }
  return false
}
