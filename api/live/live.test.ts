import { connect } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { applyChange, type LiveChange, type LiveSnapshot, type PublicState } from '../../core/live/public.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { events } from '../../db/schema/index.ts'
import { type OpenApi, openApi } from '../../e2e/lab/api.ts'
import { siteProxyToken } from '../../e2e/lab/build-api.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { until } from '../../e2e/lab/until.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { createLiveState } from './state.ts'

let api: OpenApi
afterEach(() => api.close())

describe('GET /api/live', () => {
  test('L4: begins with a snapshot and a spread retry time, with any Last-Event-ID', async () => {
    api = await openApi()
    const { url } = api.listen()
    const retries = new Set<number>()
    for (const id of ['', '1', '99999999999', 'nonsense']) {
      const stream = await follow(url, { 'last-event-id': id })
      const snapshot = await stream.next('snapshot')
      expect(snapshot.data).toMatchObject({
        version: api.state.version,
        stats: { ticketsSold: 0, ticketPrice: 3 },
      })
      expect(snapshot.id).toBe(`${api.state.version}`)
      retries.add(snapshot.retry)
      stream.leave()
    }
    for (const retry of retries) expect(retry).toBeGreaterThanOrEqual(500)
    for (const retry of retries) expect(retry).toBeLessThan(5_000)
    expect(retries.size).toBeGreaterThan(1)
  })

  test('then sends what changed; laid over the snapshot it is the state (I22)', async () => {
    api = await openApi()
    const stream = await follow(api.listen().url)
    let known = (await stream.next('snapshot')).data as LiveSnapshot & PublicState
    for (const block of [1, 2, 3]) {
      await foldTo(api.db, api.event, block, [paid(api.event, { block, cents: 9_900 })])
      const change = (await stream.next('change')).data as LiveChange
      expect(change.recentAdded ?? change.recent).toHaveLength(1)
      expect(change.version).toBeGreaterThan(known.version)
      known = applyChange(known, change)
    }
    const { now: _, ...own } = known
    const { now: __, ...state } = api.state.snapshot() as LiveSnapshot
    expect(own).toEqual(state)
    expect(own.stats.ticketsSold).toBe(99)
    stream.leave()
  })

  test('sends heartbeats, so that a page knows the stream is alive', async () => {
    api = await openApi({ streamLimits: { beatEveryMs: 20 } })
    const stream = await follow(api.listen().url)
    const { data } = await stream.next('beat')
    expect(data).toMatchObject({ version: api.state.version, stale: false, now: expect.any(Number) })
    stream.leave()
  })

  test('reports at once when the state goes stale and when it is fresh again', async () => {
    api = await openApi()
    const stream = await follow(api.listen().url)
    await stream.next('snapshot')
    api.state.markStale()
    expect((await stream.next('beat')).data).toMatchObject({ stale: true })
    expect((await api.call('GET', '/api/raffle/stats')).headers.get('x-state')).toBe('stale')
    await until(() => !api.state.isStale)
    expect((await stream.next('beat')).data).toMatchObject({ stale: false })
    expect((await api.call('GET', '/api/raffle/stats')).headers.get('x-state')).toBeNull()
    stream.leave()
  })
})

test('phases of the clock change without a write, each at its moment', async () => {
  const { db } = await forTest(usedDb())
  await openEvent(db)
  const clock = handClock()
  const state = createLiveState({
    ...{ load: () => loadPublicFacts(db), salesPaused: false, clock },
    onError: (error) => expect.unreachable(`${error}`),
  })
  onTestFinished(state.stop)
  await db.update(events).set({ saleEnd: fromNow(3_600), drawDate: fromNow(3_610) })
  await state.refresh()
  const { version, config } = state.snapshot() as LiveSnapshot
  const changes: LiveChange[] = []
  state.subscribe({ change: (change) => changes.push(change) })
  const moments = [config.saleEndDate, config.drawDate].map((date) => Date.parse(date as string))
  for (const [index, moment] of moments.entries()) {
    clock.advance(moment - state.now())
    await expect.poll(() => changes.length, { interval: 1 }).toBe(index)
    clock.advance(1)
    await expect.poll(() => changes.length, { interval: 1 }).toBe(index + 1)
  }
  expect(changes).toMatchObject([
    { version: version + 1, now: (moments[0] as number) + 1 },
    { version: version + 2, now: (moments[1] as number) + 1, drawStatus: { canDraw: true } },
  ])
})

describe('a stream on a port, which the server opens from its own route table', () => {
  test('has the headers of every public answer, and is counted', async () => {
    api = await openApi()
    const { url } = api.listen()
    const [onPort, inApp] = [await fetch(`${url}/api/live`), await api.call('GET', '/api/live')]
    const own = { 'x-request-id': expect.any(String), date: expect.any(String) }
    for (const { headers } of [onPort, inApp])
      expect({ ...own, ...Object.fromEntries(headers) }).toEqual({
        ...own,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        ...(headers.has('transfer-encoding') && { 'transfer-encoding': 'chunked' }),
      })
    const metrics = await api.app.metrics.registry.metrics()
    expect(metrics).toContain('{route="/api/live",method="GET",status="200"} 2')
    await Promise.all([onPort, inApp].map(({ body }) => body?.cancel()))
  })

  test('a foreign host is 421, another method 405, a long address 414 and one too many 429', async () => {
    api = await openApi({ streamLimits: { streamsPerAddress: 1 } })
    const { url } = api.listen()
    const asked = (init: RequestInit, path = '/api/live') => fetch(url + path, init)
    const first = await asked({})
    const refused = [
      await asked({ headers: { host: 'evil.example' } }),
      await asked({ method: 'POST' }),
      await asked({}, `/api/live?${'x'.repeat(9_000)}`),
      await asked({}),
    ]
    expect(refused.map(({ status }) => status)).toEqual([421, 405, 414, 429])
    expect(await first.body?.cancel()).toBeUndefined()
  })
})

describe('streams are bounded', () => {
  test('L2: 20 for one address, or one /64 of IPv6, others are not affected', async () => {
    api = await openApi()
    const open = (from: string) => api.call('GET', '/api/live', { from })
    for (let index = 0; index < 20; index++) expect((await open(`2001:db8:0:7::${index}`)).status).toBe(200)
    const refused = await open('2001:db8:0:7:ffff::1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' })
    expect((await open('2001:db8:0:8::1')).status).toBe(200)
    expect((await open('203.0.113.9')).status).toBe(200)
  })

  test('L2: a /48 of IPv6 has a total, however many networks it uses', async () => {
    api = await openApi({ streamLimits: { streamsPerAddress: 2 } })
    const open = async (group: number) =>
      api.call('GET', '/api/live', { from: `2001:db8:0:${group.toString(16)}::1` })
    const first = await open(256)
    for (let n = 2; n <= 8; n++) expect((await open(n * 256)).status).toBe(200)
    expect((await open(9 * 256)).status).toBe(429)
    expect((await api.call('GET', '/api/live', { from: '2001:db8:1::1' })).status).toBe(200)
    await first.body?.cancel()
    expect((await open(10 * 256)).status).toBe(200)
  })

  test('L2: no more than the whole server holds; a stream that ends makes room', async () => {
    api = await openApi({ streamLimits: { streams: 2 } })
    const first = await api.call('GET', '/api/live', { from: '10.0.0.1' })
    await api.call('GET', '/api/live', { from: '10.0.0.2' })
    const refused = await api.call('GET', '/api/live', { from: '10.0.0.3' })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'BUSY' })
    await first.body?.cancel()
    expect((await api.call('GET', '/api/live', { from: '10.0.0.3' })).status).toBe(200)
  })

  test('L2, L3: 50 readers that never read are dropped, the others miss nothing', async () => {
    api = await openApi({ streamLimits: { backlogBytes: 4_096 } })
    const { port, url } = api.listen()
    const silent = Array.from({ length: 50 }, (_, index) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(
        `GET /api/live HTTP/1.1\r\nHost: localhost\r\nx-site-proxy: ${siteProxyToken}\r\nx-forwarded-for: 10.9.${index >> 4}.1\r\n\r\n`,
      )
      return socket
    })
    const reader = await follow(url)
    await reader.next('snapshot')
    await until(() => api.app.streams.count === 51, 'all streams')
    // Large events fill what the kernel holds for a reader, then the queue of the stream.
    const event = new TextEncoder().encode(`event: noise\ndata: "${'x'.repeat(262_144)}"\n\n`)
    let sent = 0
    while (api.app.streams.count > 1 && sent < 200) {
      api.app.streams.broadcast(event)
      sent++
      await reader.next('noise')
    }
    expect(api.app.streams.count).toBe(1)
    expect((await fetch(`${url}/api/raffle/stats`)).status).toBe(200)
    for (const socket of silent) socket.destroy()
    reader.leave()
  })

  test('V1: every stream gets a close event and ends, and no new one is opened', async () => {
    api = await openApi()
    const { url, server } = api.listen()
    const streams = await Promise.all([follow(url), follow(url), follow(url)])
    for (const stream of streams) await stream.next('snapshot')
    api.app.leave()
    for (const stream of streams) await stream.next('close')
    for (const stream of streams) await stream.ended
    expect((await api.call('GET', '/api/live')).status).toBe(503)
    expect((await api.call('GET', '/api/ready')).status).toBe(503)
    expect((await api.call('GET', '/api/health')).status).toBe(200)
    await server.stop()
    expect(server.pendingRequests).toBe(0)
  })
})

type Event = { id: string; event: string; data: unknown; retry: number }

/** Reads a stream event by event; `next` skips to one of this name. */
async function follow(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/live`, { headers, signal: abort.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const events = parse(response.body as ReadableStream<Uint8Array>)
  const ended = Promise.withResolvers<void>()
  return {
    ended: ended.promise,
    leave: () => abort.abort(),
    async next(name: string): Promise<Event> {
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error(`The stream ended before "${name}".`)
        if (value.event === name) {
          if (name === 'close') void events.next().then(({ done }) => done && ended.resolve())
          return value
        }
      }
    },
  }
}

async function* parse(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      yield {
        id: field('id'),
        event: field('event'),
        data: JSON.parse(field('data')),
        retry: Number(field('retry')),
      }
    }
  }
}
