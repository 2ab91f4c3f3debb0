/** What a buyer says with a purchase, and what he is told of it. */
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash, type Hex } from 'viem'
import type { Acceptance } from '../../core/house/rules.ts'
import type { PaymentRefund, PurchaseReport, WalletReport } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/payments.ts'
import { getClaim } from './claims.ts'

type Payment = typeof payments.$inferSelect
type Refunds = ReadonlyMap<number, PaymentRefund>

export async function reportPurchase(db: Db, hash: Hash): Promise<PurchaseReport | undefined> {
  const claim = await getClaim(db, hash)
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.transactionHash, hash))
    .orderBy(asc(payments.firstLogIndex))
  if (rows.length > 0) {
    const credited = rows.some(({ status }) => status === 'credited')
    const refunds = await refundsOf(db, rows)
    return {
      transactionHash: hash,
      status: credited ? 'credited' : 'rejected',
      reason: credited ? null : (rows[0]?.reason ?? null),
      payments: rows.map((row) => ({ walletAddress: getAddress(row.payer), ...shown(row, refunds) })),
    }
  }
  if (!claim) return undefined
  const { status, reason } = claim
  return {
    ...{ transactionHash: hash, status, reason },
    payments: claim.seen.map(({ payer, units }) => ({
      ...{ walletAddress: getAddress(payer), status, reason, ticketNumber: null, ticketCount: 0 },
      ...{ amount: Number(centsOf(BigInt(units))), refund: null },
    })),
  }
}

const openNumber = sql`(select number from events where archived_at is null)`

/** Enough for a person; a wallet with more purchases finds them all in the ledger file. */
const walletLimit = 500

/** Payments of a wallet in every event, newest first, and how many tickets they bought in the current one. */
export async function listWalletPayments(db: Db, payer: Address): Promise<WalletReport> {
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.payer, payer))
    .orderBy(desc(payments.blockNumber), desc(payments.transactionIndex))
    .limit(walletLimit)
  const refunds = await refundsOf(db, rows)
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .where(and(eq(payments.payer, payer), eq(payments.eventNumber, openNumber)))
  return {
    walletAddress: getAddress(payer),
    ticketCount: sum?.tickets ?? 0,
    payments: rows.map((row) => ({
      ...{ eventNumber: row.eventNumber, transactionHash: row.transactionHash },
      ...shown(row, refunds),
      createdAt: row.blockTime.toISOString(),
    })),
  }
}

const shown = ({ id, status, reason, ticketNumber, ticketCount, units }: Payment, refunds: Refunds) => ({
  ...{ status, reason, ticketNumber, ticketCount },
  ...{ amount: Number(centsOf(units)), refund: refunds.get(id) ?? null },
})

type RefundRow = { id: string; units: string; received: string; hash: Hash | null; at: string | null }

/** Payments that do not go back are not in it. @internal */
export async function refundsOf(db: Db, of: readonly Pick<Payment, 'id' | 'payer'>[]): Promise<Refunds> {
  if (of.length === 0) return new Map()
  const payers = [...new Set(of.map(({ payer }) => payer))]
  const rows = await db.execute<RefundRow>(sql`
    select id, units, received, transaction_hash as hash, block_time as at from payment_refunds
    where payer = any(${sql.param(payers)}::text[]) and id = any(${sql.param(of.map(({ id }) => id))}::bigint[])`)
  const cents = (units: bigint) => Number(centsOf(units))
  return new Map(
    rows.map(({ id, units, received, hash, at }) => [
      Number(id),
      {
        amount: cents(BigInt(received)),
        due: cents(BigInt(units) - BigInt(received)),
        transactionHash: hash,
        at: at && new Date(at).toISOString(),
      },
    ]),
  )
}

/** The first word that names a version that exists. A hint, which decides nothing. */
export async function noteAcceptance(
  db: Db,
  transactionHash: Hash,
  { termsSha256, privacySha256, age }: Acceptance,
): Promise<void> {
  const named = [termsSha256, privacySha256].filter((one): one is Hex => one !== undefined)
  const found = await db.execute<{ kind: string; sha256: Hex }>(
    sql`select kind, sha256 from legal_texts where sha256 = any(${sql.param(named)}::text[])`,
  )
  const is = (kind: string, sha256: Hex | undefined) =>
    found.some((one) => one.kind === kind && one.sha256 === sha256)
  const accepted = {
    ...(is('terms', termsSha256) && { termsSha256 }),
    ...(is('privacy', privacySha256) && { privacySha256 }),
    ...(age !== undefined && { age }),
  } as Acceptance
  if (Object.keys(accepted).length === 0) return
  await db
    .update(claims)
    .set({ accepted: { ...accepted, at: new Date().toISOString() } })
    .where(and(eq(claims.transactionHash, transactionHash), isNull(claims.accepted)))
}
