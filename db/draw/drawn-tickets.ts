import { inArray } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import type { Db } from '../index.ts'
import { type DrawnPayment, payments } from '../schema/index.ts'

type Payment = typeof payments.$inferSelect
type Drawn = { eventNumber: number; winners: readonly DrawnPayment[]; reserves: readonly DrawnPayment[] }

/** Drawn tickets with the payments that hold them, in the order given. */
export async function paymentsOfDrawn(
  db: Db,
  drawn: readonly DrawnPayment[],
): Promise<{ ticket: number; payment: Payment }[]> {
  const ids = drawn.map(({ payment }) => payment)
  const rows = ids.length > 0 ? await db.select().from(payments).where(inArray(payments.id, ids)) : []
  const byId = new Map(rows.map((row) => [row.id, row]))
  return drawn.map(({ ticket, payment }) => ({ ticket, payment: byId.get(payment) as Payment }))
}

/** Winners, then reserves, of each of these draws, as everybody may see them. */
export async function loadDrawnTickets(db: Db, draws: readonly Drawn[]): Promise<PublicDrawnTicket[]> {
  const places = draws.flatMap(({ eventNumber, winners, reserves }) => [
    ...winners.map((drawn, index) => ({ eventNumber, kind: 'winner' as const, place: index + 1, drawn })),
    ...reserves.map((drawn, index) => ({ eventNumber, kind: 'reserve' as const, place: index + 1, drawn })),
  ])
  const found = await paymentsOfDrawn(
    db,
    places.map(({ drawn }) => drawn),
  )
  return places.map(({ drawn, ...place }, index) => {
    const { payer, transactionHash } = (found[index] as (typeof found)[number]).payment
    return { ...place, walletAddress: getAddress(payer), transactionHash, ticketNumber: drawn.ticket }
  })
}
