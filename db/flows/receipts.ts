import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Transfer } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { walletOpenings, walletReceipts } from '../schema/index.ts'

type Receipt = Transfer & { token: Address; blockTime: number }

/**
 * Records what came to wallets that only refund, in blocks up to `end`. Safe to run twice; one that a reorg had removed is
 * mined again.
 */
export async function saveReceipts(
  db: Db,
  { token, wallets, end }: { token: Address; wallets: readonly Address[]; end: bigint },
  found: readonly Receipt[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const receipt of numbered(found)) {
      const { from: payer, to: wallet, value: units, blockTime, ...rest } = receipt
      await tx
        .insert(walletReceipts)
        .values({ ...rest, payer, wallet, units, blockTime: new Date(blockTime * 1000) })
        .onConflictDoUpdate({
          target: [
            walletReceipts.transactionHash,
            walletReceipts.wallet,
            walletReceipts.token,
            walletReceipts.logPosition,
          ],
          set: again,
          setWhere: sql`${walletReceipts.isGone}`,
        })
    }
    await tx
      .update(walletOpenings)
      .set({ receivedTo: end })
      .where(
        and(
          eq(walletOpenings.token, token),
          inArray(walletOpenings.wallet, [...wallets]),
          isNull(walletOpenings.closedAt),
          lt(walletOpenings.receivedTo, end),
        ),
      )
  })
}

const again = {
  ...{ payer: sql`excluded.payer`, units: sql`excluded.units`, blockNumber: sql`excluded.block_number` },
  ...{ blockHash: sql`excluded.block_hash`, blockTime: sql`excluded.block_time` },
  ...{ transactionIndex: sql`excluded.transaction_index`, logIndex: sql`excluded.log_index`, isGone: false },
}

/** Each with its place among its transaction's transfers to the wallet; they come in chain order. */
function numbered(found: readonly Receipt[]): (Receipt & { logPosition: number })[] {
  const seen = new Map<`${Hash} ${Address}`, number>()
  return found.map((receipt) => {
    const key = `${receipt.transactionHash} ${receipt.to}` as const
    const logPosition = seen.get(key) ?? 0
    seen.set(key, logPosition + 1)
    return { ...receipt, logPosition }
  })
}
