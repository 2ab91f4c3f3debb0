import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { OwnWallet } from '../../core/event/terms.ts'
import type { PublicOwnWallet } from '../../core/live/public.ts'
import type { OurWallet } from '../../core/payment/judge.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets } from '../schema/index.ts'
import { addChange } from './changes.ts'
import { lockOpenEvent, nextSaleStart } from './events.ts'
import { bumpVersion } from './version.ts'

/** Every wallet that is or was ours, with the moments that decide about payments to it and from it. */
export async function getOurWallets(db: Db): Promise<OurWallet[]> {
  const rows = await db.select().from(operatorWallets).orderBy(asc(operatorWallets.address))
  return rows.map(({ address, since, ownSince }) => ({
    address,
    since: Math.floor(since.getTime() / 1000),
    ownSince: ownSince && ownSince.getTime() / 1000,
  }))
}

/** Own wallets that bought nothing in a sale or a part of it, as terms and proof name them; without an end, all. */
export async function ownWalletsBefore(db: Db, saleEnd: Date | null): Promise<OwnWallet[]> {
  const rows = await db
    .select()
    .from(operatorWallets)
    .where(saleEnd ? lt(operatorWallets.ownSince, saleEnd) : isNotNull(operatorWallets.ownSince))
    .orderBy(asc(operatorWallets.address))
  return rows.flatMap(({ address, ownSince }) => (ownSince ? { address, since: ownSince } : []))
}

/** As the site tells them, in the order of their addresses. */
export async function publicOwnWallets(db: Db, saleEnd: Date | null): Promise<PublicOwnWallet[]> {
  const wallets = await ownWalletsBefore(db, saleEnd)
  return wallets.map(({ address, since }) => ({ address, since: since.toISOString() }))
}

/** Records that this wallet has signed for the event, so its key is available: it is an own wallet from now on. */
export async function proveWallet(db: Db, eventNumber: number, wallet: Address): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    await tx
      .update(events)
      .set({ walletProvenAt: sql`now()` })
      .where(and(eq(events.number, eventNumber), eq(events.operatorWallet, wallet)))
    await addProvenWallet(tx, eventNumber, wallet)
    await bumpVersion(tx)
  })
}

/** A wallet that has signed: what it sends from now on is nobody's to get back, and it buys nothing. */
async function addProvenWallet(tx: Db, eventNumber: number, wallet: Address): Promise<void> {
  await tx
    .update(operatorWallets)
    .set({ provenSince: nextSaleStart })
    .where(and(eq(operatorWallets.address, wallet), isNull(operatorWallets.provenSince)))
  await addOwnWallet(tx, eventNumber, wallet)
}

/**
 * From blocks after this moment on the wallet buys nothing, as it is shown to be the operator's. Never earlier:
 * else naming a buyer's wallet would take tickets away. The first moment stays, and it is listed in public.
 */
export async function addOwnWallet(tx: Db, eventNumber: number, address: Address): Promise<void> {
  const [added] = await tx
    .update(operatorWallets)
    .set({ ownSince: nextSaleStart })
    .where(and(eq(operatorWallets.address, address), isNull(operatorWallets.ownSince)))
    .returning()
  if (!added?.ownSince) return
  const since = `${getAddress(address)} since ${added.ownSince.toISOString()}`
  await addChange(tx, eventNumber, 'ownWallet', null, since)
}
