import { and, asc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { type Address, type Hex, hashMessage } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import { poll } from '../../core/server/time.ts'
import type { Db } from '../index.ts'
import { events, walletProofs } from '../schema/index.ts'
import { lockOpenEvent } from './events.ts'
import { bumpVersion } from './terms.ts'

const waitMs = 10_000
const lookEveryMs = 100
/** A signature costs workers a question; a visitor may have so many of one wallet asked about at a time. */
const mostOpenProofs = 5

/**
 * The wallet's own key (EIP-191), or its contract (ERC-1271), which a worker asks: not in a transaction, which it would not
 * see. Throws INVALID_VALUE, RPC_UNAVAILABLE without an answer, BUSY where `askedBy` (a visitor's address key) asks too much.
 */
export async function expectWalletProof(
  db: Db,
  {
    wallet,
    message,
    signature,
    askedBy,
  }: { wallet: Address; message: string; signature: Hex; askedBy?: string },
  askWorker: (id: number) => void = () => undefined,
): Promise<void> {
  if (await isSignedByKey(wallet, message, signature)) return
  const id = await db.transaction(async (tx) => {
    if (askedBy !== undefined) await expectFewOpen(tx, wallet, askedBy)
    const expiresAt = sql`clock_timestamp() + ${`${waitMs} milliseconds`}::interval`
    const [row] = await tx
      .insert(walletProofs)
      .values({ wallet, digest: hashMessage(message), signature, askedBy, expiresAt })
      .returning({ id: walletProofs.id })
    return (row as { id: number }).id
  })
  askWorker(id)
  const isGood = await poll(() => answerOf(db, id), { withinMs: waitMs, everyMs: lookEveryMs })
  if (isGood === undefined) throw new RaffleError('RPC_UNAVAILABLE', { reason: 'signature' })
  if (!isGood) throw new RaffleError('INVALID_VALUE', { reason: 'signature', field: 'signature' })
}

/** Counted by visitor and wallet: what strangers ask keeps nobody's owners out. */
async function expectFewOpen(tx: Db, wallet: Address, askedBy: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`proofs ${wallet} ${askedBy}`}))`)
  const open = await tx
    .select({ id: walletProofs.id })
    .from(walletProofs)
    .where(and(eq(walletProofs.wallet, wallet), eq(walletProofs.askedBy, askedBy), isOpen()))
  if (open.length >= mostOpenProofs) throw new RaffleError('BUSY', { reason: 'signatures' })
}

async function answerOf(db: Db, id: number): Promise<boolean | undefined> {
  const [row] = await db.select().from(walletProofs).where(eq(walletProofs.id, id))
  return row?.answeredAt ? row.isGood === true : undefined
}

const isOpen = () => and(isNull(walletProofs.answeredAt), gt(walletProofs.expiresAt, sql`clock_timestamp()`))

/** Removes what visitors had asked in vain; nobody waits for it any more. Safe to run twice. */
export async function purgeWalletProofs(db: Db): Promise<void> {
  await db
    .delete(walletProofs)
    .where(
      and(
        isNotNull(walletProofs.askedBy),
        sql`${walletProofs.isGood} is not true`,
        lt(walletProofs.expiresAt, sql`clock_timestamp() - interval '1 minute'`),
      ),
    )
}

export const openWalletProofs = (db: Db) =>
  db.select().from(walletProofs).where(isOpen()).orderBy(asc(walletProofs.id))

export async function answerWalletProof(db: Db, id: number, isGood: boolean): Promise<void> {
  await db
    .update(walletProofs)
    .set({ isGood, answeredAt: sql`clock_timestamp()` })
    .where(and(eq(walletProofs.id, id), isOpen()))
}

export async function proveWallet(db: Db, eventNumber: number, wallet: Address): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    await tx
      .update(events)
      .set({ walletProvenAt: sql`now()` })
      .where(and(eq(events.number, eventNumber), eq(events.operatorWallet, wallet)))
    await bumpVersion(tx)
  })
}
