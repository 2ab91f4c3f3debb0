import { RaffleError } from './errors.ts'

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
}

type Wanted = Pick<DateFacts, 'drawDate' | 'minTickets'>

/**
 * Why these dates or this minimum cannot be set at `now`; undefined if they can. Everything is locked from the sale end
 * on. From the first ticket on the minimum only falls, and the draw date moves earlier, or to 30 days behind the
 * first announced one at most: buyers never wait longer, or need more others, than they were told.
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
  if (!moved || !event.firstDrawDate) return undefined
  const last = new Date(event.firstDrawDate.getTime() + longestDelayMs)
  if (!wanted.drawDate)
    return locked('drawDate', '첫 티켓이 판매된 뒤에는 공개된 추첨 일시를 없앨 수 없습니다.')
  if (wanted.drawDate > last)
    return locked(
      'drawDate',
      `첫 티켓이 판매된 뒤에는 처음 공개한 추첨 일시에서 30일까지만 미룰 수 있습니다: ${last.toISOString()}`,
    )
  return undefined
}

export const locked = (field: string, text: string): RaffleError =>
  new RaffleError('EVENT_LOCKED', text, {}, { field })
