import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { register } from '../../core/chain/register.ts'
import type { Db } from '../index.ts'
import { refundRows, scanCursor } from '../schema/index.ts'
import { isInFlight, type LoadedRow } from './accounts.ts'
import { newFlight } from './flight.ts'
import { beginOffer, type Offer, raiseBounds } from './flights.ts'
import { toRefundRow } from './list.ts'
import type { OfferBooks } from './offer-books.ts'
import { booksAfterTakeover } from './takeover.ts'

/** A call of `payUpTo`: what it names, and in `units` what it will newly pay by these books. */
export type RegisterCall = {
  address: Address
  token: Address
  /** In seconds; no later block can run it. */
  validUntil: number
  debtors: { debtor: Address; payee: Address; total: string; units: string }[]
}

/** Rows of one debtor, in one token and to one payee, and what the wallet owes by them. */
type Claim = {
  debtor: Address
  payee: Address
  token: Address
  total: bigint
  parts: { row: LoadedRow; due: bigint }[]
}

/**
 * Hands rows to a wallet as one call of the register. Every row of a debtor that goes to the same payee is in it, asked
 * for or not, as the call names totals. It may be asked for again at once, also while it is in flight: the register
 * pays no total twice. Rows that cannot be offered now are left out, and so are all but the first token's. Throws the
 * errors of `beginOffer`.
 */
export async function offerByRegister(tx: Db, { validFor, ...offer }: Offer & { validFor: number }) {
  const { wallet, transactions } = offer
  const { nonceBound } = await beginOffer(tx, offer, 'register')
  const claims = claimsOf(await booksAfterTakeover(tx, offer, companions))
  const [first] = claims
  if (!first) return { rows: [], register: null }
  await raiseBounds(tx, wallet, nonceBound)
  const parts = claims.flatMap(({ total, parts }) => parts.map((part) => ({ ...part, total })))
  const validUntil = await validTo(
    tx,
    validFor,
    parts.map(({ row }) => row),
  )
  const rows = []
  for (const { row, due, total } of parts) {
    const before = isInFlight(row) ? row : undefined
    const mine = row === parts[0]?.row ? transactions : 0
    const [offered] = await tx
      .update(refundRows)
      .set({
        ...{ state: 'offered', reason: null, transactionHash: null },
        ...{ offeredNonce: offer.nonce, nonceBound: null, offeredWallet: wallet, offeredUnits: due },
        ...{ offeredPath: 'register', offeredTotal: total, validUntil: new Date(validUntil * 1_000) },
        ...newFlight(offer),
        offeredTransactions: (before?.offeredTransactions ?? 0) + mine,
        // A call that was handed out before may still run: only its deadline says that it cannot.
        offeredCalls: (before?.offeredCalls ?? 0) + 1,
        offeredAt: sql`now()`,
        revision: sql`${refundRows.revision} + 1`,
      })
      .where(eq(refundRows.id, row.id))
      .returning()
    if (offered) rows.push({ ...toRefundRow(offered, due), revision: offered.revision })
  }
  return { rows, register: callOf(claims, first.token, validUntil) }
}

function callOf(claims: readonly Claim[], token: Address, validUntil: number): RegisterCall {
  const ascending = claims.toSorted((a, b) => (a.debtor < b.debtor ? -1 : 1))
  return {
    ...{ address: register.address, token: getAddress(token), validUntil },
    debtors: ascending.map(({ debtor, payee, total, parts }) => ({
      ...{ debtor: getAddress(debtor), payee: getAddress(payee), total: total.toString() },
      units: sumOf(parts).toString(),
    })),
  }
}

/** Every row that goes with one that was asked for: of the same debtor, and to the same payee. */
function companions(books: OfferBooks): LoadedRow[] {
  const free = freeRows(books)
  const asked = new Set(books.asked)
  const payees = new Map<Address, Address>()
  for (const row of free) if (asked.has(row) && !payees.has(row.payer)) payees.set(row.payer, row.recipient)
  return free.filter((row) => payees.get(row.payer) === row.recipient)
}

/**
 * Nothing is in flight that the call could meet. It does not meet calls for other debtors, of whom the register has
 * books apart, nor earlier ones of the same wallet to the same payee, of which it raises the total.
 */
function freeRows({ rows, wallet, isSound }: OfferBooks): LoadedRow[] {
  const flights = Map.groupBy(
    rows
      .filter(isInFlight)
      .flatMap((row) => [...new Set([row.payer, row.recipient])].map((at) => ({ at, row }))),
    ({ at }) => at,
  )
  const meets = (row: LoadedRow, other: LoadedRow) =>
    other.offeredPath !== 'register' ||
    (other.payer === row.payer && (other.offeredWallet !== wallet || other.recipient !== row.recipient))
  return rows.filter(
    (row) =>
      isSound(row) &&
      [row.payer, row.recipient].every((at) => !flights.get(at)?.some((flight) => meets(row, flight.row))),
  )
}

/** What the wallet owes in one token, debtor by debtor, where the register's memory is that of the books. */
function claimsOf(books: OfferBooks): Claim[] {
  const { wallet, openOf, fits } = books
  const payable = companions(books).flatMap((row) =>
    openOf(row).flatMap((part) => {
      const fit = fits.of({ ...part, debtor: row.payer })
      return part.wallet === wallet && fit.canPay ? { row, fit, due: part.due, token: part.token } : []
    }),
  )
  const parts = payable.filter(({ token }) => token === payable[0]?.token)
  return [...Map.groupBy(parts, ({ row }) => row.payer)].flatMap(([debtor, parts]) => {
    const [first] = parts
    if (!first) return []
    const { fit, token, row } = first
    // What is due by other rows of his is not to be paid by this call.
    const total = fit.total - (fit.due - sumOf(parts))
    return { debtor, payee: row.recipient, token, parts, total }
  })
}

const sumOf = (parts: readonly { due: bigint }[]): bigint => parts.reduce((sum, { due }) => sum + due, 0n)

/** By the newest block or the clock, whichever is ahead, and never before an earlier call of these rows. */
async function validTo(tx: Db, validFor: number, rows: readonly LoadedRow[]): Promise<number> {
  const [now] = await tx.execute<{ seconds: string }>(sql`
    select ceil(extract(epoch from greatest(clock_timestamp(),
      (select greatest(block_time, newest_block_time) from ${scanCursor}))))::bigint::text as seconds`)
  const earlier = rows.filter(isInFlight).map(({ validUntil }) => (validUntil?.getTime() ?? 0) / 1_000)
  return Math.max(Number(now?.seconds) + validFor, ...earlier)
}
