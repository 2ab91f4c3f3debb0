import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { and, desc, eq, getTableColumns, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { getAddress, type Hex } from 'viem'
import { centsOf } from '../../core/money.ts'
import { type LedgerColumn, ledgerColumns, ledgerHeader, parseLedgerLine } from '../../core/payment/ledger.ts'
import { lockOpenEvent } from '../event/events.ts'
import { beginRefundMode } from '../event/sale.ts'
import { isShut } from '../event/shut.ts'
import { addChange, bumpVersion, setState, termsOf } from '../event/terms.ts'
import { copyCsv, type Db, type Filter, fitting, snapshot } from '../index.ts'
import { cursors, events, payments, transferMarks } from '../schema/index.ts'
import { isReadTwiceToEnd, isTooLateToReadTwice } from './second-reading.ts'

const columnOf: Record<LedgerColumn, PgColumn> = {
  ticketNumber: payments.ticketNumber,
  ticketCount: payments.ticketCount,
  transactionHash: payments.transactionHash,
  payer: payments.payer,
  value: payments.units,
  blockNumber: payments.blockNumber,
  transactionIndex: payments.transactionIndex,
}
const line = sql.join(
  ledgerColumns.map((name) => sql`${columnOf[name]}`),
  sql`, `,
)

/** By `COPY`: no value has a comma, a quote or a space. */
const copyLines = (db: Db, eventNumber: number) =>
  copyCsv(
    db,
    sql`select ${line} from ${payments} where event_number = ${eventNumber} and ticket_number > 0 order by ticket_number`,
  )

const pageLength = 64 * 1024

/** The file, header first. In a transaction, so that no other question waits behind the lines on their connection. */
export const eachLedgerPage = (
  db: Db,
  eventNumber: number,
  take: (page: string) => Promise<void>,
): Promise<void> =>
  snapshot(db, async (tx) => {
    let page = ledgerHeader
    for await (const chunk of await copyLines(tx, eventNumber)) {
      page += chunk
      if (page.length < pageLength) continue
      await take(page)
      page = ''
      await new Promise((resolve) => setImmediate(resolve)) // lines that are there already hold up nobody else
    }
    await take(page)
  })

const lineEnd = 0x0a
/** Each line comes in buffers of its own; left to itself the runtime keeps some 30 MiB of read ones. */
const collectAfterBytes = 8 * 1024 * 1024
/** Bytes; no line of the list is longer. */
const longestLine = 512

/** Lines and tickets come out of the bytes that are hashed. Taken as events, as an iterator would make promises for each line. */
export async function fingerprintLedger(db: Db, eventNumber: number) {
  const hash = createHash('sha256').update(ledgerHeader)
  let lines = 0
  let end = Buffer.alloc(0)
  let uncollected = collectAfterBytes // what the start left goes first
  const file = await copyLines(db, eventNumber)
  file.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) lines++
    end = Buffer.concat([end, chunk.subarray(-longestLine)]).subarray(-longestLine)
    uncollected += chunk.length
    if (uncollected < collectAfterBytes) return
    uncollected = 0
    Bun.gc(true)
  })
  await finished(file)
  const last = parseLedgerLine(end.toString().trimEnd().split('\n').at(-1) as string)
  if (lines > 0 && !last) throw new Error(`the list of event ${eventNumber} has a last line of another form`)
  return {
    sha256: `0x${hash.digest('hex')}` as Hex,
    lines,
    ticketsSold: last ? last.ticketNumber + last.ticketCount - 1 : 0,
  }
}

export async function getFrozenLedger(db: Db, eventNumber: number) {
  const [event] = await db
    .select({ frozenAt: events.frozenAt, sha256: events.ledgerSha256, lines: events.ledgerLines })
    .from(events)
    .where(eq(events.number, eventNumber))
  return event
}

export async function canFreeze(db: Db): Promise<boolean> {
  if (await isShut(db)) return false
  const rows = await db
    .select({ number: events.number })
    .from(events)
    .innerJoin(cursors, and(eq(cursors.name, 'payments'), lte(events.saleEnd, cursors.blockTime)))
    .where(and(isNull(events.archivedAt), isNull(events.frozenAt), isNotNull(events.saleEnd)))
  return rows.length > 0
}

/**
 * Once; a stopped sale enters refund mode with it. Undefined if it is not time yet; with `waitForSecondReading` also while the
 * sale was not read twice, until half the lead has passed.
 */
export async function freezeLedger(db: Db, { waitForSecondReading = false } = {}) {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event || !(await canFreeze(tx))) return undefined
    const isReadTwice = isReadTwiceToEnd(event)
    if (waitForSecondReading && !isReadTwice && !(await isTooLateToReadTwice(tx, event))) return undefined
    const { sha256, lines, ticketsSold } = await fingerprintLedger(tx, event.number)
    await setState(tx, event, {
      ...{ frozenAt: sql`now()`, ledgerSha256: sha256, ledgerLines: lines },
      terms: await termsOf(tx, event),
    })
    await addChange(tx, event.number, 'ledger', null, sha256)
    if (event.stoppedAt && ticketsSold > 0) await beginRefundMode(tx, event, 'stopped')
    await bumpVersion(tx)
    return { eventNumber: event.number, sha256, lines, isReadTwice }
  })
}

type PaymentFilter = Filter<
  typeof payments.$inferSelect,
  'eventNumber' | 'status' | 'reason' | 'payer' | 'transactionHash'
>

const { id, eventNumber, status, reason, payer, transactionHash } = payments

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listPayments(db: Db, filter: PaymentFilter, limit = 100) {
  const rows = await db
    .select({ ...getTableColumns(payments), isOwn: sql<boolean>`${transferMarks.markedAs} is not null` })
    .from(payments)
    .leftJoin(
      transferMarks,
      and(
        eq(transferMarks.transactionHash, payments.transactionHash),
        eq(transferMarks.recipient, payments.payer),
        eq(transferMarks.wallet, payments.wallet),
        eq(transferMarks.markedAs, 'own'),
      ),
    )
    .where(fitting({ id, eventNumber, status, reason, payer, transactionHash }, filter))
    .orderBy(desc(payments.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    eventNumber: row.eventNumber,
    transactionHash: row.transactionHash,
    walletAddress: getAddress(row.payer),
    operatorWallet: getAddress(row.wallet),
    status: row.status,
    reason: row.reason,
    ticketNumber: row.ticketNumber,
    ticketCount: row.ticketCount,
    amount: Number(centsOf(row.units)),
    isOwn: row.isOwn,
    blockNumber: Number(row.blockNumber),
    createdAt: row.blockTime.toISOString(),
  }))
}
