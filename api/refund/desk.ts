import { Type as t } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { centsOf } from '../../core/money.ts'
import { type RefundHold, transferMarks, whyNotRefunded } from '../../core/refund/rules.ts'
import { poll } from '../../core/server/time.ts'
import { getEvent, mustHaveEvent } from '../../db/event/events.ts'
import { expectOpenHouse } from '../../db/event/shut.ts'
import { getBook } from '../../db/event/terms.ts'
import { type Db, readClock } from '../../db/index.ts'
import { payableLines, payerFacts, refundInfo, refundSummary } from '../../db/refund/dues.ts'
import { getOutgoingCursor, markOwn, markTransfer } from '../../db/refund/facts.ts'
import type { RefundLine } from '../../db/refund/lines.ts'
import { owedPayments } from '../../db/schema/index.ts'
import type { AdminCall } from '../auth/guard.ts'
import type { Deps, RefundSettings } from '../deps.ts'
import { type Decoded, exact, nullable, read } from '../http/schema.ts'
import { choice, hash as hashIn, wallet, whole } from '../http/values.ts'

const maxInt = 2 ** 31 - 1
const sum = whole(0, Number.MAX_SAFE_INTEGER)
export const executeBody = exact({
  refundInfo: exact({ totalTickets: sum, totalAmount: sum }),
  eventNumber: t.Optional(whole(1, maxInt)),
})

/** Hands out no line before all that was sent by hand, and the code of every payer, is known. */
export async function execute(
  { db, jobs, clock, admin }: Deps,
  { refundInfo: seen, eventNumber }: Decoded<typeof executeBody>,
) {
  const { isPaused, minUnits } = admin.refunds
  if (isPaused) throw new RaffleError('REFUNDS_PAUSED', { data: { reason: { REFUNDS_PAUSED: true } } })
  await expectOpenHouse(db)
  const event = eventNumber === undefined ? await mustHaveEvent(db) : await getEvent(db, eventNumber)
  if (!event) throw new RaffleError('NOT_FOUND', { reason: 'event' })
  const inScope = eventNumber === undefined ? undefined : eq(owedPayments.eventNumber, eventNumber)
  const [owed] = await db.select({ id: owedPayments.id }).from(owedPayments).where(inScope).limit(1)
  if (!owed) {
    const [tickets] = await db.execute<{ sold: number }>(sql`select tickets_of(${event.number}) as sold`)
    const why = whyNotRefunded({
      ...{ isRefundMode: event.refundModeAt !== null, isFrozen: event.frozenAt !== null },
      ...{ ticketsSold: tickets?.sold ?? 0, minTickets: event.minTickets },
      isDrawn: event.ending === 'drawn',
      isDue: event.drawDate !== null && event.drawDate.getTime() <= (await readClock(db)) * 1000,
    })
    throw why ?? new RaffleError('NOTHING_TO_REFUND')
  }
  const values = await refundInfo(db, event.number)
  if (values.totalTickets !== seen.totalTickets || values.totalAmount !== seen.totalAmount)
    throw new RaffleError('REFUND_TOTALS_CHANGED', { values })
  if (!(await isWatching(db))) throw unread({ readUpTo: (await getOutgoingCursor(db))?.blockTime ?? null })
  let uncheckedPayers = 0
  const look = async () => {
    const { lines, unchecked } = await payableLines(db, { minUnits, eventNumber })
    uncheckedPayers = unchecked
    if (unchecked === 0) return lines
    void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-call-${Math.floor(Date.now() / 1000)}` })
    return undefined
  }
  const lines = await poll(look, { withinMs: 10_000, everyMs: 250 }, clock)
  if (!lines) throw unread({ uncheckedPayers })
  return {
    needsManualExecution: lines.length > 0,
    refundTransactions: lines.map(({ payer, due, total }) => ({
      ...{ to: getAddress(payer), amount: cents(due), units: `${due}`, total: `${total}` },
    })),
    summary: {
      totalRefunds: lines.length,
      totalAmount: cents(lines.reduce((sum, { due }) => sum + due, 0n)),
    },
  }
}

/** All that our wallets sent is on record, up to a final block of the last minute. */
async function isWatching(db: Db): Promise<boolean> {
  const [cursor, now] = await Promise.all([getOutgoingCursor(db), readClock(db)])
  return cursor !== undefined && now * 1000 - cursor.blockTime.getTime() < 60_000
}

export async function readSummary(db: Db, { minUnits, isPaused }: RefundSettings) {
  const event = await mustHaveEvent(db)
  const { owed, paid, due, held, dust, reports, events, ...counts } = await refundSummary(db, minUnits)
  return {
    ...counts,
    ...{ owed: `${owed}`, paid: `${paid}`, due: `${due}`, held: `${held}`, minUnits: `${minUnits}` },
    dust: { payers: dust.payers, units: `${dust.units}` },
    reports: reports.map((one) => ({ ...one, at: one.at.toISOString() })),
    events: events.map((one) => ({ ...one, due: `${one.due}` })),
    ...{ isPaused, isWatching: await isWatching(db), book: await getBook(db) },
    ...{ token: getAddress(event.token), chainId: event.chainId },
    operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
  }
}

/** Undefined for who never paid anything that goes back, and received nothing. */
export async function readPayer(db: Db, payer: Address, minUnits: bigint) {
  const found = await payerFacts(db, payer, minUnits)
  if (!found) return undefined
  const told = ({ wallet, units, at }: { wallet: Address; units: bigint; at: Date }) => ({
    ...{ wallet: getAddress(wallet), amount: cents(units), units: `${units}`, at: at.toISOString() },
  })
  return {
    row: toRow(found.row ?? { payer }),
    payments: found.payments.map((one) => ({ ...one, ...told(one), received: `${one.received}` })),
    transfers: found.transfers.map((one) => ({ ...one, ...told(one) })),
    decisions: found.decisions.map(({ holds, at, ...one }) => ({
      ...{ ...one, holds: holds as RefundHold[], at: at.toISOString() },
    })),
  }
}

/** With nothing but a payer it is the row of somebody who is owed nothing. */
export function toRow({ payer, ...line }: Pick<RefundLine, 'payer'> & Partial<RefundLine>) {
  const { owed = 0n, byHand = 0n, byRegister = 0n, total = 0n, due = 0n, state = 'settled' as const } = line
  const { holds = [], events = [], tickets = 0, transactionHash = null } = line
  return {
    payer: getAddress(payer),
    ...{ owed: `${owed}`, byHand: `${byHand}`, byRegister: `${byRegister}`, total: `${total}` },
    ...{ due: `${due}`, amount: cents(due), state, holds, events, tickets, transactionHash },
  }
}

const cents = (units: bigint): number => Number(centsOf(units))

export const noPayer = (): never => {
  throw new RaffleError('NOT_FOUND', { reason: 'payer' })
}
/** What of the chain is not known is in the log. */
const unread = (reason: Record<string, unknown>) =>
  new RaffleError('RPC_UNAVAILABLE', { reason: 'refunds', data: { reason } })

export const markBody = read(
  exact({
    ...{ transactionHash: hashIn, payer: t.Optional(wallet), wallet: t.Optional(wallet) },
    markedAs: nullable(choice([...transferMarks, 'own'])),
    ...{ eventNumber: t.Optional(whole(1, maxInt)), place: t.Optional(whole(1, 20)) },
  }),
  (body) => {
    const isNamed = body.eventNumber !== undefined && body.place !== undefined
    if (body.markedAs === 'prize' && !isNamed) throw refused({ reason: 'place', field: 'place' })
    return body
  },
)
type ToMark = Decoded<typeof markBody>
/** A transfer of `wallet` to `payer`, or his payment to it. */
type Found = {
  kind: 'transfer' | 'payment'
  payer: Address
  wallet: Address
  markedAs: ToMark['markedAs']
  isRead: boolean
}

/** Marks a transfer, or a payment as the operator's own, and answers whose it is. A transfer that nobody has
 * read has 10 s to be read by a worker, which looks for what is marked; else its mark is taken back. */
export async function mark(
  { db, jobs, clock }: Deps,
  asked: ToMark,
  record: AdminCall['record'],
): Promise<Address> {
  const found = await findMarked(db, asked)
  const { payer, wallet } = found ?? asked
  const kind = found?.kind ?? 'transfer'
  // Of a wallet that is not ours both have to be named.
  if (!payer || !wallet || (!found && (asked.markedAs === null || asked.markedAs === 'own')))
    throw noTransfer()
  const after = { ...asked, payer, wallet }
  record({ before: { markedAs: found?.markedAs ?? null }, after })
  await db.transaction((tx) => saveMark(tx, { ...after, kind }))
  if (found) return payer

  void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-mark-${asked.transactionHash}` })
  const look = async () => ((await findMarked(db, asked))?.isRead ? true : undefined)
  const isRead = await poll(look, { withinMs: 10_000, everyMs: 150 }, clock)
  await db.transaction((tx) => saveMark(tx, { ...after, kind, ...(!isRead && { markedAs: null }) }))
  if (isRead) return payer
  if (await isWatching(db)) throw noTransfer()
  throw unread({ transactionHash: asked.transactionHash })
}

type Saved = ToMark & Pick<Found, 'kind' | 'payer' | 'wallet'>

async function saveMark(tx: Db, { kind, transactionHash, payer, wallet, markedAs, ...prize }: Saved) {
  if (kind === 'payment') {
    if (!(await markOwn(tx, { transactionHash, payer, wallet }, markedAs === 'own'))) throw noTransfer()
    return
  }
  const as = markedAs === 'own' ? null : markedAs
  const { eventNumber = null, place = null } = as === 'prize' ? prize : {}
  const transfer = { transactionHash, wallet, recipient: payer }
  await markTransfer(tx, { ...transfer, markedAs: as, eventNumber, place })
}

/** The one that fits the hash, on record or marked; undefined where none does. Throws INVALID_VALUE where several do. */
async function findMarked(
  db: Db,
  { transactionHash, payer, wallet, markedAs }: ToMark,
): Promise<Found | undefined> {
  const rows = await db.execute<Found>(sql`
    select * from (
      select 'transfer' as kind, recipient as payer, wallet, m.marked_as as "markedAs", t.units is not null as "isRead"
      from (select * from outgoing_transfers where total is null) t
      full join (select * from transfer_marks where marked_as <> 'own') m using (transaction_hash, wallet, recipient)
      where transaction_hash = ${transactionHash}
      union all
      select 'payment', p.payer, p.wallet, m.marked_as, true
      from payments p left join transfer_marks m on m.transaction_hash = p.transaction_hash and m.wallet = p.wallet
        and m.recipient = p.payer and m.marked_as = 'own'
      where p.transaction_hash = ${transactionHash} and p.ticket_number is null
    ) found where (${payer ?? null}::text is null or payer = ${payer ?? null})
      and (${wallet ?? null}::text is null or wallet = ${wallet ?? null})`)
  const fitting = rows.filter(({ kind, markedAs: before }) =>
    markedAs === null ? before !== null : (kind === 'payment') === (markedAs === 'own'),
  )
  if (fitting.length > 1) throw refused({ reason: 'transfers', field: 'payer' })
  return fitting[0]
}

const noTransfer = () => new RaffleError('TRANSACTION_NOT_FOUND', { reason: 'transfer' })

export const refused = (why: DetailsOf<'INVALID_VALUE'>) => new RaffleError('INVALID_VALUE', why)
