import type { Address } from 'viem'
import { offerByRegister } from '../../db/refund/offer-register.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { alice, bob } from './ledger-story.ts'
import type { RefundTrail } from './refund-ledger.ts'

/** A wallet of ours besides the operator's. */
export const second: Address = `0x${'2f'.repeat(20)}`

/** Two wallets of ours, and two payers who are owed 2.00 and 1.00 USDT by the operator's. */
export async function oweTwoPayers(trail: RefundTrail): Promise<void> {
  await trail.watchToo(second)
  await trail.pay(alice, 200)
  await trail.pay(bob, 100)
  await trail.prepare('leftover')
}

/** What is asked of the row of a payer who has one. */
export function rowsOf(trail: RefundTrail) {
  const rowOf = async (payer: Address) => {
    const row = (await trail.rows()).find(({ stored }) => stored.payer === payer)
    if (!row) throw new Error(`${payer} has no row`)
    return row.stored
  }
  const idOf = async (payer: Address) => (await rowOf(payer)).id
  return {
    ...{ rowOf, idOf },
    /** How many rows are handed to the wallet as plain transfers. */
    transfers: async (wallet: Address, payer: Address, nonce: number, relayed = false): Promise<number> =>
      trail.db
        .transaction(async (tx) =>
          offerRefunds(tx, { ids: [await idOf(payer)], wallet, nonce, transactions: 1, relayed }),
        )
        .then((rows) => rows.length),
    /** Handed to the wallet as a call of the register. */
    call: async (wallet: Address, payer: Address) =>
      trail.db.transaction(async (tx) =>
        offerByRegister(tx, { ids: [await idOf(payer)], wallet, nonce: 0, transactions: 2, validFor: 3_600 }),
      ),
  }
}
