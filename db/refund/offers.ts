import { eq, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { refundRows } from '../schema/index.ts'
import { isInFlight } from './accounts.ts'
import { newFlight } from './flight.ts'
import { beginOffer, type Offer, raiseBounds } from './flights.ts'
import { toRefundRow } from './list.ts'
import type { OfferBooks } from './offer-books.ts'
import { booksAfterTakeover } from './takeover.ts'

/**
 * Hands rows to a wallet, as plain transfers of what it owes: of parallel callers only one gets a row. Rows that
 * cannot be offered now are left out of the answer: done, held, owed by another wallet, in flight, or another row of
 * the same payer is in flight. Throws the errors of `beginOffer`.
 */
export async function offerRefunds(tx: Db, offer: Offer) {
  const { wallet, nonce, transactions } = offer
  const { nonceBound } = await beginOffer(tx, offer, 'transfers')
  const chosen = chooseOnce(await booksAfterTakeover(tx, offer, choose))
  const first = chosen[0]
  if (!first) return []
  await raiseBounds(tx, wallet, nonceBound)
  const rows = []
  for (const { row, due } of chosen) {
    const [offered] = await tx
      .update(refundRows)
      .set({
        ...{ state: 'offered', reason: null, transactionHash: null },
        ...{ offeredNonce: nonce, nonceBound, offeredWallet: wallet, offeredUnits: due },
        ...{ offeredPath: 'transfers', offeredTotal: null, validUntil: null, offeredCalls: null },
        ...newFlight(offer),
        offeredTransactions: row === first.row ? transactions : 0,
        offeredAt: sql`now()`,
        revision: sql`${refundRows.revision} + 1`,
      })
      .where(eq(refundRows.id, row.id))
      .returning()
    if (offered) rows.push({ ...toRefundRow(offered, due), revision: offered.revision })
  }
  return rows
}

/** Rows that may be sent now, whoever owes them: nothing else goes to their payers and addresses. */
function choose({ asked, rows, isSound }: OfferBooks) {
  const busy = new Set(rows.filter(isInFlight).flatMap((row) => [row.payer, row.recipient]))
  return asked.filter((row) => !busy.has(row.payer) && !busy.has(row.recipient) && isSound(row))
}

/** One per payer and address, each with what the wallet owes in the token of its event, which is what a page sends. */
function chooseOnce(books: OfferBooks) {
  const taken = new Set<string>()
  return choose(books).flatMap((row) => {
    const token = books.tokenOf(row)
    const due = books.openOf(row).find((part) => part.wallet === books.wallet && part.token === token)?.due
    if (!due || taken.has(row.payer) || taken.has(row.recipient)) return []
    taken.add(row.payer).add(row.recipient)
    return { row, due }
  })
}
