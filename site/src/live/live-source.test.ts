import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Link, openLiveSource } from './live-source.ts'

class Stream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  constructor() {
    super()
    streams.push(this)
  }
  close() {
    this.readyState = 2
  }
}
const streams: Stream[] = []
const open = () => streams.filter(({ readyState }) => readyState !== 2).length
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const links: Link[] = []
const fetched = vi.fn(async () => Response.json({}))
let close = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', fetched)
  const nothing = () => {}
  const link = (link: Link) => links.push(link)
  close = openLiveSource({ snapshot: nothing, change: nothing, beat: nothing, part: nothing, link })
})
afterEach(() => {
  close()
  streams.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a tab that is hidden closes its stream and asks nothing; one that is seen again opens another', async () => {
  expect(open()).toBe(1)
  show('hidden')
  expect([open(), links.at(-1)]).toEqual([0, 'connecting'])
  fetched.mockClear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([open(), fetched.mock.calls.length]).toEqual([0, 0])
  show('visible')
  expect([open(), streams.length]).toEqual([1, 2])
})

test('without a stream the parts are polled, until one comes', async () => {
  await vi.advanceTimersByTimeAsync(3_000)
  expect(links.at(-1)).toBe('polling')
  streams[0]?.dispatchEvent(new MessageEvent('beat', { data: '{"now":1}' }))
  expect(links.at(-1)).toBe('live')
  fetched.mockClear()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(fetched).not.toHaveBeenCalled()
})

test('polling asks each part as often as docs/spec.md says', async () => {
  await vi.advanceTimersByTimeAsync(2_500)
  const asked = () => (fetched.mock.calls as unknown as [string][]).map(([url]) => url)
  const timesOf = (path: string) => asked().filter((url) => url === `/api/${path}`).length
  fetched.mockClear()
  await vi.advanceTimersByTimeAsync(6_000)
  const often = [
    'raffle/config',
    'raffle/stats',
    'raffle/winner',
    'raffle/draw-status',
    'raffle/history',
    'event/settings',
  ]
  expect(often.map(timesOf)).toEqual(often.map(() => 20))
  expect(timesOf('tickets/recent')).toBe(3)
})

test('a browser without AbortSignal.any polls too', async () => {
  vi.stubGlobal('AbortSignal', { timeout: () => new AbortController().signal })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(links.at(-1)).toBe('polling')
})
