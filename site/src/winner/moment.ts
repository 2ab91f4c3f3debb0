import type {
  PublicDrawnTicket,
  PublicDrawStatus,
  PublicWinner,
  WalletReport,
} from '../../../core/live/public.ts'
import { shorten, usdt } from '../../../core/money.ts'
import { prizeName, refundOf } from '../buy/my-tickets.ts'
import { numbersText } from '../buy/standing.ts'
import type { Known } from '../live/live.ts'
import { hasWinner, isRefund } from '../live/stage.ts'
import { dateParts } from '../shell/dates.ts'
import { fill, plural, t } from '../texts/index.ts'
import { isSameAddress } from '../wallet/eip1193.ts'
import { prizeHeldBy } from './prizes.ts'

/** What the draw or the refund of an event means for one wallet, as it is said to its holder. */
export type Moment = { kind: 'won' | 'missed' | 'lost' | 'paid' | 'due'; title: string; text: string }

/** Undefined for a wallet that has no part in it, and before there is a result. */
export function momentOf(known: Known, report: WalletReport | undefined): Moment | undefined {
  const { config, drawStatus, winner } = known
  if (!report || !config) return undefined
  if (isRefund(config, drawStatus)) return refundMoment(config.eventNumber, drawStatus, report)
  return hasWinner(winner) ? drawMoment(known, winner, report) : undefined
}

function refundMoment(
  event: number,
  drawStatus: PublicDrawStatus | undefined,
  { payments, walletAddress }: WalletReport,
): Moment | undefined {
  const own = payments.filter(({ eventNumber }) => eventNumber === event)
  const { paid, due, at } = refundOf(own)
  if (due > 0)
    return {
      kind: 'due',
      title: fill(t.moment.due, { amount: usdt(due), wallet: shorten(walletAddress, 6, 4) }),
      text: paid > 0 ? fill(t.moment.duePaid, { amount: usdt(paid) }) : t.moment.dueText,
    }
  if (paid === 0) return undefined
  const date = dateParts(at)
  const day = typeof date === 'string' ? undefined : date.day
  const isOpen = drawStatus?.refunds.some(({ eventNumber }) => eventNumber === event)
  return {
    kind: 'paid',
    title: day
      ? fill(t.moment.paidAt, { amount: usdt(paid), day })
      : fill(t.moment.paid, { amount: usdt(paid) }),
    text: isOpen ? '' : t.moment.all,
  }
}

function drawMoment(told: Known, winner: PublicWinner, report: WalletReport): Moment | undefined {
  const { walletAddress: wallet } = report
  const { eventNumber } = winner
  const first: PublicDrawnTicket = { ...winner, kind: 'winner', place: 1 }
  const drawn = [
    first,
    ...(told.winners ?? []).filter(
      (each) => each.eventNumber === eventNumber && each.kind === 'winner' && each.place > 1,
    ),
  ]
  const past = told.history?.find((item) => item.eventNumber === eventNumber)
  const prizes = (told.prizes ?? []).filter((prize) => prize.eventNumber === eventNumber)
  const held = prizeHeldBy(prizes, wallet)
  const own = drawn.find((each) => isSameAddress(each.walletAddress, wallet))
  const ticket = `#${own?.ticketNumber}`
  if (held?.holder?.kind === 'reserve')
    return {
      kind: 'won',
      title: fill(t.moment.won, { prize: prizeName(past, held.place) }),
      text: t.moment.turnText,
    }
  if (own && !held && prizes.length > 0)
    return { kind: 'missed', title: t.moment.missed, text: fill(t.moment.missedText, { ticket }) }
  if (own)
    return {
      kind: 'won',
      title: fill(t.moment.won, { prize: prizeName(past, own.place) }),
      text: fill(t.moment.wonText, { ticket }),
    }
  const yours = report.payments
    .filter((payment) => payment.eventNumber === eventNumber && payment.ticketNumber !== null)
    .map(({ ticketNumber, ticketCount }) => numbersText(ticketNumber ?? 0, ticketCount))
  if (yours.length === 0) return undefined
  const text = fill(plural(t.moment.lostText, drawn.length), {
    yours: listOf(yours),
    drawn: listOf(drawn.map(({ ticketNumber }) => `#${ticketNumber}`)),
  })
  return { kind: 'lost', title: t.moment.lost, text }
}

const most = 4

const listOf = (names: readonly string[]): string =>
  names.length <= most
    ? names.join(', ')
    : fill(t.moment.more, { list: names.slice(0, most).join(', '), count: names.length - most })
