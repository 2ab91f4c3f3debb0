import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { Db } from '../index.ts'
import { operatorWallets, payments, refundRowPayments, refundRows } from '../schema/index.ts'
import { loadAccounts } from './accounts.ts'
import { loadFits } from './memory.ts'
import { notOurs } from './own-wallet.ts'
import { expectWatched } from './watched.ts'

/**
 * What a wallet still owes and has not waived, as the totals that `waive` has to name: once it is final that they are
 * remembered, another wallet may pay it. Throws NOT_FOUND, RPC_UNAVAILABLE while the watch does not know all.
 */
export async function listWaivable(db: Db, wallet: Address) {
  const [ours] = await db.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!ours) throw notOurs()
  await expectWatched(db)
  const payers = await db.execute<{ payer: Address }>(sql`
    select distinct r.payer from ${refundRows} r
    join ${refundRowPayments} l on l.row_id = r.id and l.is_live join ${payments} p on p.id = l.payment_id
    where r.state <> 'settled' and coalesce(l.paid_by, p.wallet) = ${wallet}`)
  const { rows, accounts } = await loadAccounts(
    db,
    payers.map(({ payer }) => payer),
  )
  const fits = await loadFits(db, { rows, accounts })
  const owed = new Map<Address, Map<Address, string>>()
  for (const { id, payer: debtor } of rows)
    for (const part of accounts.get(id)?.parts ?? []) {
      if (part.wallet !== wallet) continue
      const { total, due, isWaived } = fits.of({ ...part, debtor })
      if (due === 0n || isWaived) continue
      const ofToken = owed.get(part.token) ?? new Map<Address, string>()
      owed.set(part.token, ofToken.set(debtor, total.toString()))
    }
  return [...owed].map(([token, totals]) => ({
    token: getAddress(token),
    debtors: [...totals]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([debtor, total]) => ({ debtor: getAddress(debtor), total })),
  }))
}
