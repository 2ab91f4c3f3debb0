import { describe, expect, test } from 'vitest'
import { type OpenApi, openApi } from '../../e2e/lab/api.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { matches } from '../http/ready.ts'
import { createLiveState, publicPaths } from '../live/state.ts'

const paths = Object.values(publicPaths)

const untouchable = new Proxy({}, { get: () => expect.unreachable('a public call touched the database') })
const api = await forFile(openApi({ db: untouchable as never }))
const { url } = api.listen()

describe('public calls', () => {
  test.each(paths)('L1: %s answers ready bytes without SQL, cacheable by a CDN', async (path) => {
    for (const response of [await fetch(url + path), await api.call('GET', path)]) {
      expect(response.status).toBe(200)
      expect(await response.json()).toBeDefined()
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': expect.stringMatching(/^public, max-age=0, s-maxage=1, /),
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-state-version': `${api.state.version}`,
      })
      expect(response.headers.get('x-state')).toBeNull()
    }
  })

  test('a CDN serves old figures while we are down, but never an old wallet, halt, date or rule', async () => {
    const caching = async (path: string) => {
      const first = await fetch(url + path)
      const again = await fetch(url + path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
      return [again.status, first.headers.get('cache-control'), again.headers.get('cache-control')]
    }
    for (const path of paths) {
      const [status, ...headers] = await caching(path)
      const isOld =
        path === publicPaths.config || path === publicPaths.rules
          ? 'must-revalidate'
          : 'stale-while-revalidate=30, stale-if-error=600'
      const expected = `public, max-age=0, s-maxage=1, ${isOld}`
      expect([path, status, ...headers]).toEqual([path, 304, expected, expected])
    }
  })

  test('L1: the timestamp parameter has no effect', async () => {
    const [plain, stamped] = await Promise.all(
      ['', '?t=1764225439000&_=1'].map((query) => fetch(`${url}/api/raffle/config${query}`)),
    )
    expect(stamped?.headers.get('etag')).toBe(plain?.headers.get('etag'))
    expect(await stamped?.text()).toBe(await plain?.text())
  })

  test('an unchanged part is 304 without a body, with all headers a cache needs', async () => {
    const etag = (await fetch(`${url}/api/raffle/config`)).headers.get('etag') as string
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await fetch(`${url}/api/raffle/config`, { headers: { 'if-none-match': ifNoneMatch } })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(etag)
      expect(response.headers.get('cache-control')).toContain('s-maxage=1')
    }
    const other = await fetch(`${url}/api/raffle/config`, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  test('a tag that only contains ours is another tag', () => {
    expect(matches('"xabcx"', '"abc"')).toBe(false)
    expect(matches('W/"abc" , "d"', '"abc"')).toBe(true)
  })

  test('HEAD is GET without the body', async () => {
    for (const path of ['/api/raffle/config', '/api/health']) {
      const headers = { 'accept-encoding': 'identity' }
      const asked = (method: string) => fetch(url + path, { method, headers })
      const [get, head] = await Promise.all([asked('GET'), asked('HEAD')])
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(Number(head.headers.get('content-length'))).toBe((await get.bytes()).length)
      expect(head.headers.get('cache-control')).toBe(get.headers.get('cache-control'))
    }
  })

  test('the port and the app without one answer alike, errors included', async () => {
    const strangers = ['/api/raffle/configuration', '/api', '/', '/api/raffle/config/x']
    for (const path of strangers)
      expect([(await fetch(url + path)).status, (await api.call('GET', path)).status]).toEqual([404, 404])
    expect((await fetch(`${url}/api/raffle/config`, { method: 'POST' })).status).toBe(405)
  })

  test('are counted by route and status', async () => {
    const before = await hits(api, '/api/event/settings', 200)
    await Promise.all(Array.from({ length: 5 }, () => fetch(`${url}/api/event/settings?x`)))
    expect(await hits(api, '/api/event/settings', 200)).toBe(before + 5)
  })
})

test('Q4: a state that was never loaded is 503 with a retry time', async () => {
  const state = createLiveState({
    load: () => Promise.reject(new Error('gone')),
    salesPaused: false,
    onError: () => {},
  })
  const own = await openApi({ state: Object.assign(state, { whenLoaded: Promise.resolve() }) })
  await state.refresh()
  for (const path of [...paths, '/api/live', '/api/ready']) {
    const response = await own.call('GET', path)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'DB_UNAVAILABLE', requestId: expect.any(String) })
    expect(response.headers.get('retry-after')).toBe('2')
  }
  expect((await own.call('GET', '/api/health')).status).toBe(200)
  await own.close()
})

async function hits({ app }: OpenApi, route: string, status: number): Promise<number> {
  const text = await app.metrics.registry.metrics()
  return Number(new RegExp(`route="${route}",method="GET",status="${status}"} (\\d+)`).exec(text)?.[1] ?? 0)
}
