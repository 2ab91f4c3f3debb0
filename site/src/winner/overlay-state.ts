import type { PublicConfig, PublicDrawStatus, PublicStats, PublicWinner } from '../../../core/public.ts'
import { hasWinner } from '../live/history.ts'
import { t } from '../texts/index.ts'

/** The times of docs/spec.md: the animation, the change of numbers, and how long a result is held. */
export const animationMs = 10_000
export const flashMs = 100
export const holdMs = 3_000

/**
 * `waiting`: nothing runs. `drawing`: ten seconds of animation. `winner` and `refund` are results and close by
 * themselves; `pending` and `checking` wait for one. `notice`: the operator told everyone about refunds.
 */
export type OverlayState =
  | { kind: 'waiting' }
  | { kind: 'drawing' }
  | { kind: 'winner'; winner: PublicWinner; digits: string }
  | { kind: 'refund' }
  | { kind: 'pending' }
  | { kind: 'checking' }
  | { kind: 'notice' }

/** What ten seconds of drawing end with, by what the server says then. */
export function resultOf(
  winner: PublicWinner | null,
  stats: Pick<PublicStats, 'ticketsSold'> | undefined,
  config: Pick<PublicConfig, 'minTicketsForDraw'> | undefined,
): OverlayState {
  if (winner && hasWinner(winner)) return { kind: 'winner', winner, digits: lastDigits(winner.randomNumber) }
  if (stats && config && stats.ticketsSold < config.minTicketsForDraw) return { kind: 'refund' }
  return { kind: 'pending' }
}

/** While nothing is drawn: the refund notice stands as long as the server says so, then waiting again. */
export function idleState(status: PublicDrawStatus | undefined): OverlayState {
  return status?.refundNotice || status?.isRefundMode ? { kind: 'notice' } : { kind: 'waiting' }
}

/** Last three digits of the random number, 777 where there is none. */
export const lastDigits = (randomNumber: string | null | undefined): string =>
  randomNumber ? randomNumber.slice(-3).padStart(3, '0') : '777'

export const titleOf = ({ kind }: OverlayState): string =>
  kind === 'drawing' || kind === 'winner'
    ? t.overlay.prizeDraw
    : kind === 'refund' || kind === 'notice'
      ? t.overlay.refund
      : t.overlay.awaiting

export const statusOf = ({ kind }: OverlayState): string =>
  t.overlay[`${kind === 'notice' ? 'refund' : kind}Text`]
