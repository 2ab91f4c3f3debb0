import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { payments, refundRowPayments } from '../schema/index.ts'
import type { LoadedRow } from './accounts.ts'
import { loadOfferBooks, type OfferBooks } from './offer-books.ts'
import { lostWallets } from './own-wallets.ts'
import { reconcile } from './reconcile.ts'
import { mayHavePaid, unheardWallets } from './unheard.ts'

/**
 * The books of an offer, after its wallet has taken over what others owe by the rows that `choose` finds, where they
 * will never pay it.
 */
export async function booksAfterTakeover(
  tx: Db,
  offer: { ids: readonly number[]; wallet: Address },
  choose: (books: OfferBooks) => readonly LoadedRow[],
): Promise<OfferBooks> {
  const books = await loadOfferBooks(tx, offer)
  const payers = await takeOver(tx, books, choose(books))
  if (payers.length === 0) return books
  await reconcile(tx, payers)
  return loadOfferBooks(tx, offer)
}

/**
 * A wallet will never pay what it has waived, in final blocks and for all that is due, nor anything once its key is
 * lost. Nothing of these rows is in flight, nor may a call of it be that a restored database does not know. A debt never
 * goes back to the wallet that was paid: the books could not tell any more which payments of the register were for it. What is
 * paid stays with who paid it: handed over, it would take the other wallet's payments as its own, and those would be paid again.
 * Answers with the payers whose debts have moved.
 */
async function takeOver(
  tx: Db,
  { wallet, openOf, fits }: OfferBooks,
  rows: readonly LoadedRow[],
): Promise<Address[]> {
  const lost = await lostWallets(tx)
  const unheard = await unheardWallets(tx)
  const payers = new Set<Address>()
  for (const row of rows)
    for (const [owner, parts] of Map.groupBy(openOf(row), (part) => part.wallet)) {
      const isWaived = parts.every((part) => fits.of({ ...part, debtor: row.payer }).isWaived)
      if (owner === wallet || !(isWaived || lost.has(owner))) continue
      // A wish that the database has forgotten may have named where the register paid.
      const isKept = isWaived && !parts.some((part) => fits.isElsewhere({ ...part, debtor: row.payer }))
      if (mayHavePaid(unheard, { owner, isWaived: isKept }).some((other) => other !== wallet)) continue
      const moved = await tx.execute(sql`
        update ${refundRowPayments} l set paid_by = ${wallet} from ${payments} p
        where p.id = l.payment_id and l.row_id = ${row.id} and l.is_live
          and p.id = any(${sql.param(parts.flatMap(({ unpaid }) => unpaid))}::bigint[])
          and coalesce(l.paid_by, p.wallet) = ${owner} and p.wallet <> ${wallet}
        returning l.payment_id`)
      if (moved.length > 0) payers.add(row.payer)
    }
  return [...payers]
}
