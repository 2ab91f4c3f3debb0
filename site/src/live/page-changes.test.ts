import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $live, type Known } from './live.ts'
import { followPage, tellsOfPages } from './page-changes.ts'

const known = {
  version: 7,
  ...{ stats: { ticketsSold: 1 }, recent: [], solvency: null, config: { eventNumber: 1 }, winner: null },
} as unknown as Known
const after = (change: object): Known => ({ ...known, ...change }) as Known

test('a sale tells nothing of a page; a date, a result, or a change that no part shows does', () => {
  expect(tellsOfPages(known, after({ version: 8, stats: {}, recent: [] }))).toBe(false)
  expect(tellsOfPages(known, after({ version: 8, stats: {}, config: { eventNumber: 1 } }))).toBe(true)
  expect(tellsOfPages(known, after({ version: 8, winner: {} }))).toBe(true)
  expect(tellsOfPages(known, after({ version: 8 }))).toBe(true)
})

test('neither the first state nor what is polled again is a change', () => {
  expect(tellsOfPages({}, known)).toBe(false)
  expect(tellsOfPages(known, after({ winner: {} }))).toBe(false)
})

describe('a page that is open', () => {
  const pageOf = (mark: string) => `<meta name="page-mark" content="${mark}">`
  const runs = (eventNumber: number, content = '0xaa') => ({ eventNumber, terms: `1,2,${content}\n` })
  let told = known
  let listener: (after: Known, before: Known) => void
  const tell = (version: number, config: object) => {
    const before = told
    told = { ...known, version, config } as unknown as Known
    listener(told, before)
  }
  let served = 'first'
  let isBusy = false
  const asked: string[] = []
  const reload = vi.fn()
  const hidden = vi.fn()

  beforeEach(() => {
    vi.useFakeTimers()
    served = 'first'
    isBusy = false
    reload.mockClear()
    vi.stubGlobal('document', {
      ...{ head: { innerHTML: pageOf('first') }, documentElement: { toggleAttribute: hidden } },
    })
    vi.stubGlobal('location', { origin: 'https://raffle.example', pathname: '//stranger.example/', reload })
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return new Response(pageOf(served))
    })
    told = { ...known, config: runs(1) } as unknown as Known
    vi.spyOn($live, 'listen').mockImplementation((listen) => {
      listener = listen as typeof listener
      return () => {}
    })
    followPage({ event: '1,0xaa', isBusy: () => isBusy })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const pass = (ms = 60_000) => vi.advanceTimersByTimeAsync(ms)

  test('hides the prize of the event before, and is loaded anew once it is served with the new one', async () => {
    tell(8, runs(2))
    expect(hidden).toHaveBeenLastCalledWith('data-renewing', true)
    await pass(3_600_000)
    expect(reload).not.toHaveBeenCalled()
    served = 'second'
    await pass()
    expect(reload).toHaveBeenCalledOnce()
  })

  test('is never loaded anew in a purchase, but after it', async () => {
    isBusy = true
    served = 'second'
    tell(8, runs(1, '0xbb'))
    await pass(600_000)
    expect(reload).not.toHaveBeenCalled()
    isBusy = false
    await pass()
    expect(reload).toHaveBeenCalledOnce()
  })

  test('stays where it says the same, and asks nobody else whatever its path reads like', async () => {
    tell(8, { ...runs(1), drawDate: '2026-01-01' })
    await pass(3_600_000)
    expect([reload.mock.calls.length, hidden.mock.lastCall]).toEqual([0, ['data-renewing', false]])
    expect(new Set(asked)).toEqual(new Set(['https://raffle.example//stranger.example/']))
  })
})
