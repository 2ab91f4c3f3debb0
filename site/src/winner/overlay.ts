import { atom } from 'nanostores'
import type { PublicWinner } from '../../../core/live/public.ts'
import { $drawStatus, $winner } from '../live/live.ts'
import { getJson } from '../shell/api.ts'
import { openSection } from '../shell/section.ts'
import { animationMs, holdMs, idleState, type OverlayState, resultOf } from './overlay-state.ts'

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
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), animationMs)
}

/** Asks the server for the result once more, past every cache. */
async function ask(): Promise<void> {
  try {
    announce((await getJson('/api/raffle/winner')).value)
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
    openSection('winner')
  }, holdMs)
}

const isBusy = (): boolean =>
  ['drawing', 'winner', 'refund', 'pending', 'checking'].includes($overlay.get().kind)
