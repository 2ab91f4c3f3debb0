import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { operatorWallets } from '../schema/index.ts'

/** Those that have signed, or stood in an event whose list was frozen. */
export const ownWallets = (db: Db): Promise<ReadonlySet<Address>> =>
  walletsWhere(db, sql`${operatorWallets.ownSince} is not null or ${isProven}`)

/** Those that have signed: a wallet that only stood in an event may be a stranger's, whose money goes back to it. */
export const provenWallets = (db: Db): Promise<ReadonlySet<Address>> => walletsWhere(db, isProven)

/** Those whose key is lost or stolen by an administrator's word. */
export const lostWallets = (db: Db): Promise<ReadonlySet<Address>> =>
  walletsWhere(db, sql`${operatorWallets.lostAt} is not null`)

const isProven = sql`(${operatorWallets.provenSince} is not null or ${operatorWallets.role} = 'refund')`

async function walletsWhere(db: Db, which: SQL): Promise<ReadonlySet<Address>> {
  const rows = await db.select({ address: operatorWallets.address }).from(operatorWallets).where(which)
  return new Set(rows.map(({ address }) => address))
}
