import type { PublicDrawStatus, PublicWinner } from '../../../core/live/public.ts'
import type { RefundCause } from '../../../core/refund/rules.ts'
import { hasWinner } from '../live/history.ts'
import { t } from '../texts/index.ts'

/** The times of docs/spec.md: the animation, the change of numbers, and how long a result is shown. */
export const animationMs = 10_000
export const flashMs = 100
export const holdMs = 3_000

/**
 * `waiting`: nothing runs. `drawing`: ten seconds of animation. `winner` and `refund` are results and close
 * by themselves; `pending` and `checking` wait for one. `notice`: the operator has announced refunds.
 */
export type OverlayState =
  | { kind: 'waiting' }
  | { kind: 'drawing' }
  | { kind: 'winner'; winner: PublicWinner; digits: string }
  | { kind: 'refund'; reason: RefundCause | null }
  | { kind: 'pending' }
  | { kind: 'checking' }
  | { kind: 'notice'; reason: RefundCause | null }

/** The state after ten seconds of drawing, by the server's answer at that time. */
export function resultOf(
  winner: PublicWinner | null,
  status: Pick<PublicDrawStatus, 'isRefundMode' | 'refundReason'> | undefined,
): OverlayState {
  if (winner && hasWinner(winner)) return { kind: 'winner', winner, digits: lastDigits(winner.randomNumber) }
  if (status?.isRefundMode) return { kind: 'refund', reason: status.refundReason }
  return { kind: 'pending' }
}

/** The state while nothing is drawn: the refund notice while the server reports it, else waiting. */
export function idleState(status: PublicDrawStatus | undefined): OverlayState {
  return status?.refundNotice || status?.isRefundMode
    ? { kind: 'notice', reason: status.refundReason }
    : { kind: 'waiting' }
}

/** Last three digits of the random number, 777 where there is none. */
const lastDigits = (randomNumber: string | null | undefined): string =>
  randomNumber ? randomNumber.slice(-3).padStart(3, '0') : '777'

export const titleOf = ({ kind }: OverlayState): string =>
  kind === 'drawing' || kind === 'winner'
    ? t.overlay.prizeDraw
    : kind === 'refund' || kind === 'notice'
      ? t.overlay.refund
      : t.overlay.awaiting

export const statusOf = (state: OverlayState): string =>
  state.kind === 'notice' || state.kind === 'refund'
    ? refundWhy(state.reason)
    : t.overlay[`${state.kind}Text`]

/** Why the money goes back; the specification's sentence where too few tickets were sold, no cause for one of a later release. */
export const refundWhy = (reason: RefundCause | null): string =>
  (t.refundWhy as Partial<typeof t.refundWhy>)[reason ?? 'minimum'] ?? t.overlay.refund
