import { asc, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { listContractWallets } from '../event/wallet-proofs.ts'
import type { Db } from '../index.ts'
import { operatorWallets, refundRows } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { notOurs, toOwnWallet } from './own-wallet.ts'
import { reconcile } from './reconcile.ts'
import type { RowDue } from './row-dues.ts'
import { unheardWallets } from './unheard.ts'

/**
 * An administrator's word that the key of a wallet is lost or stolen: it is offered nothing any more, and other wallets
 * may pay what it owes. The first moment stays. Throws NOT_FOUND.
 */
export async function loseWallet(tx: Db, wallet: Address) {
  await lockRefunds(tx)
  const [before] = await tx.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!before) throw notOurs()
  const [after] = await tx
    .update(operatorWallets)
    .set({ lostAt: sql`coalesce(lost_at, now())` })
    .where(eq(operatorWallets.address, wallet))
    .returning()
  // After a restored backup another wallet may have paid already what this one owes.
  const ahead = await tx
    .selectDistinctOn([refundRows.payer], { payer: refundRows.payer })
    .from(refundRows)
    .where(eq(refundRows.reason, 'ahead'))
  await reconcile(
    tx,
    ahead.map(({ payer }) => payer),
  )
  return { before: toOwnWallet(before), after: toOwnWallet(after as typeof before) }
}

/** Every wallet that is or was ours, and what it still owes by these rows. */
export async function listOwnWallets(db: Db, rows: ReadonlyMap<number, readonly RowDue[]>) {
  const wallets = await db.select().from(operatorWallets).orderBy(asc(operatorWallets.address))
  const dues = new Map<Address, bigint>()
  for (const { wallet, units } of [...rows.values()].flat())
    dues.set(wallet, (dues.get(wallet) ?? 0n) + units)
  const contracts = await listContractWallets(db)
  const unheard = await unheardWallets(db)
  return wallets.map((wallet) => ({
    ...toOwnWallet({ ...wallet, unheardUntil: unheard.has(wallet.address) ? wallet.unheardUntil : null }),
    isContract: contracts.has(wallet.address),
    dueUnits: (dues.get(wallet.address) ?? 0n).toString(),
  }))
}
