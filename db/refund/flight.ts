import { type AnyColumn, and, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Db } from '../index.ts'
import { operatorWallets, refundRows, refundWatch } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'

/**
 * True if one of these rows is open and no wallet has been asked to pay it: a transaction that is reported for such a
 * row keeps it from being offered, on nothing but the word of who reports it.
 */
export async function areAnyUnasked(db: Db, ids: readonly number[]): Promise<boolean> {
  const [row] = await db
    .select({ id: refundRows.id })
    .from(refundRows)
    .where(
      and(
        inArray(refundRows.id, [...ids]),
        sql`${refundRows.state} <> 'settled'`,
        or(
          sql`${refundRows.offeredAt} is null`,
          sql`${refundRows.nonceBound} is null and ${refundRows.offeredPath} is distinct from 'register'`,
        ),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** What a row notes of its request when it is handed to a wallet. */
export const newFlight = ({ wallet, relayed = false }: { wallet: Address; relayed?: boolean }) => ({
  relayed: sql<boolean>`${relayed} or exists (
    select 1 from ${operatorWallets} w where w.address = ${wallet} and w.delegated)`,
  offeredBlock: sql<bigint>`(select w.height from ${refundWatch} w)`,
  ...{ transactionNonce: null, bundle: null, lostAt: null },
})

/** What it notes when a hash is reported: another one has to be looked up anew. */
export const reportOf = (hash: Hash) => ({
  transactionNonce: sql<number>`case when transaction_hash = ${hash} then transaction_nonce end`,
  lostAt: null,
})

/**
 * These wallets of ours have code, the others have none: what they were asked to pay may be sent by others, also where
 * the code came after the offer. It takes the lock of the books, as it writes several rows.
 */
export async function noteDelegated(db: Db, wallets: readonly Address[]): Promise<void> {
  const among = (column: AnyColumn) => sql`${column} = any(${sql.param([...wallets])}::text[])`
  const hasCode = among(operatorWallets.address)
  await db.transaction(async (tx) => {
    await lockRefunds(tx)
    await tx
      .update(operatorWallets)
      .set({ delegated: hasCode })
      .where(sql`${operatorWallets.delegated} <> (${hasCode})`)
    await tx
      .update(refundRows)
      .set({ relayed: true })
      .where(and(isNotNull(refundRows.offeredAt), not(refundRows.relayed), among(refundRows.offeredWallet)))
  })
}
