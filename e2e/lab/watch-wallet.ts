import type { Address } from 'viem'
import { nextSaleStart } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import { operatorWallets } from '../../db/schema/index.ts'

/** A wallet that is the raffle's from now on without being any event's. */
export async function watchWallet(tx: Db, address: Address): Promise<void> {
  await tx.insert(operatorWallets).values({ address, since: nextSaleStart }).onConflictDoNothing()
}
