import { eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { Env } from '../../core/server/env.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets } from '../schema/index.ts'

const { content: _, ...shortColumns } = getTableColumns(events)
const ofEnding = (column: string) =>
  sql`(select ${sql.raw(column)} from endings where event_number = events.number)`

/** The row without the content, which is long and rarely asked for, and what follows from its ending and the clock. */
export type Event = Omit<typeof events.$inferSelect, 'content'> & {
  ending: 'drawn' | 'refunds' | null
  refundReason: RefundCause | null
  /** Since when its money goes back. */
  refundModeAt: Date | null
  /** When it was read nothing changed any more that decides about payments. */
  hasEnded: boolean
}
export const eventColumns = {
  ...shortColumns,
  ending: ofEnding('kind') as SQL<Event['ending']>,
  refundReason: ofEnding('reason') as SQL<Event['refundReason']>,
  refundModeAt: ofEnding("case kind when 'refunds' then at end").mapWith(events.saleStart) as SQL<
    Event['refundModeAt']
  >,
  hasEnded: sql<boolean>`(num_nonnulls(events.frozen_at, events.stopped_at) > 0 or coalesce(events.sale_end <= newest_moment(), false))`,
}

/** Terms of the next sale that come from the environment; `entropy` is the first event's alone. */
export type EnvTerms = Pick<
  Env,
  | ('ticketPrice' | 'saleLeadSeconds' | 'operatorWallet' | 'chainId')
  | ('usdtAddress' | 'autoDraw' | 'claimDays' | 'entropy')
>

/** The event on sale, drawn or refunded now; undefined before the first. */
export async function getOpenEvent(db: Db): Promise<Event | undefined> {
  const [event] = await db.select(eventColumns).from(events).where(isNull(events.archivedAt))
  return event
}

export async function getEvent(db: Db, number: number): Promise<Event | undefined> {
  const [event] = await db.select(eventColumns).from(events).where(eq(events.number, number))
  return event
}

/** As getOpenEvent, and locks the row until the transaction ends. Always its first lock, so two never deadlock. */
export async function lockOpenEvent(tx: Db): Promise<Event | undefined> {
  do {
    const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')
    // Asked again: an ending that was committed while this call waited is seen only by a question that begins later.
    if (event) return getEvent(tx, event.number)
    // The event was archived while this call waited for its row: the next one is open by now.
  } while (await getOpenEvent(tx))
  return undefined
}

export const mustHaveEvent = async (db: Db): Promise<Event> => (await getOpenEvent(db)) ?? noEvent()

export const mustLockEvent = async (tx: Db): Promise<Event> => (await lockOpenEvent(tx)) ?? noEvent()

const noEvent = (): never => {
  throw new RaffleError('DB_UNAVAILABLE', { reason: 'event' })
}

export const termsFromEnv = (terms: EnvTerms) => ({
  ticketPrice: terms.ticketPrice,
  saleLeadSeconds: terms.saleLeadSeconds,
  operatorWallet: (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? null,
  chainId: terms.chainId,
  token: terms.usdtAddress.toLowerCase() as Address,
  autoDraw: terms.autoDraw,
  claimDays: terms.claimDays,
})

/** Wallets to which tickets are or were paid: what comes to them is the raffle's, what they send is watched. */
export async function getSaleWallets(db: Db): Promise<Address[]> {
  const rows = await db.select({ address: operatorWallets.address }).from(operatorWallets)
  return rows.map((row) => row.address)
}

/** True while these are all of them. */
export const areSaleWallets = async (db: Db, wallets: readonly Address[]): Promise<boolean> =>
  (await getSaleWallets(db)).sort().join() === [...wallets].sort().join()

/** After the clock and the newest block seen: no seen block changes its event, however long the transaction waited. */
export const nextSaleStart = sql<Date>`next_moment()`

/** The later of the database's clock and the newest block seen: no change may affect earlier blocks. */
export async function newestMoment(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ moment: string }>(sql`select newest_moment() as moment`)
  return new Date(row?.moment as string)
}
