import { eq, isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { operatorTransfers, operatorWallets } from '../schema/index.ts'
import { lockRefunds, reconcile } from './accounts.ts'
import type { OutgoingTransfer } from './watch.ts'

/** Blocks of which one wallet's outgoing transfers were not read yet; `from` is null before the first step. */
export type Backlog = { wallet: Address; from: bigint | null; to: bigint }

/** Wallets that were added after the refund watch had passed these blocks without them. */
export async function getBacklogs(db: Db): Promise<Backlog[]> {
  const rows = await db
    .select({
      wallet: operatorWallets.address,
      from: operatorWallets.unreadFrom,
      to: operatorWallets.unreadTo,
    })
    .from(operatorWallets)
    .where(isNotNull(operatorWallets.unreadTo))
  return rows.flatMap(({ to, ...row }) => (to === null ? [] : { ...row, to }))
}

/**
 * Records what a wallet had sent in the blocks of its backlog before `next`, and what that says about the rows. A
 * transaction that pays out of two wallets keeps the places of the transfers that are known. Safe to run twice.
 */
export async function applyBacklog(
  db: Db,
  wallet: Address,
  next: bigint,
  found: readonly OutgoingTransfer[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRefunds(tx)
    for (const hash of new Set(found.map((transfer) => transfer.transactionHash))) {
      const known = await tx
        .select()
        .from(operatorTransfers)
        .where(eq(operatorTransfers.transactionHash, hash))
      if (known.some((transfer) => transfer.wallet === wallet)) continue
      const place = Math.max(-1, ...known.map((transfer) => transfer.logPosition)) + 1
      for (const transfer of found.filter(({ transactionHash }) => transactionHash === hash))
        await tx.insert(operatorTransfers).values({
          ...transfer,
          logPosition: place + transfer.logPosition,
          blockTime: new Date(transfer.blockTime * 1000),
        })
    }
    await reconcile(tx, [...new Set(found.map((transfer) => transfer.recipient))])
    const isRead = sql`${operatorWallets.unreadTo} < ${next}`
    await tx
      .update(operatorWallets)
      .set({
        unreadFrom: sql`case when ${isRead} then null else ${next}::bigint end`,
        unreadTo: sql`case when ${isRead} then null else ${operatorWallets.unreadTo} end`,
      })
      .where(eq(operatorWallets.address, wallet))
  })
}

/** After the watch has gone back to `to` it reads what follows for every wallet. */
export async function boundBacklogs(tx: Db, to: bigint | undefined): Promise<void> {
  await tx
    .update(operatorWallets)
    .set(
      to === undefined
        ? { unreadFrom: null, unreadTo: null }
        : { unreadTo: sql`least(${operatorWallets.unreadTo}, ${to})` },
    )
    .where(isNotNull(operatorWallets.unreadTo))
}
