import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { ticketsFor } from '../../core/money.ts'
import {
  type FoldedPayment,
  type SaleRules,
  type SaleTerms,
  type TicketCounts,
  whyNoRoom,
} from '../../core/payment/judge.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { payments } from '../schema/index.ts'

/** What the payers of `found` have by now, in events that are sold with a cap for a wallet: of no other payer, and nothing without such a cap. */
export async function countHeld(
  tx: Db,
  found: readonly FoundPayment[],
  { events }: SaleRules,
): Promise<TicketCounts['held']> {
  const held: TicketCounts['held'] = new Map()
  const capped = events.filter(({ isClosed, maxPerWallet }) => !isClosed && maxPerWallet != null)
  if (capped.length === 0) return held
  const payers = [...new Set(found.map(({ payer }) => payer))]
  for (const { number } of capped) {
    const rows = await tx.execute<{ payer: Address; tickets: number }>(sql`
      select payer, sum(ticket_count)::int as tickets from ${payments}
      where event_number = ${number} and ticket_number is not null and payer = any(${sql.param(payers)}::text[])
      group by payer`)
    held.set(number, new Map(rows.map(({ payer, tickets }) => [payer, tickets])))
  }
  return held
}

/**
 * What turned up after its event was drawn or archived was missed only if it would have had tickets at its place in chain
 * order: the list, which never changes again, says whether there was room.
 */
export async function missedOrOverCap(
  tx: Db,
  folded: readonly FoldedPayment[],
  { events }: SaleRules,
): Promise<FoldedPayment[]> {
  const capped = events.filter((event) => event.isClosed && (event.maxTickets ?? event.maxPerWallet) != null)
  if (capped.length === 0) return [...folded]
  const told: FoldedPayment[] = []
  for (const payment of folded) {
    const event = capped.find(({ number }) => number === payment.eventNumber)
    const isOver = event && payment.reason === 'missed' && (await hadNoRoom(tx, payment, event))
    told.push(isOver ? { ...payment, reason: 'over_cap' } : payment)
  }
  return told
}

async function hadNoRoom(tx: Db, payment: FoundPayment, event: SaleTerms): Promise<boolean> {
  const { blockNumber, transactionIndex, firstLogIndex, payer, units } = payment
  const [before] = await tx.execute<{ sold: number; held: number }>(sql`
    select coalesce(sum(ticket_count), 0)::int as sold,
      coalesce(sum(ticket_count) filter (where payer = ${payer}), 0)::int as held
    from ${payments} where event_number = ${event.number} and ticket_number is not null
      and (block_number, transaction_index, first_log_index)
        < (${blockNumber.toString()}::bigint, ${transactionIndex}::int, ${firstLogIndex}::int)`)
  const tickets = ticketsFor(units, event.ticketPrice) as number
  return whyNoRoom(event, before as { sold: number; held: number }, tickets) === 'over_cap'
}
