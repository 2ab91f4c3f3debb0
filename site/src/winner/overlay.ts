import { atom } from 'nanostores'
import type { PublicDrawStatus, PublicWinner } from '../../../core/live/public.ts'
import type { RefundCause } from '../../../core/refund/rules.ts'
import { $drawStatus, $winner } from '../live/live.ts'
import { hasWinner } from '../live/stage.ts'
import { getJson } from '../shell/api.ts'
import { $section } from '../shell/section.ts'
import { t } from '../texts/index.ts'

/** The times of docs/spec.md: the animation, the change of numbers, and how long a result is shown. */
export const animationMs = 10_000
export const flashMs = 100
const holdMs = 3_000

/** `winner` and `refund` close by themselves, `pending` and `checking` wait for one of them, `notice` is the operator's. */
export type OverlayState =
  | { kind: 'waiting' }
  | { kind: 'drawing' }
  | { kind: 'winner'; winner: PublicWinner; digits: string }
  | { kind: 'refund'; reason: RefundCause | null }
  | { kind: 'pending' }
  | { kind: 'checking' }
  | { kind: 'notice'; reason: RefundCause | null }

export const $isOverlayOpen = atom(false)
export const $overlay = atom<OverlayState>({ kind: 'waiting' })

let timer: ReturnType<typeof setTimeout> | undefined
/** A closed notice stays closed until the server withdraws it. */
let isNoticeDismissed = false
let hadNotice = false

/** Opened by the Start Draw button: waits, or joins a running draw. */
export function openOverlay(): void {
  if (!isBusy()) $overlay.set(idleState($drawStatus.get()))
  $isOverlayOpen.set(true)
}

export function closeOverlay(): void {
  isNoticeDismissed = $overlay.get().kind === 'notice'
  $isOverlayOpen.set(false)
}

/** Opens the overlay when a draw begins or the operator announces refunds. Returns how to stop; a page never does. */
export function watchDraw(): () => void {
  const stopStatus = $drawStatus.subscribe((status) => {
    if (!status) return
    if (status.isDrawing) return begin()
    const isWithdrawn = hadNotice && !status.refundNotice
    hadNotice = status.refundNotice
    if (!status.refundNotice) isNoticeDismissed = false
    if (isBusy()) return
    $overlay.set(idleState(status))
    if (isWithdrawn) $isOverlayOpen.set(false)
    if (status.refundNotice && !isNoticeDismissed) $isOverlayOpen.set(true)
  })
  // A result that comes after the animation has ended.
  const stopWinner = $winner.listen((winner) => {
    const { kind } = $overlay.get()
    if (winner && (kind === 'pending' || kind === 'checking')) announce(winner)
  })
  return () => {
    stopStatus()
    stopWinner()
    clearTimeout(timer)
  }
}

function begin(): void {
  if (isBusy()) return
  $overlay.set({ kind: 'drawing' })
  $isOverlayOpen.set(true)
  // The section that opens behind it shows the result at once.
  const parts = [import('./WinnerBoard.tsx'), import('@astrojs/react/client.js')]
  void Promise.all(parts).catch(() => undefined)
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), animationMs)
}

/** Asks the server for the result once more, past every cache. */
async function ask(): Promise<void> {
  try {
    const { value } = await getJson('/api/raffle/winner')
    // The stream may have told it while this answer was on its way.
    announce(value ?? $winner.get() ?? null)
  } catch {
    $overlay.set({ kind: 'checking' })
  }
}

function announce(winner: PublicWinner | null): void {
  const result = resultOf(winner, $drawStatus.get())
  $overlay.set(result)
  if (result.kind !== 'winner' && result.kind !== 'refund') return
  clearTimeout(timer)
  timer = setTimeout(() => {
    $overlay.set(idleState($drawStatus.get()))
    if (!$isOverlayOpen.get()) return
    $isOverlayOpen.set(false)
    $section.set('winner')
  }, holdMs)
}

const isBusy = (): boolean =>
  ['drawing', 'winner', 'refund', 'pending', 'checking'].includes($overlay.get().kind)

/** The state after ten seconds of drawing, by the server's answer at that time. @internal */
export function resultOf(
  winner: PublicWinner | null,
  status: Pick<PublicDrawStatus, 'isRefundMode' | 'refundReason'> | undefined,
): OverlayState {
  if (winner && hasWinner(winner)) return { kind: 'winner', winner, digits: lastDigits(winner.randomNumber) }
  if (status?.isRefundMode) return { kind: 'refund', reason: status.refundReason }
  return { kind: 'pending' }
}

/** While nothing is drawn: the refund notice as long as the server reports it, else waiting. @internal */
export const idleState = (status: PublicDrawStatus | undefined): OverlayState =>
  status?.refundNotice || status?.isRefundMode
    ? { kind: 'notice', reason: status.refundReason }
    : { kind: 'waiting' }

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
