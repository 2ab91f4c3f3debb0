import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { exchangeWallets } from '../../core/refund/exchanges.ts'
import { whyNotRefunded } from '../../core/refund/rules.ts'
import { factsOf } from '../draw/facts.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import {
  events,
  operatorWallets,
  payments,
  refundBatches,
  refundRowPayments,
  refundRows,
} from '../schema/index.ts'
import { lockRefunds, payersWithTransfers } from './accounts.ts'
import { debtsOf, isFor } from './debts.ts'
import { sumRows } from './links.ts'
import { reconcile } from './reconcile.ts'
import { owedPayments, type RefundScope, refundFacts } from './totals.ts'

type Preparation = RefundScope & {
  /** The totals that the administrator has seen; the job, which only updates a batch, leaves them out. */
  expected?: { totalTickets: number; totalAmount: number }
  /** Rows below this are set aside as dust. */
  minUnits: bigint
}

/**
 * Creates or updates the batch and its rows from the recorded payments, one row per payer. Safe to run twice
 * and in parallel, as the event's row is locked and a payment is in one live row. The caller opens the
 * transaction. Throws NOT_FOUND, REFUND_TOTALS_CHANGED, NOTHING_TO_REFUND and the error of whyNotRefunded.
 */
export async function writeBatch(tx: Db, { expected, minUnits, ...scope }: Preparation): Promise<void> {
  const event = await lockEvent(tx, scope.eventNumber)
  if (!event) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
  if (scope.kind === 'event') await expectRefundable(tx, event)
  await lockRefunds(tx)
  const facts = await refundFacts(tx, scope)
  if (
    expected &&
    (expected.totalTickets !== facts.totalTickets || expected.totalAmount !== facts.totalAmount)
  )
    throw new RaffleError(
      'REFUND_TOTALS_CHANGED',
      '환불 합계가 변경되었습니다. 새로고침 후 다시 확인해주세요.',
      facts,
    )
  if (facts.totalRefunds === 0) throw new RaffleError('NOTHING_TO_REFUND', '환불할 금액이 없습니다.')
  // Only with all that a payer is owed can be said who of ours has paid him too much.
  const touched = new Set<Address>()
  for (const batch of await batchesOf(tx, scope)) {
    const { isEarly } = batch
    const batchId = await openBatch(tx, batch)
    if (batchId === undefined) continue
    await fillBatch(tx, batchId, batch)
    await setHolds(tx, batchId, { minUnits, isEarly })
    for (const payer of await touchedPayers(tx, batchId)) touched.add(payer)
  }
  await reconcile(tx, [...touched])
}

/**
 * Early money is decided about row by row, so it shares no row with other money of its payer; nor does money in a token
 * that the event has no more.
 */
type Batch = RefundScope & { isEarly: boolean; formerToken: Address | null }

const freshPayments = ({ isEarly, formerToken, kind, eventNumber }: Batch): SQL =>
  sql`(select * from ${debtsOf(kind)} p where p.event_number = ${eventNumber} and ${isFor(kind)}
    and p.reason is ${isEarly ? sql`not distinct` : sql`distinct`} from 'early'
    and ${formerToken ? sql`p.is_former and p.token = ${formerToken}` : sql`not p.is_former`}
    and not exists (select 1 from ${refundRowPayments} l where l.payment_id = p.id and l.is_live))`

async function batchesOf(tx: Db, scope: RefundScope): Promise<Batch[]> {
  if (scope.kind === 'event') return [{ ...scope, isEarly: false, formerToken: null }]
  const found = await tx.execute<{ token: Address }>(
    sql`select distinct token from (${owedPayments(scope)}) p where token is not null order by 1`,
  )
  return [null, ...found.map(({ token }) => token)].flatMap((formerToken) =>
    [false, true].map((isEarly) => ({ ...scope, isEarly, formerToken })),
  )
}

async function lockEvent(tx: Db, number: number): Promise<Event | undefined> {
  const [event] = await tx.select().from(events).where(eq(events.number, number)).for('update')
  return event
}

async function expectRefundable(tx: Db, event: Event): Promise<void> {
  const facts = await factsOf(tx, event)
  const refusal = whyNotRefunded({ ...facts, isRefundMode: event.refundModeAt !== null })
  if (refusal) throw refusal
}

/** The event's only batch; for leftovers a new batch if there are new payments, else undefined. */
async function openBatch(tx: Db, batch: Batch): Promise<number | undefined> {
  const { kind, eventNumber } = batch
  if (kind === 'leftover') {
    const [fresh] = await tx.execute(sql`select 1 from ${freshPayments(batch)} p limit 1`)
    if (!fresh) return undefined
  }
  const [made] = await tx
    .insert(refundBatches)
    .values({ kind, eventNumber })
    .onConflictDoNothing()
    .returning({ id: refundBatches.id })
  if (made) return made.id
  const [known] = await tx
    .select({ id: refundBatches.id })
    .from(refundBatches)
    .where(sql`${refundBatches.eventNumber} = ${eventNumber} and ${refundBatches.kind} = 'event'`)
  return known?.id
}

/** Payers in the order of their first payments, so that the list reads like the ledger. */
async function fillBatch(tx: Db, batchId: number, batch: Batch): Promise<void> {
  const fresh = freshPayments(batch)
  await tx.execute(sql`
    insert into ${refundRows} (batch_id, payer, recipient, units)
    select ${batchId}, payer, payer, 0 from ${fresh} p group by payer
    order by min(block_number), min(transaction_index), min(first_log_index), payer
    on conflict (batch_id, payer) do nothing`)
  await tx.execute(sql`
    insert into ${refundRowPayments} (row_id, payment_id)
    select r.id, p.id from ${fresh} p join ${refundRows} r on r.batch_id = ${batchId} and r.payer = p.payer`)
  await sumRows(tx, sql`r.batch_id = ${batchId}`)
}

type Holds = { minUnits: bigint; isEarly: boolean }

/** A release is for the hold that it was given for. */
async function setHolds(tx: Db, batchId: number, { minUnits, isEarly }: Holds): Promise<void> {
  await tx.execute(sql`
    update ${refundRows} r set hold = held.hold, released_at = null
    from (
      select id, case when ${isEarly} then 'early' when payer = any(${sql.param([...exchangeWallets])}::text[]) then 'exchange'
        when ${isToLost} then 'lost' when hold = 'contract' then 'contract' when units < ${minUnits.toString()}::numeric then 'dust' end as hold
      from ${refundRows} where batch_id = ${batchId} and recipient = payer and units > 0
    ) held where held.id = r.id and r.hold is distinct from held.hold`)
}

/**
 * Of a row of `refund_rows`: somebody paid to a wallet after an administrator's word that its key is lost, and another one would
 * pay that back. A block's time may be a minute ahead of the database's. Asked of each row only where there is such a wallet.
 */
const isToLost = sql`exists (select 1 from ${operatorWallets} where ${operatorWallets.lostAt} is not null)
  and exists (select 1 from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
    join ${operatorWallets} w on w.address = p.wallet
    where l.row_id = ${refundRows.id} and l.is_live and p.block_time > w.lost_at + interval '1 minute')`

/** Payers with transfers, or whose row is no longer planned or is worth nothing. */
async function touchedPayers(tx: Db, batchId: number): Promise<Address[]> {
  const rows = await tx
    .select({ payer: refundRows.payer, state: refundRows.state, units: refundRows.units })
    .from(refundRows)
    .where(eq(refundRows.batchId, batchId))
  const paid = await payersWithTransfers(tx)
  return rows
    .filter(({ payer, state, units }) => state !== 'planned' || units === 0n || paid.has(payer))
    .map(({ payer }) => payer)
}
