import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PublicDrawStatus, PublicState } from '../../../core/live/public.ts'
import { now, tell } from '../../../e2e/lab/islands.ts'
import { toldFirst, winnerAt } from '../../../e2e/lab/told.ts'
import { $live } from '../live/live.ts'
import { $section } from '../shell/section.ts'
import { $isOverlayOpen, $overlay, closeOverlay, openOverlay, watchDraw } from './overlay.ts'

const winner = winnerAt(now)
let stop = () => {}
let answer: () => Response = () => Response.json(null)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async () => answer())
  tell()
  $section.set('home')
  stop = watchDraw()
})
afterEach(() => {
  stop()
  tell()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The next thing that the server tells. */
const hear = (status: Partial<PublicDrawStatus>, part: Partial<PublicState> = {}) => {
  const known = $live.get()
  const before = known.drawStatus ?? toldFirst(now).drawStatus
  $live.set({ ...known, ...part, drawStatus: { ...before, ...status } })
}
const shown = () => [$isOverlayOpen.get(), $overlay.get().kind, $section.get()]
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('ten seconds of drawing, three of the result, then the Winner section', async () => {
  answer = () => Response.json(winner)
  hear({ isDrawing: true })
  expect(shown()).toEqual([true, 'drawing', 'home'])
  await pass(9_999)
  expect(shown()).toEqual([true, 'drawing', 'home'])
  await pass(1)
  expect($overlay.get()).toEqual({ kind: 'winner', winner, digits: '461' })
  await pass(2_999)
  expect(shown()).toEqual([true, 'winner', 'home'])
  hear({ isDrawing: false })
  await pass(1)
  expect(shown()).toEqual([false, 'waiting', 'winner'])
})

test('a result that comes after the ten seconds is announced when it comes', async () => {
  answer = () => Response.json(null)
  hear({ isDrawing: true })
  await pass(10_000)
  expect(shown()).toEqual([true, 'pending', 'home'])
  hear({ isDrawing: false }, { winner })
  expect(shown()).toEqual([true, 'winner', 'home'])
  await pass(3_000)
  expect(shown()).toEqual([false, 'waiting', 'winner'])
})

test('a server that does not answer leaves the results to be checked, until they are told', async () => {
  answer = () => {
    throw new TypeError('Failed to fetch')
  }
  hear({ isDrawing: true })
  await pass(10_000)
  expect(shown()).toEqual([true, 'checking', 'home'])
  hear({ isDrawing: false }, { winner })
  expect(shown()).toEqual([true, 'winner', 'home'])
})

test('in refund mode the draw ends with the refund message', async () => {
  answer = () => Response.json(null)
  hear({ isDrawing: true, isRefundMode: true, refundReason: 'minimum' })
  await pass(10_000)
  expect($overlay.get()).toEqual({ kind: 'refund', reason: 'minimum' })
  hear({ isDrawing: false })
  await pass(3_000)
  expect(shown()).toEqual([false, 'notice', 'winner'])
})

test('the refund notice opens by itself, stays closed once it is closed, and comes again with a new one', () => {
  hear({ refundNotice: true })
  expect(shown()).toEqual([true, 'notice', 'home'])
  closeOverlay()
  hear({ refundNotice: true, refundReason: 'minimum' })
  expect(shown()).toEqual([false, 'notice', 'home'])
  hear({ refundNotice: false })
  expect(shown()).toEqual([false, 'waiting', 'home'])
  hear({ refundNotice: true })
  expect(shown()).toEqual([true, 'notice', 'home'])
  // The operator hides it: it closes on open pages too, also while money goes back.
  hear({ refundNotice: false })
  expect(shown()).toEqual([false, 'waiting', 'home'])
  hear({ refundNotice: true, isRefundMode: true })
  expect(shown()).toEqual([true, 'notice', 'home'])
  hear({ refundNotice: false })
  expect(shown()).toEqual([false, 'notice', 'home'])
})

test('the button opens it to wait, and a draw that has begun goes on behind a closed overlay', async () => {
  openOverlay()
  expect(shown()).toEqual([true, 'waiting', 'home'])
  answer = () => Response.json(winner)
  hear({ isDrawing: true })
  closeOverlay()
  await pass(10_000)
  expect(shown()).toEqual([false, 'winner', 'home'])
  openOverlay()
  expect(shown()).toEqual([true, 'winner', 'home'])
  closeOverlay()
  hear({ isDrawing: false })
  await pass(3_000)
  expect(shown()).toEqual([false, 'waiting', 'home'])
})
