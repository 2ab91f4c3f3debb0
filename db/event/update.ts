import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { saleEndOf } from '../../core/event.ts'
import { locked, whyDatesLocked } from '../../core/event-locks.ts'
import type { Db } from '../index.ts'
import { scanCursor } from '../schema/index.ts'
import { type EnvTerms, type Event, hasTickets, lockOpenEvent } from './events.ts'
import { isOver, openNext } from './next.ts'
import { setTerms } from './set-terms.ts'
import { firstTicketTime } from './terms.ts'

/** Fields that an administrator may change; undefined leaves a field alone. Types are checked already. */
export type EventPatch = {
  drawDate?: Date | null | undefined
  /** Optional; if given it must equal the derived one. */
  saleEndDate?: Date | null | undefined
  googleFormUrl?: string | null | undefined
  operatorWallet?: Address | undefined
  minTickets?: number | undefined
}

type Rules = {
  /** Terms of the environment, for a newly opened event. */
  terms: EnvTerms
  /** OPERATOR_WALLET: no form may change it. */
  pinnedWallet: Address | undefined
  /** The revision that the administrator saw. */
  revision?: number | undefined
}

/**
 * Changes the open event under the rules of dates and locks. A draw date for an event that is over archives
 * it (`archived` is its number) and opens the next one, to which the other fields apply. Throws VERSION_CONFLICT,
 * EVENT_LOCKED, WALLET_PINNED, INVALID_WALLET, DATE_IN_PAST, INVALID_DATE; nothing is changed then.
 */
export async function updateEvent(
  db: Db,
  patch: EventPatch,
  rules: Rules,
): Promise<{ event: Event; archived: number | undefined }> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
    if (rules.revision !== undefined && rules.revision !== event.revision)
      throw new RaffleError(
        'VERSION_CONFLICT',
        'Somebody else has changed these settings. Reload and try again.',
      )
    const isNext = patch.drawDate instanceof Date && (await isOver(tx, event))
    const target = isNext ? await openNext(tx, event, rules.terms, patch.minTickets) : event
    const isLocked = await hasTickets(tx, target.number)
    // Dates first: a new wallet moves the scan back and with it the time of the newest block.
    const dates = await checkDates(tx, target, patch, isLocked)
    const wallet = checkWallet(target, patch, rules, isLocked, await newestMoment(tx))
    const updated = await setTerms(tx, target, { ...dates, ...wallet, googleFormUrl: patch.googleFormUrl })
    return { event: updated, archived: isNext ? event.number : undefined }
  })
}

function checkWallet(event: Event, patch: EventPatch, { pinnedWallet }: Rules, isLocked: boolean, now: Date) {
  const wallet = patch.operatorWallet?.toLowerCase() as Address | undefined
  if (!wallet || wallet === event.operatorWallet) return {}
  const field = 'operatorWallet'
  if (pinnedWallet && wallet !== pinnedWallet.toLowerCase())
    throw new RaffleError('WALLET_PINNED', 'The operator wallet is pinned by OPERATOR_WALLET.', {}, { field })
  if (isLocked) throw locked(field, '운영자 지갑은 첫 티켓이 판매된 때부터 잠깁니다.')
  if (hasEnded(event, now)) throw locked(field, '운영자 지갑은 판매 종료 시각부터 잠깁니다.')
  return { operatorWallet: wallet }
}

async function checkDates(tx: Db, event: Event, patch: EventPatch, isLocked: boolean) {
  const drawDate = patch.drawDate === undefined ? event.drawDate : patch.drawDate
  const minTickets = patch.minTickets ?? event.minTickets
  const moved = drawDate?.getTime() !== event.drawDate?.getTime()
  const saleEnd = moved ? drawDate && saleEndOf(drawDate, event.saleLeadSeconds) : event.saleEnd
  if (patch.saleEndDate && patch.saleEndDate.getTime() !== saleEnd?.getTime())
    throw new RaffleError(
      'INVALID_DATE',
      `The sale ends at ${saleEnd?.toISOString() ?? 'no date'}, as the draw date has it.`,
      {},
      { field: 'saleEndDate' },
    )
  const now = await newestMoment(tx)
  const facts = {
    ...event,
    isStopped: event.stoppedAt !== null,
    hasTickets: isLocked,
    firstTicketAt: isLocked ? await firstTicketTime(tx, event) : null,
  }
  const refusal = whyDatesLocked(facts, { drawDate, minTickets }, now)
  if (refusal) throw refusal
  if (moved && saleEnd && (saleEnd <= now || saleEnd <= event.saleStart))
    throw new RaffleError(
      'DATE_IN_PAST',
      `The sale would end at ${saleEnd.toISOString()}, which is not in the future.`,
      {},
      { field: 'drawDate' },
    )
  return { drawDate, saleEnd, minTickets }
}

/** Nothing that decides about payments changes any more. */
export const hasEnded = ({ frozenAt, stoppedAt, saleEnd }: Event, now: Date): boolean =>
  frozenAt !== null || stoppedAt !== null || (saleEnd !== null && saleEnd <= now)

/** The later of the database's clock and the newest block seen: no change may affect earlier blocks. */
export async function newestMoment(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ moment: string }>(
    sql`select greatest(clock_timestamp(), (select greatest(block_time, newest_block_time) from ${scanCursor})) as moment`,
  )
  return new Date(row?.moment as string)
}
