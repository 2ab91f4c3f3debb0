import { inArray } from 'drizzle-orm'
import type { Transfer } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { operatorTransfers } from '../schema/index.ts'

/** Those of these transfers out of our wallets that the watch has not recorded. */
export async function notOnRecord(db: Db, told: readonly Transfer[]): Promise<Transfer[]> {
  if (told.length === 0) return []
  const known = await db
    .select()
    .from(operatorTransfers)
    .where(inArray(operatorTransfers.transactionHash, [...new Set(told.map((one) => one.transactionHash))]))
  const keyOf = (hash: string, wallet: string, to: string, units: bigint) =>
    `${hash} ${wallet} ${to} ${units}`
  const keys = new Set(
    known
      .filter(({ isGone }) => !isGone)
      .map(({ transactionHash, wallet, recipient, units }) =>
        keyOf(transactionHash, wallet, recipient, units),
      ),
  )
  return told.filter(
    ({ transactionHash, from, to, value }) => !keys.has(keyOf(transactionHash, from, to, value)),
  )
}
