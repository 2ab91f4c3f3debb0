import { and, asc, eq, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { drawingMs } from '../../core/live/state.ts'
import { addChange } from '../event/changes.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { draws, events, payments } from '../schema/index.ts'

type ClearedWinner = {
  eventNumber: number
  walletAddress: Address
  transactionHash: Hash
  ticketNumber: number
  randomNumber: string
}

/** Hides the announced winner until the archive and lists the change; throws NO_WINNER without one. */
export async function clearWinner(tx: Db): Promise<ClearedWinner> {
  const event = await lockOpenEvent(tx)
  const winner = event && !event.winnerClearedAt && (await getAnnounced(tx, event))
  if (!winner) throw new RaffleError('NO_WINNER', 'There is no announced winner.')
  await tx
    .update(events)
    .set({ winnerClearedAt: sql`now()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, event.number))
  await addChange(tx, event.number, 'winner', 'announced', 'cleared')
  await bumpVersion(tx)
  return winner
}

/**
 * Announces the same winner again after a clear, 10 s from now as the first time. False if no winner is
 * cleared: of parallel calls one gets true.
 */
export async function announceAgain(tx: Db): Promise<boolean> {
  const event = await lockOpenEvent(tx)
  if (!event?.winnerClearedAt) return false
  await tx
    .update(events)
    .set({ winnerClearedAt: null, redrawnAt: sql`clock_timestamp()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, event.number))
  await addChange(tx, event.number, 'winner', 'cleared', 'drawn again: the same winner')
  await bumpVersion(tx)
  return true
}

/** The winner of an event, once its drawing has ended. */
async function getAnnounced(tx: Db, event: Event): Promise<ClearedWinner | undefined> {
  const [row] = await tx
    .select()
    .from(draws)
    .innerJoin(payments, eq(payments.id, draws.winningPayment))
    .where(
      and(
        eq(draws.eventNumber, event.number),
        sql`greatest(${draws.drawnAt}, ${event.redrawnAt?.toISOString() ?? null}::timestamptz)
          + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp()`,
      ),
    )
    .orderBy(asc(draws.eventNumber))
  return (
    row && {
      eventNumber: event.number,
      walletAddress: getAddress(row.payments.payer),
      transactionHash: row.payments.transactionHash,
      ticketNumber: row.draws.winningTicket,
      randomNumber: `${row.draws.randomNumber}`,
    }
  )
}
