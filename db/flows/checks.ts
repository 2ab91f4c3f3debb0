import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { addChange } from '../event/changes.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import { events, walletOpenings } from '../schema/index.ts'
import type { HeldWallet } from './openings.ts'

/** A wallet that holds more or less than what is known of it, at two final blocks by the same. */
export type Broken = { wallet: Address; difference: bigint }

/**
 * Compares what two endpoints told of one block with opening + in - out there. The same difference at two final blocks
 * breaks the equation: those are returned that were not broken by as much before. So does another one at the second block
 * where nothing is broken yet: as long as each block leaves something out, no difference is the same twice. Safe to run
 * twice: a block is compared once.
 */
export async function compareBalances(
  tx: Db,
  height: bigint,
  wallets: readonly HeldWallet[],
  { told, known }: Record<'told' | 'known', ReadonlyMap<Address, bigint>>,
): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const { address: wallet, opening } of wallets) {
    const [found, expected] = [told.get(wallet), known.get(wallet)]
    if (!opening || found === undefined || expected === undefined) continue
    if (opening.checkedBlock !== null && opening.checkedBlock >= height) continue
    const difference = found - expected
    const lasts = difference !== 0n && opening.difference !== null && opening.difference !== 0n
    const isSame = lasts && difference === opening.difference
    const isNews = isSame ? difference !== opening.brokenBy : lasts && opening.brokenBy === null
    if (isNews) broken.push({ wallet, difference })
    await tx
      .update(walletOpenings)
      .set({
        ...{ checkedBlock: height, difference },
        ...(isNews && { brokenAt: sql`now()`, brokenBy: difference }),
        ...(difference === 0n && { brokenAt: null, brokenBy: null }),
      })
      .where(eq(walletOpenings.id, opening.id))
  }
  return broken
}

/** Whether any open equation is broken now. */
export async function isEquationBroken(tx: Db, token: Address): Promise<boolean> {
  const rows = await tx
    .select({ id: walletOpenings.id })
    .from(walletOpenings)
    .where(
      sql`${walletOpenings.closedAt} is null and ${walletOpenings.token} = ${token} and ${walletOpenings.brokenAt} is not null`,
    )
    .limit(1)
  return rows.length > 0
}

/**
 * A payment or a transfer was missed: sales wait until an administrator resumes them, and everybody is told. The caller
 * holds the event's lock and bumps the version.
 */
export async function haltForBalance(
  tx: Db,
  event: Event,
  height: bigint,
  broken: readonly Broken[],
): Promise<void> {
  for (const { wallet, difference } of broken)
    await addChange(
      tx,
      event.number,
      'ledger',
      null,
      `${getAddress(wallet)} holds ${difference} units otherwise than its transfers say at block ${height}`,
    )
  if (event.haltedAt !== null) return
  await tx
    .update(events)
    .set({ haltedAt: sql`now()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, event.number))
  if (event.frozenAt === null) await addChange(tx, event.number, 'sales', 'open', 'halted')
}
