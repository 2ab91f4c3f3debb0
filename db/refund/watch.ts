import { and, asc, desc, gt, isNotNull, isNull, lt, not, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { getWatchedWallets } from '../event/events.ts'
import { firstSaleStart } from '../event/reread.ts'
import type { Db } from '../index.ts'
import { events, operatorTransfers, refundRows, refundWatch } from '../schema/index.ts'
import { type FinalFacts, lockRefunds, reconcile } from './accounts.ts'
import { boundBacklogs } from './backlog.ts'

export type WatchCursor = { height: bigint; hash: Hash }
export type OutgoingTransfer = {
  transactionHash: Hash
  /** Position among this transaction's outgoing transfers. */
  logPosition: number
  wallet: Address
  recipient: Address
  units: bigint
  blockNumber: bigint
  blockHash: Hash
  blockTime: number
}

/** Up to where outgoing transfers have been read; undefined before the first reading. */
export async function getWatchCursor(db: Db): Promise<WatchCursor | undefined> {
  const [row] = await db.select({ height: refundWatch.height, hash: refundWatch.hash }).from(refundWatch)
  return row
}

/** What is watched: from the first sale on, the token of the last event, every wallet that ever sold. */
export async function getWatchTerms(
  db: Db,
): Promise<{ since: Date; token: Address; chainId: number; wallets: Address[] } | undefined> {
  const [first] = await db
    .select({ since: events.saleStart })
    .from(events)
    .orderBy(asc(events.number))
    .limit(1)
  const [last] = await db.select().from(events).orderBy(desc(events.number)).limit(1)
  if (!first || !last) return undefined
  const since = (await firstSaleStart(db)) ?? first.since
  return { since, token: last.token, chainId: last.chainId, wallets: await getWatchedWallets(db) }
}

/** Hashes that were reported without an offer: only their own receipts can tell that they came to nothing. */
export async function reportedHashes(db: Db): Promise<Hash[]> {
  const rows = await db
    .select({ hash: refundRows.transactionHash })
    .from(refundRows)
    .where(
      and(
        isNotNull(refundRows.offeredAt),
        isNull(refundRows.nonceBound),
        isNotNull(refundRows.transactionHash),
      ),
    )
  return [...new Set(rows.flatMap((row) => row.hash ?? []))]
}

/**
 * Records the outgoing transfers of the final blocks after `before` up to `end`, and what they say about the
 * rows. `final` is given when `end` is the newest final block. False, with nothing written, if another worker
 * had moved the cursor, or a wallet was added to `read`, those whose transfers were looked for.
 */
export async function applyWatch(
  db: Db,
  before: WatchCursor | undefined,
  end: WatchCursor,
  found: readonly OutgoingTransfer[],
  final: Omit<FinalFacts, 'now'> | undefined,
  read?: readonly Address[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRefunds(tx)
    if (!(await isUnmoved(tx, before))) return false
    if (read && (await getWatchedWallets(tx)).length !== read.length) return false
    for (const transfer of found)
      await tx
        .insert(operatorTransfers)
        .values({ ...transfer, blockTime: new Date(transfer.blockTime * 1000) })
        .onConflictDoUpdate({ ...minedAgain, setWhere: sql`${operatorTransfers.isGone}` })
    const inFlight = final
      ? await tx.select({ payer: refundRows.payer }).from(refundRows).where(isNotNull(refundRows.offeredAt))
      : []
    await reconcile(
      tx,
      [...new Set([...found.map((t) => t.recipient), ...inFlight.map((row) => row.payer)])],
      final && { ...final, now: await databaseNow(tx) },
    )
    const checked = final && { checkedAt: sql`clock_timestamp()`, nonces: final.nonces }
    await tx
      .insert(refundWatch)
      .values({ id: 1, ...end, ...checked })
      .onConflictDoUpdate({ target: refundWatch.id, set: { ...end, ...checked } })
    return true
  })
}

/** It stands in another block now and, of a contract, may be another one; what it was sent for it was sent for. */
const minedAgain = {
  target: [operatorTransfers.transactionHash, operatorTransfers.logPosition],
  set: {
    ...{ wallet: sql`excluded.wallet`, recipient: sql`excluded.recipient`, units: sql`excluded.units` },
    ...{ blockHash: sql`excluded.block_hash`, blockTime: sql`excluded.block_time` },
    blockNumber: sql`excluded.block_number`,
    orderBlock: sql`coalesce(${operatorTransfers.orderBlock}, ${operatorTransfers.blockNumber})`,
    rowId: sql`case when ${operatorTransfers.recipient} = excluded.recipient then ${operatorTransfers.rowId} end`,
    isGone: false,
  },
}

/** Blocks of recorded transfers below `height`, newest first: candidates for where the chain still agrees. */
export async function transferBlocks(db: Db, below: bigint, limit: number): Promise<WatchCursor[]> {
  const rows = await db
    .selectDistinctOn([operatorTransfers.blockNumber], {
      height: operatorTransfers.blockNumber,
      hash: operatorTransfers.blockHash,
    })
    .from(operatorTransfers)
    .where(
      and(
        lt(operatorTransfers.blockNumber, below),
        isNotNull(operatorTransfers.blockHash),
        not(operatorTransfers.isGone),
      ),
    )
    .orderBy(desc(operatorTransfers.blockNumber))
    .limit(limit)
  return rows.flatMap(({ height, hash }) => (hash ? { height, hash } : []))
}

/**
 * The chain changed below what it had called final: the transfers after `to` are gone. Rows that they had
 * settled, and those of payers who got something without a row, are in flight again, since the same transactions may
 * be mined once more.
 */
export async function rewindWatch(db: Db, from: WatchCursor, to: WatchCursor | undefined): Promise<number> {
  return db.transaction(async (tx) => {
    await lockRefunds(tx)
    if (!(await isUnmoved(tx, from))) return 0
    const gone = await tx
      .update(operatorTransfers)
      .set({ isGone: true })
      .where(and(gt(operatorTransfers.blockNumber, to?.height ?? -1n), not(operatorTransfers.isGone)))
      .returning()
    for (const { rowId, transactionHash } of gone)
      if (rowId !== null)
        await tx
          .update(refundRows)
          .set({
            ...{ state: 'sent', transactionHash, settledAt: null },
            // Which number a transaction carries that was done with is not known any more.
            nonceBound: sql`case when offered_at is not null then nonce_bound end`,
            offeredAt: sql`coalesce(offered_at, now())`,
          })
          .where(sql`${refundRows.id} = ${rowId}`)
    for (const { rowId, notRefund, transactionHash, recipient } of gone)
      if (rowId === null && !notRefund)
        await tx
          .update(refundRows)
          .set({ state: 'sent', transactionHash, settledAt: null, nonceBound: null, offeredAt: sql`now()` })
          .where(
            sql`${recipient} in (${refundRows.payer}, ${refundRows.recipient}) and ${refundRows.offeredAt} is null`,
          )
    if (to) await tx.update(refundWatch).set({ ...to, checkedAt: null, nonces: {} })
    else await tx.delete(refundWatch)
    await boundBacklogs(tx, to?.height)
    await reconcile(tx, [...new Set(gone.map((transfer) => transfer.recipient))])
    return gone.length
  })
}

async function databaseNow(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ ms: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  )
  return new Date(Number(row?.ms))
}

async function isUnmoved(tx: Db, before: WatchCursor | undefined): Promise<boolean> {
  const now = await getWatchCursor(tx)
  return now?.height === before?.height && now?.hash === before?.hash
}
