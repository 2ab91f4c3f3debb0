import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/index.ts'
import { getClaim, resolveClaims } from './claims.ts'

/**
 * Records a hash that an administrator entered. Throws ALREADY_PROCESSED when a buyer posted it and was
 * credited, or an earlier manual call got its tickets. A `not_found` hash is looked up again.
 */
export async function beginManual(db: Db, hash: Hash): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(claims).values({ transactionHash: hash, source: 'admin' }).onConflictDoNothing()
    await resolveClaims(tx, [hash])
    const claim = await getClaim(tx, hash)
    if (claim?.manualAnsweredAt || (claim?.source === 'site' && claim.status === 'credited'))
      throw alreadyProcessed()
    if (claim?.status !== 'not_found') return
    await tx
      .update(claims)
      .set({
        status: 'received',
        reason: null,
        attempts: 0,
        createdAt: sql`now()`,
        nextAttemptAt: sql`now()`,
      })
      .where(eq(claims.transactionHash, hash))
  })
}

/**
 * The result of a manual call: the number of tickets, for the first call only; throws what is wrong on chain;
 * undefined while it is not decided.
 */
export async function readManual(db: Db, hash: Hash): Promise<{ ticketsCreated: number } | undefined> {
  const claim = await getClaim(db, hash)
  if (!claim) throw new RaffleError('TRANSACTION_NOT_FOUND', 'transaction not found')
  if (claim.status === 'not_found') throw new RaffleError('TRANSACTION_NOT_FOUND', 'transaction not found')
  if (claim.status === 'rejected') throw whyRejected(claim.reason)
  if (claim.status !== 'credited') return undefined
  const first = await db
    .update(claims)
    .set({ manualAnsweredAt: sql`now()` })
    .where(and(eq(claims.transactionHash, hash), eq(claims.source, 'admin'), isNull(claims.manualAnsweredAt)))
    .returning({ hash: claims.transactionHash })
  if (first.length === 0) throw alreadyProcessed()
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .where(eq(payments.transactionHash, hash))
  return { ticketsCreated: sum?.tickets ?? 0 }
}

const alreadyProcessed = () =>
  new RaffleError('ALREADY_PROCESSED', '이미 처리된 거래입니다. 다시 처리하지 않습니다.')

function whyRejected(reason: PaymentReason | null): RaffleError {
  switch (reason) {
    case 'reverted':
      return new RaffleError('TX_FAILED', 'The transaction failed on chain: no USDT moved.')
    case 'underpaid':
      return new RaffleError(
        'BELOW_TICKET_PRICE',
        'The amount is below the price of one ticket. It is listed for refund.',
      )
    case 'missed':
      return new RaffleError(
        'OUTSIDE_SALE_WINDOW',
        'The payment was found after the draw or the archive of its event. It is listed for refund.',
        { reason },
      )
    case 'early':
      return new RaffleError('OUTSIDE_SALE_WINDOW', 'The payment came before the sale.', { reason })
    case 'late':
    case 'old_wallet':
      return new RaffleError(
        'OUTSIDE_SALE_WINDOW',
        'The payment lies outside the sale. It is listed for refund.',
        { reason },
      )
    default:
      return new RaffleError(
        'NO_MATCHING_TRANSFER',
        'The transaction holds no USDT transfer to the operator wallet.',
        { reason },
      )
  }
}
