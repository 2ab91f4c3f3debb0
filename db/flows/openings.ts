import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { OpeningGap } from '../../core/flows/flow.ts'
import type { Db } from '../index.ts'
import { operatorWallets, refundBacklogs, walletOpenings } from '../schema/index.ts'

export type StoredOpening = typeof walletOpenings.$inferSelect
/** `isReady`: what moves from this block on will be read, by scan and watch, so that it can be opened there. */
export type HeldWallet = {
  address: Address
  role: 'sale' | 'refund'
  /** It has signed. */
  isProven: boolean
  /** It had signed, and its key is lost since then. */
  lostSince: Date | null
  isReady: boolean
  opening: StoredOpening | null
}
export type OpeningBlock = { number: bigint; hash: Hash; timestamp: number }

/** Every wallet of ours, with its opening in this token. */
export async function heldWallets(
  db: Db,
  token: Address,
  block: Pick<OpeningBlock, 'number' | 'timestamp'>,
): Promise<HeldWallet[]> {
  const rows = await db
    .select({ wallet: operatorWallets, opening: walletOpenings, backlog: refundBacklogs })
    .from(operatorWallets)
    .leftJoin(
      walletOpenings,
      and(
        eq(walletOpenings.wallet, operatorWallets.address),
        eq(walletOpenings.token, token),
        isNull(walletOpenings.closedAt),
      ),
    )
    .leftJoin(
      refundBacklogs,
      and(eq(refundBacklogs.wallet, operatorWallets.address), eq(refundBacklogs.token, token)),
    )
    .orderBy(asc(operatorWallets.address))
  return rows.map(({ wallet, opening, backlog }) => ({
    ...{ address: wallet.address, role: wallet.role, opening },
    // What lies in a wallet whose key is lost pays nobody.
    isProven: wallet.lostAt === null && hasSigned(wallet),
    lostSince: hasSigned(wallet) ? wallet.lostAt : null,
    // No block of this time or a later one was seen when it was registered: all of them are read with it.
    isReady:
      wallet.since.getTime() <= block.timestamp * 1000 &&
      backlog !== null &&
      (backlog.unreadTo === null || backlog.unreadTo <= block.number),
  }))
}

const hasSigned = ({ role, provenSince }: typeof operatorWallets.$inferSelect): boolean =>
  role === 'refund' || provenSince !== null

/**
 * What a wallet holds at the end of the block, or why that is not known. The first that is known stays. One that nobody could
 * tell is closed by it and not overwritten: files of events that ended meanwhile begin there. Safe to run twice.
 */
export async function saveOpening(
  db: Db,
  { address: wallet, role }: Pick<HeldWallet, 'address' | 'role'>,
  token: Address,
  block: OpeningBlock,
  told: { units: bigint } | { why: OpeningGap },
): Promise<void> {
  const values = {
    ...{ wallet, token, blockNumber: block.number, blockHash: block.hash },
    blockTime: new Date(block.timestamp * 1000),
    units: 'units' in told ? told.units : null,
    why: 'why' in told ? told.why : null,
    receivedTo: role === 'refund' ? block.number : null,
  }
  const isUntold = and(
    eq(walletOpenings.wallet, wallet),
    eq(walletOpenings.token, token),
    isNull(walletOpenings.closedAt),
    isNull(walletOpenings.units),
  )
  await db.transaction(async (tx) => {
    await tx
      .update(walletOpenings)
      .set('why' in told ? told : { closedAt: sql`now()` })
      .where(isUntold)
    await tx
      .insert(walletOpenings)
      .values(values)
      .onConflictDoNothing({
        target: [walletOpenings.wallet, walletOpenings.token],
        where: isNull(walletOpenings.closedAt),
      })
  })
}

/** After its block was looked up: the opening stands, or its block was replaced, and another one is taken. */
export async function settleDoubt(
  db: Db,
  { id }: Pick<StoredOpening, 'id'>,
  isOnChain: boolean,
): Promise<void> {
  await db
    .update(walletOpenings)
    .set(isOnChain ? { isOnChain } : { closedAt: sql`now()` })
    .where(eq(walletOpenings.id, id))
}
