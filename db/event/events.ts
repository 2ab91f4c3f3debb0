import { eq, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { events, operatorWallets, payments, scanCursor } from '../schema/index.ts'
import { bumpVersion } from './version.ts'

export type Event = typeof events.$inferSelect

/** Terms of the next sale that come from the environment. */
export type EnvTerms = {
  ticketPrice: bigint
  saleLeadSeconds: number
  operatorWallet: Address | undefined
  chainId: number
  usdtAddress: Address
}

/** The event on sale, drawn or refunded now; undefined before the first. */
export async function getOpenEvent(db: Db): Promise<Event | undefined> {
  const [event] = await db.select().from(events).where(isNull(events.archivedAt))
  return event
}

/** Any event, also an archived one. */
export async function getEvent(db: Db, number: number): Promise<Event | undefined> {
  const [event] = await db.select().from(events).where(eq(events.number, number))
  return event
}

/**
 * As getOpenEvent, and locks the row: no other transaction changes it or folds payments into it until this
 * one ends. Always the first lock of a transaction, so two never deadlock.
 */
export async function lockOpenEvent(tx: Db): Promise<Event | undefined> {
  const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')
  return event
}

/** Event 1 with the minimum of 100 (docs/spec.md). Undefined when there is an open event already. */
export async function openFirstEvent(db: Db, terms: EnvTerms): Promise<Event | undefined> {
  const operatorWallet = (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? null
  return db.transaction(async (tx) => {
    if (operatorWallet) await watchWallet(tx, operatorWallet)
    const [event] = await tx
      .insert(events)
      .values({
        number: 1,
        ticketPrice: terms.ticketPrice,
        saleLeadSeconds: terms.saleLeadSeconds,
        operatorWallet,
        chainId: terms.chainId,
        token: terms.usdtAddress.toLowerCase() as Address,
        minTickets: 100,
        saleStart: nextSaleStart,
      })
      .onConflictDoNothing()
      .returning()
    return event
  })
}

/** The scan watches this wallet from now on, also after another one has replaced it. */
export async function watchWallet(tx: Db, address: Address): Promise<void> {
  await tx.insert(operatorWallets).values({ address }).onConflictDoNothing()
}

export async function getWatchedWallets(db: Db): Promise<Address[]> {
  const rows = await db.select({ address: operatorWallets.address }).from(operatorWallets)
  return rows.map((row) => row.address)
}

/** True after the first payment: price and wallet are then locked. */
export async function hasPayments(db: Db, eventNumber: number): Promise<boolean> {
  const [row] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.eventNumber, eventNumber))
    .limit(1)
  return row !== undefined
}

/** Applies a changed environment to an event without payments; the lead only while no draw date is set. */
export async function applyTerms(db: Db, event: Event, terms: EnvTerms): Promise<void> {
  const changed = {
    ticketPrice: terms.ticketPrice,
    chainId: terms.chainId,
    token: terms.usdtAddress.toLowerCase() as Address,
    operatorWallet: (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? event.operatorWallet,
    saleLeadSeconds: event.drawDate ? event.saleLeadSeconds : terms.saleLeadSeconds,
  }
  const same = Object.entries(changed).every(([key, value]) => event[key as keyof Event] === value)
  if (same) return
  await db.transaction(async (tx) => {
    if (changed.operatorWallet) await watchWallet(tx, changed.operatorWallet)
    await tx
      .update(events)
      .set({ ...changed, revision: sql`${events.revision} + 1` })
      .where(eq(events.number, event.number))
    await bumpVersion(tx)
  })
}

/** After the database's now and the newest block seen, in whole seconds: no seen block changes its event. */
export const nextSaleStart = sql<Date>`date_trunc('second', greatest(now(), (select greatest(block_time, newest_block_time) from ${scanCursor}))) + interval '1 second'`
