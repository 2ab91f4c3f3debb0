import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { setTerms } from '../event/set-terms.ts'
import { hasEnded, newestMoment } from '../event/update.ts'
import type { Db } from '../index.ts'
import { anchorSends, operatorWallets } from '../schema/index.ts'

type AnchorSend = typeof anchorSends.$inferSelect
/** What a transaction of the anchor key is for: null is the register itself. */
export type SendPurpose = { eventNumber: number; commitment: Hex } | null

/** True where this wallet takes or sends money of the raffle: its key belongs on no server. */
export async function isMoneyWallet(db: Db, wallet: Address): Promise<boolean> {
  const [row] = await db.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  return row !== undefined
}

/** Makes the wallet the open event's anchor wallet, in public, while its terms are not locked: a new key serves the next event. */
export async function takeAnchorWallet(db: Db, wallet: Address): Promise<void> {
  const seen = await getOpenEvent(db)
  if (!seen || seen.anchorWallet === wallet || seen.lockedAt) return
  await db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event || hasEnded(event, await newestMoment(tx)) || event.lockedAt) return
    if (!(await isMoneyWallet(tx, wallet))) await setTerms(tx, event, { anchorWallet: wallet })
  })
}

/** The last attempt with this nonce and how long ago it was written down; undefined for a nonce that was never used. */
export async function lastSend(
  db: Db,
  wallet: Address,
  nonce: number,
): Promise<(AnchorSend & { ageMs: number }) | undefined> {
  const [row] = await db
    .select({
      ...getTableColumns(anchorSends),
      ageMs: sql<number>`extract(epoch from clock_timestamp() - ${anchorSends.sentAt})::float8 * 1000`,
    })
    .from(anchorSends)
    .where(and(eq(anchorSends.wallet, wallet), eq(anchorSends.nonce, nonce)))
    .orderBy(desc(anchorSends.attempt))
    .limit(1)
  return row
}

type NewSend = { wallet: Address; nonce: number; attempt: number; gasPrice: bigint; transactionHash: Hash }

/** Writes down what will be sent. False if another worker was first with this attempt. */
export async function noteSend(db: Db, send: NewSend & { purpose: SendPurpose }): Promise<boolean> {
  const { purpose, ...values } = send
  const rows = await db
    .insert(anchorSends)
    .values({ ...values, ...purpose })
    .onConflictDoNothing()
    .returning({ nonce: anchorSends.nonce })
  return rows.length === 1
}

export const isSamePurpose = (
  { eventNumber, commitment }: Pick<AnchorSend, 'eventNumber' | 'commitment'>,
  purpose: SendPurpose,
): boolean => eventNumber === (purpose?.eventNumber ?? null) && commitment === (purpose?.commitment ?? null)
