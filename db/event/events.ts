import { eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Env } from '../../core/server/env.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets } from '../schema/index.ts'

/** The row, and since when its money goes back by its ending; null for an event that has none, or was drawn. */
export type Event = Omit<typeof events.$inferSelect, 'content'> & { refundModeAt: Date | null }
const { content: _, ...shortColumns } = getTableColumns(events)
/** Without the content, which is long and rarely asked for. */
export const eventColumns = {
  ...shortColumns,
  refundModeAt:
    sql<Date | null>`(select ending.at from endings ending where ending.event_number = events.number and ending.kind = 'refunds')`.mapWith(
      events.saleStart,
    ),
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

/** After the clock and the newest block seen: no seen block changes its event, however long the transaction waited. */
export const nextSaleStart = sql<Date>`next_moment()`

/** Nothing that decides about payments changes any more. */
export const hasEnded = ({ frozenAt, stoppedAt, saleEnd }: Event, now: Date): boolean =>
  frozenAt !== null || stoppedAt !== null || (saleEnd !== null && saleEnd <= now)

/** The later of the database's clock and the newest block seen: no change may affect earlier blocks. */
export async function newestMoment(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ moment: string }>(
    sql`select greatest(clock_timestamp(), (select greatest(block_time, newest_block_time) from cursors where name = 'payments')) as moment`,
  )
  return new Date(row?.moment as string)
}
