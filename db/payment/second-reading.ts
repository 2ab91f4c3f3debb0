import { and, asc, between, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { keyOf, lineOf, type Payment } from '../../core/payment/payment.ts'
import { areSaleWallets, type Event, getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { getScanCursor } from '../event/sale.ts'
import { type Db, isOneOf, readClock } from '../index.ts'
import { events, payments } from '../schema/index.ts'

/** So that the head is looked at with other eyes: half an hour at 0.45 s a block. Only the sale end lets it come nearer. */
const blocksBehind = 4_000n
export const stepBlocks = 2_000n
const tryAgainMs = 60_000
type Place = { height: bigint; blockTime: Date }
/** What is to be read twice now: the blocks after `after`, up to `limit`; without `after` it begins at the sale start. */
export type DueReading = { event: Event; cursor: Place; after: Place | undefined; limit: bigint }

/** Undefined while it is near enough, done, or failed a moment ago. It goes on after the freeze where it was not done. */
export async function dueSecondReading(db: Db): Promise<DueReading | undefined> {
  const [event, cursor] = [await getOpenEvent(db), await getScanCursor(db)]
  if (!event || !cursor) return undefined
  const isTail = event.saleEnd !== null && cursor.blockTime >= event.saleEnd
  const limit = isTail ? cursor.height : cursor.height - blocksBehind
  const after = readTwiceTo(event)
  if (!after || isReadTwiceToEnd(event)) return after ? undefined : { event, cursor, after, limit }
  const isSoon = isTail && !event.frozenAt
  if (after.height >= limit || (!isSoon && (await isResting(db, event)))) return undefined
  if (!isTail && after.height + stepBlocks > limit) return undefined
  return { event, cursor, after, limit }
}

/** The second reading of this event begins after this block; nothing happens if it has begun. */
export async function beginSecondReading(db: Db, { number, saleStart }: Event, height: bigint) {
  await db
    .update(events)
    .set({ readTwiceTo: height, readTwiceTime: saleStart, readTwiceFailedAt: null })
    .where(and(eq(events.number, number), isNull(events.readTwiceTo)))
}

export type SecondStep = { event: Event; from: bigint; to: Place; wallets: readonly Address[] }

/**
 * Equal: the second reading moves on; else the blocks that differ, lowest first. `moved` if records or wallets have changed
 * meanwhile. `settled` blocks were looked at by themselves.
 */
export async function compareSecond(
  db: Db,
  { event, from, to, wallets }: SecondStep,
  read: readonly Payment[],
  settled: readonly bigint[] = [],
): Promise<'equal' | 'moved' | bigint[]> {
  return db.transaction(async (tx) => {
    const open = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    const isHere = open?.number === event.number && open.readTwiceTo === from - 1n
    if (!isHere || !cursor || cursor.height < to.height) return 'moved'
    if (!(await areSaleWallets(tx, wallets))) return 'moved'
    const alone = differingLines(await recordedBetween(tx, from, to.height), read)
    const blocks = blocksWith(await unexplained(tx, open, alone)).filter((block) => !settled.includes(block))
    if (blocks.length > 0) return blocks
    await tx
      .update(events)
      .set({ readTwiceTo: to.height, readTwiceTime: to.blockTime, readTwiceFailedAt: null })
      .where(eq(events.number, event.number))
    return 'equal'
  })
}

/** Notes that the next blocks could not be read twice. True for the first time in a minute. */
export async function noteUnreadTwice(db: Db): Promise<boolean> {
  const { count: noted } = await db
    .update(events)
    .set({ readTwiceFailedAt: sql`now()` })
    .where(
      sql`${events.archivedAt} is null and ${events.readTwiceTo} is not null
        and coalesce(${events.readTwiceFailedAt} < now() - ${`${tryAgainMs} milliseconds`}::interval, true)`,
    )
  return noted > 0
}

/** It failed so short a time ago that it is not tried again. */
const isResting = async (db: Db, { readTwiceFailedAt: failedAt }: Event): Promise<boolean> =>
  failedAt !== null && (await readClock(db)) * 1000 - failedAt.getTime() <= tryAgainMs

export const isReadTwiceToEnd = ({ readTwiceTime, saleEnd }: Event): boolean =>
  readTwiceTime !== null && saleEnd !== null && readTwiceTime >= saleEnd

/** By the chain's time, half the lead after the sale end: the ledger is frozen all the same, before the draw. */
export async function isTooLateToReadTwice(db: Db, event: Event): Promise<boolean> {
  const cursor = await getScanCursor(db)
  if (!cursor || !event.saleEnd) return false
  return cursor.blockTime.getTime() >= event.saleEnd.getTime() + event.saleLeadSeconds * 500
}

/** Undefined before it has begun. */
const readTwiceTo = ({ readTwiceTo: height, readTwiceTime: blockTime }: Event): Place | undefined =>
  height !== null && blockTime ? { height, blockTime } : undefined

const recordedBetween = (db: Db, from: bigint, to: bigint): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(between(payments.blockNumber, from, to))
    .orderBy(asc(payments.blockNumber))

function differingLines(recorded: readonly Payment[], read: readonly Payment[]) {
  const [known, told] = [new Set(recorded.map(lineOf)), new Set(read.map(lineOf))]
  return {
    recorded: recorded.filter((one) => !told.has(lineOf(one))),
    read: read.filter((one) => !known.has(lineOf(one))),
  }
}

/** On a frozen list, or that of an archived event: it stays as it was told, wherever a reorg has moved the payment since. */
export const isFixed = ({ number, frozenAt }: Event): SQL<boolean> =>
  sql`(${payments.ticketNumber} is not null and ${frozenAt ? true : ne(payments.eventNumber, number)})`

/** Each once, if those of a transaction stand together. */
export const hashesOf = (all: readonly Pick<Payment, 'transactionHash'>[]): Hash[] =>
  all.flatMap(({ transactionHash: hash }, at) => (hash === all[at - 1]?.transactionHash ? [] : hash))

/** Those that are not on record, or not as `which` says: after a rewind the scan finds the lines of frozen lists again. */
export async function notRecorded<T extends Payment>(db: Db, found: readonly T[], which?: SQL): Promise<T[]> {
  if (found.length === 0) return []
  const rows = await db
    .select({ transactionHash: payments.transactionHash, payer: payments.payer, wallet: payments.wallet })
    .from(payments)
    .where(and(isOneOf(payments.transactionHash, hashesOf(found)), which))
  const known = new Set(rows.map(keyOf))
  if (known.size === 0) return [...found]
  return found.filter((payment) => !known.has(keyOf(payment)))
}

/** What is on a frozen list stays there, read in another block or not. */
const unexplained = async (
  db: Db,
  event: Event,
  { recorded, read }: Record<'recorded' | 'read', Payment[]>,
) => [...recorded, ...(await notRecorded(db, read, isFixed(event)))]

const blocksWith = (lines: readonly Payment[]): bigint[] =>
  [...new Set(lines.map(({ blockNumber }) => blockNumber))].sort((x, y) => (x < y ? -1 : 1))
