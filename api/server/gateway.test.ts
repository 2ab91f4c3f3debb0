import { describe, expect, test } from 'vitest'
import { openApi } from '../../e2e/lab/api.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { routeTable } from '../http/errors.ts'
import { hostCheck } from '../http/origin.ts'

const api = await forFile(openApi())

const hash = `0x${'ab'.repeat(32)}`
const json = { 'content-type': 'application/json' }
const site = 'https://raffle.example'

describe('every answer', () => {
  test.each([
    ['GET', '/api/health', 200],
    ['GET', '/api/ready', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/api/tickets/purchase/0x', 422],
    ['GET', '/api/tickets/purchase/%zz', 404],
    ['GET', '/api/tickets/purchase/%00', 422],
    ['DELETE', '/api/raffle/config', 405],
    ['POST', '/api/tickets/purchase', 415],
    ['GET', '/api/admin/me', 401],
  ])('%s %s is %i in the shape and with the headers that all have', async (method, path, status) => {
    const response = await api.call(method, path)
    expect(response.status).toBe(status)
    const body = (await response.json()) as Record<string, unknown>
    if (status >= 400) {
      const { field: _, values: __, ...always } = body
      expect(Object.keys(always)).toEqual(['code', 'error', 'message', 'requestId'])
      expect(body.requestId).toBe(response.headers.get('x-request-id'))
    }
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('HSTS is sent only where visitors come by https', async () => {
    const local = await openApi({ allowedOrigins: ['http://localhost:4321'] })
    expect((await local.call('GET', '/api/health')).headers.get('strict-transport-security')).toBeNull()
    await local.close()
  })
})

describe('sizes are checked first', () => {
  test.each([
    ['a long address', `/api/health?${'a'.repeat(8_200)}`, {}, 414, 'URL_TOO_LONG'],
    ['long headers', '/api/health', { 'x-long': 'a'.repeat(16_400) }, 431, 'HEADERS_TOO_LARGE'],
    [
      'a foreign host comes after',
      `/api/health?${'a'.repeat(8_200)}`,
      { host: 'evil.example' },
      414,
      'URL_TOO_LONG',
    ],
  ])('L3: %s', async (_, path, headers, status, code) => {
    const response = await api.call('GET', path, { headers: headers as Record<string, string> })
    expect([response.status, await codeOf(response)]).toEqual([status, code])
  })

  test('L3: a long URL is refused on a port too, where public calls are answered from memory', async () => {
    const { url } = api.listen()
    const response = await fetch(`${url}/api/raffle/config?${'a'.repeat(8_200)}`)
    expect([response.status, await codeOf(response)]).toEqual([414, 'URL_TOO_LONG'])
    expect((await fetch(`${url}/api/raffle/config?${'a'.repeat(7_000)}`)).status).toBe(200)
  })

  test.each([
    ['said by its length', { 'content-length': '20000' }, '{}'],
    ['though its length lies', { 'content-length': '2' }, JSON.stringify({ x: 'a'.repeat(17_000) })],
    ['larger than any route takes', { 'content-length': '99999999' }, '{}'],
  ])('L3: a body that is too large, %s', async (_, headers, body) => {
    const response = await api.call('POST', '/api/tickets/purchase', {
      headers: { ...json, ...headers },
      body,
    })
    expect([response.status, await codeOf(response)]).toEqual([413, 'BODY_TOO_LARGE'])
  })
})

describe('paths and methods', () => {
  test('a known path with another method is 405 and lists the allowed ones', async () => {
    const response = await api.call('PUT', '/api/tickets/purchase')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await api.call('HEAD', '/api/live')).headers.get('allow')).toBe('GET, OPTIONS')
    expect((await api.call('TRACE', '/api/raffle/stats')).status).toBe(405)
  })

  test('the patterns of routes are found, and no others', () => {
    const find = routeTable([
      { method: 'GET', path: '/a' },
      { method: 'POST', path: '/a' },
      { method: 'GET', path: '/b/:id/c' },
      { method: 'GET', path: '/files/*' },
    ])
    expect(find('/a')).toEqual({ pattern: '/a', methods: ['GET', 'HEAD', 'OPTIONS', 'POST'] })
    expect(find('/a/')?.pattern).toBe('/a')
    expect(find('/b/x.y/c')?.pattern).toBe('/b/:id/c')
    expect(find('/files/a/b')?.pattern).toBe('/files/*')
    for (const path of ['', '/', '/A', '/a/b', '/b//c', '/b/x/y/c', '/b/x', 'a'])
      expect(find(path)).toBeUndefined()
  })
})

describe('the host', () => {
  test('a foreign one is 421, on public calls too', async () => {
    for (const path of ['/api/raffle/config', '/api/health', '/nowhere']) {
      const response = await api.call('GET', path, { headers: { host: 'evil.example' } })
      expect([response.status, await codeOf(response)]).toEqual([421, 'MISDIRECTED'])
    }
  })

  const named = hostCheck(['https://Raffle.example', 'https://api.raffle.example:8443/x'])
  test.each([
    'raffle.example',
    'RAFFLE.example:443',
    'raffle.example.',
    'api.raffle.example',
    'localhost:3000',
    'api',
    'api:3000',
    '127.0.0.1',
    '10.1.2.3:80',
    '[::1]:3000',
    'raffle.localhost',
    'box.local',
    'api.svc.internal',
  ])('%s is ours', (host) => {
    expect(() => named(host)).not.toThrow()
  })
  test.each([
    'evil.example',
    'raffle.example.evil.example',
    'xraffle.example',
    'a b',
    '',
    'raffle.example:x',
    '/..',
    '[::1',
    'ra<b>',
    'raffle.example@evil.example',
    'raffle.example, evil.example',
    '127.0.0.1.evil.example',
  ])('"%s" is not', (host) => {
    expect(() => named(host)).toThrow('MISDIRECTED host')
  })
  test('if no name is configured, any well-formed one is accepted', () => {
    const any = hostCheck([])
    const malformed = ['a b<c>', '[::1', '[::::]', '127.0.0.1:99999', '1.2.3.999', 'user@host', 'a/b']
    for (const host of [...malformed, 'a b', 'é.example']) expect(() => any(host), host).toThrow()
    for (const host of ['whatever.example', '[::1]:4321', '127.0.0.1', 'Raffle.Example.', 'web_1:8080'])
      expect(() => any(host), host).not.toThrow()
  })
})

describe('pages of other origins', () => {
  const purchase = (headers: Record<string, string>) =>
    api.call('POST', '/api/tickets/purchase', { headers: { ...json, ...headers }, body: '{}' })

  test.each([
    ['none', {}, 422],
    ['a listed one', { origin: site }, 422],
    ['the same host', { origin: 'http://localhost:4321', host: 'localhost:4321' }, 422],
    ['the host a proxy of ours names', { origin: 'https://a.example', 'x-forwarded-host': 'a.example' }, 422],
    ['a foreign one', { origin: 'https://evil.example' }, 403],
    ['a listed host by http', { origin: 'http://raffle.example' }, 403],
    ['a listed host on another port', { origin: 'https://raffle.example:444' }, 403],
    ['null', { origin: 'null' }, 403],
    ['nonsense', { origin: 'not an origin' }, 403],
  ])('A9: a change from origin %s is %s', async (_, headers, status) => {
    const response = await purchase(headers as Record<string, string>)
    expect(response.status).toBe(status)
    if (status === 403) expect(await codeOf(response)).toBe('ORIGIN_DENIED')
  })

  test('A9: X-Forwarded-Host is trusted only from one of our proxies', async () => {
    const response = await api.app.handle(
      new Request('http://localhost/api/tickets/purchase', {
        method: 'POST',
        headers: { ...json, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
        body: '{}',
      }),
    )
    expect(response.status).toBe(403)
  })

  test('A9: may read public answers without credentials, the rest only if listed', async () => {
    const asked = async (path: string, origin: string) => {
      const { headers } = await api.call('GET', path, { headers: { origin } })
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
    }
    expect(await asked('/api/raffle/stats', 'https://evil.example')).toEqual(['*', null])
    expect(await asked(`/api/tickets/purchase/${hash}`, 'https://evil.example')).toEqual(['*', null])
    expect(await asked('/api/admin/me', 'https://evil.example')).toEqual([null, null])
    expect(await asked('/api/admin/me', site)).toEqual([site, 'true'])
    expect((await api.call('GET', '/api/admin/me')).headers.get('vary')).toBe('Origin')
  })

  test('A9: a preflight allows bearer and JSON calls to listed origins, reading to everybody', async () => {
    const preflight = async (path: string, method: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': method }
      const response = await api.call('OPTIONS', path, { headers })
      expect(response.status).toBe(204)
      return response.headers
    }
    const listed = await preflight('/api/admin/login', 'POST', site)
    expect(listed.get('access-control-allow-origin')).toBe(site)
    expect(listed.get('access-control-allow-headers')).toContain('Authorization, Content-Type')
    expect(listed.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(listed.get('vary')).toContain('Origin')
    const foreign = await preflight('/api/admin/login', 'POST', 'https://evil.example')
    expect(foreign.get('access-control-allow-origin')).toBeNull()
    expect(foreign.get('access-control-allow-methods')).toBeNull()
    expect(
      (await preflight('/api/raffle/winner', 'GET', 'https://any.example')).get(
        'access-control-allow-origin',
      ),
    ).toBe('*')
    expect((await api.call('OPTIONS', '/api/raffle/winner')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('floods', () => {
  test('a flood of purchases is 429 with a retry time; another address is not affected', async () => {
    const from = '198.51.100.7'
    const post = (address: string) =>
      api.call('POST', '/api/tickets/purchase', { from: address, headers: json, body: '{}' })
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(from)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(await codeOf(refused[0] as Response)).toBe('RATE_LIMITED')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await post('198.51.100.8')).status).toBe(422)
  })
})

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { code: string }).code
