import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { operatorWallets, scanCursor } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { notOurs, toOwnWallet } from './own-wallet.ts'

/** A wallet `w`, by the time of the newest final block that was scanned. */
const isUnheard: SQL = sql`w.unheard_until >= coalesce((select block_time from ${scanCursor}), to_timestamp(0))`

/**
 * Wallets that may still run a call of the register which a restored database has forgotten, as a file for a Safe runs
 * for a week. Their own calls raise the same totals; by another way, another wallet or to another address their debtors
 * could be paid twice.
 */
export async function unheardWallets(db: Db): Promise<ReadonlySet<Address>> {
  const rows = await db.execute<{ address: Address }>(
    sql`select w.address from ${operatorWallets} w where ${isUnheard}`,
  )
  return new Set(rows.map(({ address }) => address))
}

/**
 * Which of them may run such a call for a debt that its owner will never pay: the owner, if the register itself does not
 * keep it from that, and any other one, which may have taken the debt over.
 */
export const mayHavePaid = (
  unheard: ReadonlySet<Address>,
  { owner, isWaived }: { owner: Address; isWaived: boolean },
): Address[] => [...unheard].filter((wallet) => wallet !== owner || !isWaived)

/** An administrator's word that the wallet was handed nothing that this database does not know. Throws NOT_FOUND. */
export async function noteHeard(tx: Db, wallet: Address) {
  await lockRefunds(tx)
  const [before] = await tx.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!before) throw notOurs()
  const [after] = await tx
    .update(operatorWallets)
    .set({ unheardUntil: null })
    .where(eq(operatorWallets.address, wallet))
    .returning()
  return { before: toOwnWallet(before), after: toOwnWallet(after as typeof before) }
}
