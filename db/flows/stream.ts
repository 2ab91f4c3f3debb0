import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Address, Hash } from 'viem'
import { byChain, type Flow, type FlowClass } from '../../core/flows/flow.ts'
import { paidBackBy } from '../../core/flows/fold.ts'
import { zeroAddress } from '../../core/payment/judge.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import { classOf } from '../../core/refund/classes.ts'
import type { Db } from '../index.ts'
import { ownWallets } from '../refund/own-wallets.ts'
import {
  events,
  operatorTransfers,
  operatorWallets,
  payments,
  refundReaddresses,
  refundRowPayments,
  refundRows,
  walletReceipts,
} from '../schema/index.ts'

/** Final blocks after `after` and up to `upTo`. */
export type FlowRange = { token: Address; after: bigint; upTo: bigint }

const pageRows = 2_000

/**
 * Every transfer of the token to and from wallets of ours in these blocks, in chain order, page by page; a page ends with
 * a block. Read in one snapshot where `db` is a transaction of that kind.
 */
export async function* flowPages(
  db: Db,
  { token, after, upTo }: FlowRange,
  rows = pageRows,
): AsyncGenerator<Flow[]> {
  const own = await ownWallets(db)
  for (let last = after; last < upTo; ) {
    const end = await endOfPage(db, last, upTo, rows)
    const found = await db.execute<Row>(pageOf(token, last, end))
    if (found.length > 0) yield found.map((row) => toFlow(row, own)).sort(byChain)
    last = end
  }
}

/** What these payers paid and got back in blocks before this one, in chain order. */
export async function flowsOfPayers(
  db: Db,
  { token, payers, before }: { token: Address; payers: ReadonlySet<Address>; before: bigint },
): Promise<Flow[]> {
  if (payers.size === 0) return []
  const all = sql`any(${sql.param([...payers])}::text[])`
  const isBefore = sql`block_number < ${`${before}`}::bigint`
  const paid = sql`p.payer = ${all} and p.${isBefore}`
  const sent = sql`t.${isBefore} and (t.transaction_hash, t.log_position) in (
    select transaction_hash, log_position from ${operatorTransfers} where recipient = ${all}
    union select transaction_hash, log_position from ${operatorTransfers} where debtor = ${all}
    union select transaction_hash, log_position from ${operatorTransfers}
      where row_id in (select id from ${refundRows} where payer = ${all}))`
  const own = await ownWallets(db)
  const found = await db.execute<Row>(
    rowsOf(sql`${paymentsOf(token, paid)} union all ${transfersOf(token, sent)}`),
  )
  return found
    .map((row) => toFlow(row, own))
    .filter((flow) => payers.has(paidBackBy(flow) ?? flow.counterparty))
    .sort(byChain)
}

/**
 * The block behind which none of the three tables has more than `rows` rows, but for those of one block. Found before anything is
 * joined or filtered: else the planner sorts a million rows for each page.
 */
export async function endOfPage(db: Db, last: bigint, upTo: bigint, rows: number): Promise<bigint> {
  const nth = (table: PgTable) => sql`(select block_number from ${table}
    where block_number > ${last.toString()}::bigint and block_number <= ${upTo.toString()}::bigint
    order by block_number offset ${rows - 1} limit 1)`
  const [row] = await db.execute<{ end: string | null }>(
    sql`select least(${nth(payments)}, ${nth(operatorTransfers)}, ${nth(walletReceipts)})::text as end`,
  )
  return row?.end == null ? upTo : BigInt(row.end)
}

type Row = {
  kind: 'payment' | 'transfer' | 'receipt'
  blockNumber: string
  blockHash: Hash | null
  blockTime: string
  transactionHash: Hash
  transactionIndex: number | null
  logIndex: number | null
  wallet: Address
  counterparty: Address
  units: string
  eventNumber: number | null
  reason: PaymentReason | null
  owedBy: Address | null
  isOwn: boolean
  debtor: Address | null
  registerDebtor: Address | null
  isElsewhere: boolean
  rowId: string | null
  notRefund: boolean
  prizePlace: number | null
}

const pageOf = (token: Address, last: bigint, end: bigint): SQL => {
  const between = sql`block_number > ${last.toString()}::bigint and block_number <= ${end.toString()}::bigint`
  return rowsOf(sql`${paymentsOf(token, between)} union all ${transfersOf(token, between)}
      union all ${receiptsOf(token, between)}`)
}

const rowsOf = (flows: SQL): SQL => sql`
    select kind, block_number::text as "blockNumber", block_hash as "blockHash",
      extract(epoch from block_time)::bigint::text as "blockTime", transaction_hash as "transactionHash",
      transaction_index as "transactionIndex", log_index as "logIndex", wallet, counterparty, units::text as units,
      event_number as "eventNumber", reason, owed_by as "owedBy", is_own as "isOwn", debtor,
      register_debtor as "registerDebtor", is_elsewhere as "isElsewhere", row_id::text as "rowId",
      not_refund as "notRefund", prize_place as "prizePlace"
    from (${flows}) flows`

/** What is owed to whom is what db/refund/debts has; money that came too early is not, until somebody decides on it. */
const paymentsOf = (token: Address, between: SQL): SQL => sql`
  select 'payment' as kind, p.block_number, p.block_hash, p.block_time, p.transaction_hash, p.transaction_index,
    p.first_log_index as log_index, p.wallet, p.payer as counterparty, p.units, p.event_number, p.reason,
    coalesce(l.paid_by, p.wallet) as owed_by,
    (p.payer = p.wallet or own.address is not null) and p.reason is not distinct from 'held' as is_own,
    null::text as debtor, null::text as register_debtor, false as is_elsewhere, null::bigint as row_id, false as not_refund,
    null::integer as prize_place
  from ${payments} p left join ${events} e on e.number = p.event_number
  left join ${operatorWallets} own on own.address = p.payer and own.proven_since <= p.block_time
  left join ${refundRowPayments} l on l.payment_id = p.id and l.is_live and l.paid_by <> p.wallet
  where coalesce(p.token, e.token) = ${token} and ${between}`

/** What has no place of its own is put where the same transaction is known to stand, so that a move between two wallets stays together. */
const transfersOf = (token: Address, between: SQL): SQL => sql`
  select 'transfer', t.block_number, t.block_hash, t.block_time, t.transaction_hash,
    coalesce(t.transaction_index, (select p.transaction_index from ${payments} p
      where p.transaction_hash = t.transaction_hash limit 1), (select r.transaction_index from ${walletReceipts} r
      where r.transaction_hash = t.transaction_hash and not r.is_gone limit 1)),
    t.log_index, t.wallet, t.recipient, t.units, t.prize_event, null::text, null::text, false,
    coalesce(t.debtor, r.payer), t.debtor,
    t.debtor is not null and t.debtor <> t.recipient and not exists (
      select 1 from ${refundRows} o left join ${refundReaddresses} w on w.row_id = o.id and w.proof is not null
      where o.payer = t.debtor and t.recipient in (o.recipient, w.recipient)),
    t.row_id, t.not_refund, t.prize_place
  from ${operatorTransfers} t left join ${refundRows} r on r.id = t.row_id
  where t.token = ${token} and not t.is_gone and ${between}`

/** All that one payer sent to a wallet in one transaction is one flow, as a payment is. */
const receiptsOf = (token: Address, between: SQL): SQL => sql`
  select 'receipt', block_number, min(block_hash), min(block_time), transaction_hash, min(transaction_index), min(log_index),
    wallet, payer, sum(units), null::integer, null::text, null::text, false, null::text, null::text, false, null::bigint, false,
    null::integer
  from ${walletReceipts} where token = ${token} and not is_gone and ${between}
  group by block_number, transaction_hash, wallet, payer`

function toFlow(row: Row, own: ReadonlySet<Address>): Flow {
  const isOut = row.kind === 'transfer'
  const kind = isOut
    ? classOfTransfer(row, own)
    : row.kind === 'payment'
      ? classOfPayment(row)
      : ownOr(row, own)
  return {
    blockNumber: BigInt(row.blockNumber),
    blockHash: row.blockHash ?? unknownHash,
    blockTime: Number(row.blockTime),
    transactionHash: row.transactionHash,
    transactionIndex: row.transactionIndex,
    logIndex: row.logIndex,
    direction: isOut ? 'out' : 'in',
    wallet: row.wallet,
    counterparty: row.counterparty,
    units: BigInt(row.units),
    class: kind,
    eventNumber: row.eventNumber,
    reason: row.reason,
    owedBy: kind === 'credited' || kind === 'leftover' ? row.owedBy : null,
    debtor: kind === 'refund' ? row.debtor : null,
    isRegister: row.registerDebtor !== null,
    ...(row.notRefund && { isMarked: true }),
    ...(row.prizePlace !== null && { prizePlace: row.prizePlace }),
  }
}

/** Of transfers that were read before their block's hash was noted. */
const unknownHash: Hash = `0x${'0'.repeat(64)}`

const notOwed: ReadonlySet<string> = new Set(['early', 'claim'])

function classOfPayment({ reason, counterparty, isOwn }: Row): FlowClass {
  if (reason === null) return 'credited'
  if (isOwn) return 'own'
  return notOwed.has(reason) || counterparty === zeroAddress ? 'other' : 'leftover'
}

const classOfTransfer = (row: Row, own: ReadonlySet<Address>): FlowClass =>
  classOf(
    {
      debtor: row.registerDebtor,
      rowId: row.rowId === null ? null : Number(row.rowId),
      recipient: row.counterparty,
      notRefund: row.notRefund,
      isElsewhere: row.isElsewhere,
      prizePlace: row.prizePlace,
    },
    own,
  )

const ownOr = ({ counterparty }: Row, own: ReadonlySet<Address>): FlowClass =>
  own.has(counterparty) ? 'own' : 'other'
