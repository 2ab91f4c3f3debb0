import { and, asc, desc, gt, isNotNull, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { safeFileSeconds } from '../../core/refund/safe-file.ts'
import { readClock } from '../clock.ts'
import { getWatchedWallets } from '../event/events.ts'
import { firstSaleStart } from '../event/reread.ts'
import { doubtOpenings, rewindReceipts } from '../flows/rewind.ts'
import type { Db } from '../index.ts'
import { settleTokenPrizes } from '../prize/settle.ts'
import { events, operatorTransfers, refundRows, refundWatch, registerEntries } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { boundBacklogs, notePairs } from './backlog.ts'
import type { FinalFacts } from './landing.ts'
import { concernedBy, type Outgoing, recordOutgoing } from './outgoing.ts'
import { reconcile } from './reconcile.ts'
import { getWatchedTokens } from './tokens.ts'

export type WatchCursor = { height: bigint; hash: Hash }
/** Every wallet is read in every token. */
export type WatchedPairs = { wallets: readonly Address[]; tokens: readonly Address[] }

/** Up to where outgoing transfers have been read; undefined before the first reading. */
export async function getWatchCursor(db: Db): Promise<WatchCursor | undefined> {
  const [row] = await db.select({ height: refundWatch.height, hash: refundWatch.hash }).from(refundWatch)
  return row
}

/** What is watched: from the first sale on, every wallet of ours in every token. */
export async function getWatchTerms(db: Db): Promise<({ since: Date } & WatchedPairs) | undefined> {
  const [first] = await db
    .select({ since: events.saleStart })
    .from(events)
    .orderBy(asc(events.number))
    .limit(1)
  if (!first) return undefined
  return { since: (await firstSaleStart(db)) ?? first.since, ...(await getPairs(db)) }
}

const getPairs = async (db: Db): Promise<WatchedPairs> => ({
  tokens: await getWatchedTokens(db),
  wallets: await getWatchedWallets(db),
})

/** True when no wallet and no token has come since `read` was asked for. */
export async function isAllRead(db: Db, read: WatchedPairs): Promise<boolean> {
  const now = await getPairs(db)
  return (
    now.wallets.every((wallet) => read.wallets.includes(wallet)) &&
    now.tokens.every((token) => read.tokens.includes(token))
  )
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
 * Records what was sent in the final blocks after `before` up to `end`, and what it says about the
 * rows. `final` is given when `end` is the newest final block. False, with nothing written, if another worker
 * had moved the cursor, or a wallet or token was added to `read`, those that were looked for.
 */
export async function applyWatch(
  db: Db,
  before: WatchCursor | undefined,
  end: WatchCursor,
  found: Outgoing,
  final: Omit<FinalFacts, 'now'> | undefined,
  read?: WatchedPairs,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRefunds(tx)
    if (!(await isUnmoved(tx, before))) return false
    if (read && !(await isAllRead(tx, read))) return false
    await notePairs(tx, before?.height)
    await recordOutgoing(tx, found)
    await settleTokenPrizes(tx, concernedBy(found))
    const inFlight = final
      ? await tx.select({ payer: refundRows.payer }).from(refundRows).where(isNotNull(refundRows.offeredAt))
      : []
    await reconcile(
      tx,
      [...new Set([...concernedBy(found), ...inFlight.map((row) => row.payer)])],
      final && { ...final, now: new Date((await readClock(tx)) * 1000) },
    )
    const checked = final && { checkedAt: sql`clock_timestamp()`, nonces: final.nonces }
    // A wallet whose nonce was not asked keeps the one that is known.
    const nonces = checked && { nonces: sql`${refundWatch.nonces} || excluded.nonces` }
    await tx
      .insert(refundWatch)
      .values({ id: 1, ...end, ...checked })
      .onConflictDoUpdate({ target: refundWatch.id, set: { ...end, ...checked, ...nonces } })
    return true
  })
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
    const unsaid = await tx
      .update(registerEntries)
      .set({ isGone: true })
      .where(and(gt(registerEntries.blockNumber, to?.height ?? -1n), not(registerEntries.isGone)))
      .returning()
    // The last first: its total is the highest.
    for (const transfer of gone.toSorted((a, b) => Number(b.blockNumber - a.blockNumber)))
      if (transfer.rowId !== null)
        await tx
          .update(refundRows)
          .set({
            ...{ state: 'sent', transactionHash: transfer.transactionHash, settledAt: null },
            offeredPath: sql`case when offered_at is not null then offered_path else ${transfer.debtor ? 'register' : 'transfers'} end`,
            ...(transfer.debtor ? callAgain(transfer, unsaid) : {}),
            // Which number a transaction carries that was done with is not known any more.
            nonceBound: sql`case when offered_at is not null then nonce_bound end`,
            offeredAt: sql`coalesce(offered_at, now())`,
          })
          .where(sql`${refundRows.id} = ${transfer.rowId}`)
    for (const { rowId, notRefund, transactionHash, recipient, debtor } of gone)
      if (rowId === null && !notRefund && debtor === null)
        await tx
          .update(refundRows)
          .set({
            ...{ state: 'sent', transactionHash, settledAt: null, nonceBound: null },
            ...{ offeredPath: 'transfers', offeredAt: sql`now()` },
          })
          .where(
            sql`${recipient} in (${refundRows.payer}, ${refundRows.recipient}) and ${refundRows.offeredAt} is null`,
          )
    await rewindReceipts(tx, to)
    await doubtOpenings(tx, to)
    if (to) await tx.update(refundWatch).set({ ...to, checkedAt: null, nonces: {} })
    else await tx.delete(refundWatch)
    await boundBacklogs(tx, to?.height)
    const concerned = gone.flatMap(({ recipient, debtor }) => (debtor ? [recipient, debtor] : [recipient]))
    await settleTokenPrizes(tx, concerned)
    await reconcile(tx, [...new Set([...concerned, ...unsaid.map(({ debtor }) => debtor)])])
    return gone.length
  })
}

/**
 * The call of the register that a reorg took, as its row waits for it: it may never have been handed out for this row, or
 * by a database that is lost. Its own deadline is kept where it is known, else it is the latest that a call can have.
 */
function callAgain(
  { wallet, token, debtor, transactionHash, blockTime }: typeof operatorTransfers.$inferSelect,
  entries: readonly (typeof registerEntries.$inferSelect)[],
) {
  const [total = 0n] = entries
    .filter((one) => one.transactionHash === transactionHash && one.debtor === debtor)
    .filter((one) => one.wallet === wallet && one.token === token)
    .map((one) => one.total)
    .sort((one, other) => (one < other ? 1 : -1))
  const unlessOffered = <T>(column: string, value: SQL) =>
    sql<T>`case when offered_at is not null then ${sql.identifier(column)} else ${value} end`
  const latest = sql`greatest(now(), ${blockTime.toISOString()}::timestamptz) + ${`${safeFileSeconds} seconds`}::interval`
  const isThisCall = sql`offered_path = 'register' and offered_wallet = ${wallet} and offered_total = ${`${total}`}::numeric`
  return {
    offeredWallet: unlessOffered<Address>('offered_wallet', sql`${wallet}`),
    offeredTotal: unlessOffered<bigint>('offered_total', sql`${`${total}`}::numeric`),
    validUntil: unlessOffered<Date>(
      'valid_until',
      sql`case when ${isThisCall} then valid_until else ${latest} end`,
    ),
    transactionNonce: unlessOffered<number>('transaction_nonce', sql`null::bigint`),
  }
}

async function isUnmoved(tx: Db, before: WatchCursor | undefined): Promise<boolean> {
  const now = await getWatchCursor(tx)
  return now?.height === before?.height && now?.hash === before?.hash
}
