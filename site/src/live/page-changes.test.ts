import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { $now } from './clock.ts'
import { $live, type Known } from './live.ts'
import { eventMark, followPage, homeMark } from './page-changes.ts'

const runs = (eventNumber: number, content = '0xaa', config: object = {}): Known =>
  ({
    winner: null,
    config: { eventNumber, terms: `1,2,${content}\n`, termsSha256: '0x77', saleLeadSeconds: 60, ...config },
  }) as unknown as Known

test('the mark of the home page is its event and its prizes; that of an event, its terms and its stage', () => {
  expect([homeMark({}), eventMark({})]).toEqual([undefined, undefined])
  expect(homeMark(runs(7))).toBe('7,0xaa')
  expect(eventMark(runs(7))).toBe('0x77,selling')
  expect(eventMark(runs(7, '0xaa', { isRefundMode: true }))).toBe('0x77,refund')
})

const pageOf = (mark: string) => `<meta name="page-mark" content="${mark}">`
const listeners: (() => void)[] = []
let known: Known
let served: string
let isBusy = false
const asked: string[] = []
const reload = vi.fn()
const hidden = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  known = runs(1)
  served = '1,0xaa'
  isBusy = false
  reload.mockClear()
  vi.stubGlobal('document', {
    ...{ head: { innerHTML: pageOf('1,0xaa') }, documentElement: { toggleAttribute: hidden } },
  })
  vi.stubGlobal('location', { origin: 'https://raffle.example', pathname: '//stranger.example/', reload })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response(pageOf(served))
  })
  vi.spyOn($live, 'get').mockImplementation(() => known)
  const listen = (listener: unknown) => {
    listeners.push(listener as () => void)
    return () => {}
  }
  vi.spyOn($live, 'listen').mockImplementation(listen)
  vi.spyOn($now, 'listen').mockImplementation(listen)
  followPage({ markOf: homeMark, isBusy: () => isBusy })
})
afterEach(() => {
  listeners.length = 0
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const tell = (next: Known) => {
  known = next
  for (const listen of listeners) listen()
}
const pass = (ms = 60_000) => vi.advanceTimersByTimeAsync(ms)

test('an open page hides the prize of the event before, and is loaded anew once it is served with the new one', async () => {
  tell(runs(2))
  expect(hidden).toHaveBeenLastCalledWith('data-renewing', true)
  await pass(3_600_000)
  expect(reload).not.toHaveBeenCalled()
  served = '2,0xaa'
  await pass()
  expect(reload).toHaveBeenCalledOnce()
})

test('it is never loaded anew in a purchase, but after it', async () => {
  isBusy = true
  served = '1,0xbb'
  tell(runs(1, '0xbb'))
  await pass(600_000)
  expect(reload).not.toHaveBeenCalled()
  isBusy = false
  await pass()
  expect(reload).toHaveBeenCalledOnce()
})

test('it stays where its event is the same, whatever else changes, and asks nobody', async () => {
  asked.length = 0
  tell(runs(1, '0xaa', { drawDate: '2026-01-01', isRefundMode: true }))
  await pass(3_600_000)
  expect([reload.mock.calls.length, hidden.mock.lastCall, asked]).toEqual([
    ...[0, ['data-renewing', false], []],
  ])
})

test('it asks its own origin alone, whatever its path reads like', async () => {
  tell(runs(2))
  await pass()
  expect(new Set(asked)).toEqual(new Set(['https://raffle.example//stranger.example/']))
})
