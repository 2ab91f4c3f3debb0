import { eq, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { lockRefunds } from '../refund/accounts.ts'
import {
  events,
  operatorWallets,
  payments,
  refundWatch,
  scanCursor,
  voidedPayments,
} from '../schema/index.ts'

export type Event = typeof events.$inferSelect

/** Terms of the next sale that come from the environment. */
export type EnvTerms = {
  ticketPrice: bigint
  saleLeadSeconds: number
  operatorWallet: Address | undefined
  chainId: number
  usdtAddress: Address
  autoDraw: boolean
  claimDays: number
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
  do {
    const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')
    if (event) return event
    // The event was archived while this call waited for its row: the next one is open by now.
  } while (await getOpenEvent(tx))
  return undefined
}

/** Event 1 with the minimum of 100 (docs/spec.md). Undefined when there is an open event already. */
export async function openFirstEvent(db: Db, terms: EnvTerms): Promise<Event | undefined> {
  return db.transaction(async (tx) => {
    const fromEnv = termsFromEnv(terms)
    if (fromEnv.operatorWallet) await watchWallet(tx, fromEnv.operatorWallet)
    const [event] = await tx
      .insert(events)
      .values({ number: 1, ...fromEnv, minTickets: 100, saleStart: nextSaleStart })
      .onConflictDoNothing()
      .returning()
    return event
  })
}

/** The environment as the columns of a new event. */
export const termsFromEnv = (terms: EnvTerms) => ({
  ticketPrice: terms.ticketPrice,
  saleLeadSeconds: terms.saleLeadSeconds,
  operatorWallet: (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? null,
  chainId: terms.chainId,
  token: terms.usdtAddress.toLowerCase() as Address,
  autoDraw: terms.autoDraw,
  claimDays: terms.claimDays,
})

/**
 * The scan watches this wallet from now on, also after another one has replaced it. What it may have paid back
 * before we knew it counts as well: the watch for refunds reads that apart, so that nothing else waits for it.
 */
export async function watchWallet(tx: Db, address: Address): Promise<void> {
  const [isNew] = await tx.insert(operatorWallets).values({ address }).onConflictDoNothing().returning()
  if (!isNew) return
  await lockRefunds(tx)
  const [watch] = await tx.select({ unreadTo: refundWatch.height }).from(refundWatch)
  if (watch) await tx.update(operatorWallets).set(watch).where(eq(operatorWallets.address, address))
}

export async function getWatchedWallets(db: Db): Promise<Address[]> {
  const rows = await db.select({ address: operatorWallets.address }).from(operatorWallets)
  return rows.map((row) => row.address)
}

/**
 * True once a payment of this event has had a ticket, also where a reorg has taken it back: buyers rely on the
 * terms from then on. Money without a ticket, which any stranger can send, locks nothing.
 */
export async function hasTickets(db: Db, eventNumber: number): Promise<boolean> {
  const [row] = await db.execute<{ has: boolean }>(sql`
    select exists (select 1 from ${payments} where ${payments.eventNumber} = ${eventNumber} and ${payments.ticketNumber} is not null)
      or exists (select 1 from ${voidedPayments} where ${voidedPayments.eventNumber} = ${eventNumber} and ${voidedPayments.ticketNumber} is not null) as has`)
  return row?.has === true
}

/** After the database's now and the newest block seen, in whole seconds: no seen block changes its event. */
export const nextSaleStart = sql<Date>`date_trunc('second', greatest(now(), (select greatest(block_time, newest_block_time) from ${scanCursor}))) + interval '1 second'`
