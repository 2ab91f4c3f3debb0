import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { PublicSolvency } from '../../core/flows/public-money.ts'
import { unknownSolvency } from '../../core/flows/unknown.ts'
import { unitsOf } from '../../core/money.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { loadSolvency } from '../../db/flows/solvency.ts'
import { registerRefundWallet } from '../../db/refund/refund-wallets.ts'
import { solvency } from '../../db/schema/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { reckon } from '../../worker/flows/reckon.ts'
import { scan } from '../../worker/payment/scan.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import { operator } from './chain.ts'
import { withOtherPast } from './other-past.ts'
import { openSale } from './sale.ts'
import { mintData, usdt } from './usdt.ts'

const refundMinUnits = unitsOf(10n)

/** Cents as units in decimal text, which is how amounts are told. */
export const told = (cents: number): string => `${unitsOf(BigInt(cents))}`

/** A sale whose wallet has signed and holds 1,000 USDT of the operator's own, with the verbs of the money that it holds. */
export async function openMoney() {
  const sale = await openSale()
  const { db, chain } = sale

  /** Registered and signed before the chain's first block, as far as anybody knows. */
  const asOfOld = (wallet: Address) =>
    withOtherPast(db, (tx) =>
      tx.execute(sql`update operator_wallets set (since, own_since, proven_since) = (select s, s, s from (
        select min(sale_start) as s from events) e) where address = ${wallet}`),
    )
  await asOfOld(operator)
  await chain.submit({ from: operator, to: usdt, data: mintData(operator, unitsOf(1_000_00n)) })
  await chain.mine()

  async function pass(deps: Deps = sale.deps): Promise<void> {
    await scan(deps)
    await watchRefunds(deps)
    await reckon({ ...deps, refundMinUnits })
  }
  const now = async (): Promise<PublicSolvency> => {
    const event = await getOpenEvent(db)
    return event ? loadSolvency(db, event) : unknownSolvency(0, operator)
  }

  return {
    ...{ sale, db, chain, pass, now, asOfOld },
    close: sale.close,
    /** What waits in the pool is mined and final, and the workers pass it. */
    async settle(deps?: Deps): Promise<PublicSolvency> {
      await chain.finalize()
      await pass(deps)
      return now()
    },
    /** As if the last question were longer ago than balances are left alone. */
    minuteLater: () => db.update(solvency).set({ askedAt: sql`now() - interval '61 seconds'` }),
    pay: (cents: number, { from = chain.buyers[0], to = operator } = {}): Promise<Hash> =>
      chain.submitPayment({ from, to, cents }),
    sendOut: (cents: number, to: Address = chain.buyers[3] as Address): Promise<Hash> =>
      chain.submitPayment({ from: operator, to, cents }),
    async addRefundWallet(wallet: Address): Promise<void> {
      await db.transaction((tx) => registerRefundWallet(tx, wallet))
      await asOfOld(wallet)
    },
  }
}
