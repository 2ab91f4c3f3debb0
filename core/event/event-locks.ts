import { RaffleError } from '../errors.ts'
import { dateByOf, drawByOf, type Entropy } from './event.ts'

/** A draw date may move at most this far behind the first one that buyers were told. */
export const longestDelayMs = 30 * 86_400_000

/** The facts of an event that lock its dates and its minimum. */
export type DateFacts = {
  drawDate: Date | null
  saleEnd: Date | null
  minTickets: number
  /** The draw date that was told first, or last before the first ticket. */
  firstDrawDate: Date | null
  isStopped: boolean
  /** A payment has got a ticket. */
  hasTickets: boolean
  saleStart: Date
  /** Time of the payment that has ticket 1; null where a reorg took it back. */
  firstTicketAt: Date | null
  entropy: Entropy
}

type Wanted = Pick<DateFacts, 'drawDate' | 'minTickets'>

/**
 * Why these dates or this minimum cannot be set at `now`; undefined if they can. Everything is locked from the sale end
 * on. From the first ticket on the minimum only falls, and the draw date moves earlier, or to 30 days behind the
 * first announced one at most; one that is announced only then keeps to the deadline that buyers had without it. So
 * they never wait longer, or need more others, than they were told.
 */
export function whyDatesLocked(event: DateFacts, wanted: Wanted, now: Date): RaffleError | undefined {
  const moved = wanted.drawDate?.getTime() !== event.drawDate?.getTime()
  const raised = wanted.minTickets > event.minTickets
  if (!moved && wanted.minTickets === event.minTickets) return undefined
  if (event.isStopped || (event.saleEnd && event.saleEnd <= now))
    return locked(
      moved ? 'drawDate' : 'minTicketsForDraw',
      '추첨 일시와 최소 티켓 수는 판매 종료 시각부터 잠깁니다.',
    )
  if (!event.hasTickets) return undefined
  if (raised)
    return locked(
      'minTicketsForDraw',
      `첫 티켓이 판매된 뒤에는 최소 티켓 수를 낮출 수만 있습니다. 지금은 ${event.minTickets}입니다.`,
    )
  if (!moved) return undefined
  if (!wanted.drawDate)
    return locked('drawDate', '첫 티켓이 판매된 뒤에는 공개된 추첨 일시를 없앨 수 없습니다.')
  const last = latestDrawDate(event)
  if (wanted.drawDate > last)
    return locked(
      'drawDate',
      `첫 티켓이 판매된 뒤에는 약속한 기한까지만 추첨 일시를 정할 수 있습니다: ${last.toISOString()}`,
    )
  return undefined
}

/**
 * The latest draw date once tickets are sold: 30 days behind the first one, but where that may have been announced
 * after the first ticket never so late that the draw is due behind the deadline of an event without a date. That one
 * counts from the sale start while the first ticket is taken back: no buyer was told a later deadline.
 */
export function latestDrawDate({
  firstDrawDate,
  firstTicketAt,
  saleStart,
  entropy,
}: Pick<DateFacts, 'firstDrawDate' | 'firstTicketAt' | 'saleStart' | 'entropy'>): Date {
  const epoch = new Date(0)
  const dueMs = drawByOf(epoch, entropy).getTime()
  const undated = new Date(dateByOf(firstTicketAt ?? saleStart).getTime() - dueMs)
  if (!firstDrawDate) return undated
  const delayed = new Date(firstDrawDate.getTime() + longestDelayMs)
  return firstDrawDate <= undated && undated < delayed ? undated : delayed
}

export const locked = (field: string, text: string): RaffleError =>
  new RaffleError('EVENT_LOCKED', text, {}, { field })
