import { eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { poll } from '../../core/server/time.ts'
import { mustLockEvent, watchWallet } from '../event/events.ts'
import { addProvenWallet } from '../event/own-wallets.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { operatorWallets } from '../schema/index.ts'
import { unreadPairs } from './backlog.ts'

const waitMs = 10_000
const lookEveryMs = 100

export type RefundWallet = {
  role: 'sale' | 'refund'
  /** Its past cannot be read any more, so it pays through the register alone. */
  registerOnly: boolean
  /** What it sent before it was registered has been read; until then nothing is offered. */
  isRead: boolean
}

/**
 * A wallet that has signed may pay refunds from now on, and what it has sent since the first sale start is read. Nothing is
 * sold by it, so money that comes to it is the operator's own. Safe to repeat; a wallet that sells or
 * sold stays one.
 */
export async function registerRefundWallet(tx: Db, wallet: Address): Promise<void> {
  const event = await mustLockEvent(tx)
  await watchWallet(tx, wallet, 'refund')
  await addProvenWallet(tx, event.number, wallet)
  await bumpVersion(tx)
}

/** Undefined for a wallet that is none of ours. @internal */
export async function getRefundWallet(db: Db, wallet: Address): Promise<RefundWallet | undefined> {
  const [row] = await db.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!row) return undefined
  const isRead = (await unreadPairs(db)).every((unread) => unread.wallet !== wallet)
  return { role: row.role, registerOnly: row.registerOnly, isRead }
}

/** As getRefundWallet, once its past is read, which is soon where there is little of it; after ten seconds as it is. */
export async function whenRead(db: Db, wallet: Address): Promise<RefundWallet | undefined> {
  const look = async () => {
    const known = await getRefundWallet(db, wallet)
    return known?.isRead === false ? undefined : known
  }
  return (await poll(look, { withinMs: waitMs, everyMs: lookEveryMs })) ?? getRefundWallet(db, wallet)
}
