import { and, gt, isNotNull, isNull, not, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { walletOpenings, walletReceipts } from '../schema/index.ts'

type Kept = { height: bigint } | undefined

/** Blocks after `to` were replaced: openings in them are looked up again before anything is reckoned from them. */
export async function doubtOpenings(tx: Db, to: Kept): Promise<void> {
  await tx
    .update(walletOpenings)
    .set({ isOnChain: false })
    .where(and(isNull(walletOpenings.closedAt), to && gt(walletOpenings.blockNumber, to.height)))
}

/** What came to wallets that only refund in blocks after `to` is gone, and read again. */
export async function rewindReceipts(tx: Db, to: Kept): Promise<void> {
  await tx
    .update(walletReceipts)
    .set({ isGone: true })
    .where(and(not(walletReceipts.isGone), to && gt(walletReceipts.blockNumber, to.height)))
  await tx
    .update(walletOpenings)
    .set({
      receivedTo: sql`greatest(${walletOpenings.blockNumber}, least(${walletOpenings.receivedTo}, ${to?.height.toString() ?? '-1'}::bigint))`,
    })
    .where(isNotNull(walletOpenings.receivedTo))
}
