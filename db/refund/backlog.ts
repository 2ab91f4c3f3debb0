import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { settleTokenPrizes } from '../prize/settle.ts'
import { operatorWallets, refundBacklogs } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { concernedBy, type Outgoing, recordMissed } from './outgoing.ts'
import { reconcile } from './reconcile.ts'
import { everyToken } from './tokens.ts'

/** Blocks of which one wallet's outgoing money in one token was not read yet; `from` is null before the first step. */
export type Backlog = { wallet: Address; token: Address; from: bigint | null; to: bigint }

const pairs = sql`${operatorWallets} w cross join ${everyToken} t`
/** What a wallet of ours may have sent before we knew it, or its token, and that is still to be read. */
export async function unreadPairs(db: Db): Promise<{ wallet: Address; token: Address }[]> {
  const rows = await db.execute<{ wallet: Address; token: Address }>(sql`
    select w.address as wallet, t.token from ${pairs}
    left join ${refundBacklogs} b on b.wallet = w.address and b.token = t.token
    where b.wallet is null or b.unread_to is not null`)
  return [...rows]
}

/** Wallets and tokens that came after the refund watch had passed these blocks without them. */
export async function getBacklogs(db: Db): Promise<Backlog[]> {
  const { wallet, token, unreadFrom: from, unreadTo } = refundBacklogs
  const rows = await db
    .select({ wallet, token, from, to: unreadTo })
    .from(refundBacklogs)
    .where(isNotNull(unreadTo))
    .orderBy(wallet, token)
  return rows.flatMap(({ to, ...row }) => (to === null ? [] : { ...row, to }))
}

/** From here on every wallet is read in every token; of new ones what lies at and below `passed` is a backlog. */
export async function notePairs(tx: Db, passed: bigint | undefined): Promise<void> {
  await tx.execute(sql`
    insert into ${refundBacklogs} (wallet, token, unread_to)
    select w.address, t.token, ${passed?.toString() ?? null}::bigint from ${pairs} on conflict do nothing`)
}

/**
 * Records what a wallet had sent in one token in the blocks of its backlog before `next`, and what that says about the
 * rows. Safe to run twice.
 */
export async function applyBacklog(
  db: Db,
  { wallet, token }: Pick<Backlog, 'wallet' | 'token'>,
  next: bigint,
  found: Outgoing,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRefunds(tx)
    await recordMissed(tx, { wallet, token }, found)
    await settleTokenPrizes(tx, concernedBy(found))
    await reconcile(tx, concernedBy(found))
    const isRead = sql`${refundBacklogs.unreadTo} < ${next}`
    await tx
      .update(refundBacklogs)
      .set({
        unreadFrom: sql`case when ${isRead} then null else ${next}::bigint end`,
        unreadTo: sql`case when ${isRead} then null else ${refundBacklogs.unreadTo} end`,
      })
      .where(and(eq(refundBacklogs.wallet, wallet), eq(refundBacklogs.token, token)))
  })
}

/** What a wallet that only refunds has paid before is not known to the end: from now on it pays through the register alone. */
export async function noteForgotten(db: Db, wallet: Address): Promise<void> {
  await db
    .update(operatorWallets)
    .set({ registerOnly: true })
    .where(and(eq(operatorWallets.address, wallet), eq(operatorWallets.role, 'refund')))
}

/** After the watch has gone back to `to` it reads what follows for every wallet and token; without it, all of it. */
export async function boundBacklogs(tx: Db, to: bigint | undefined): Promise<void> {
  if (to === undefined) await tx.delete(refundBacklogs)
  else
    await tx
      .update(refundBacklogs)
      .set({ unreadTo: sql`least(${refundBacklogs.unreadTo}, ${to})` })
      .where(isNotNull(refundBacklogs.unreadTo))
}
