import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serveSite, siteFiles } from './site-server.ts'

const home = mkdtempSync(join(tmpdir(), 'blockdraw-site-'))
const dir = join(home, 'site')
for (const path of ['_astro', '_event', 'admin', 'check']) mkdirSync(join(dir, path), { recursive: true })
for (const [name, text] of Object.entries({
  'index.html': '<h1>home</h1>',
  'admin/index.html': '<h1>admin</h1>',
  'check/index.html': '<h1>check</h1>',
  '404.html': '<h1>no such page</h1>',
  '_event/en.html': '<h1>any event</h1>',
  '_astro/a.1a2b.js': 'let a',
  '_astro/b.3c4d.js': 'let b',
  '_astro/b.3c4d.js.br': 'brotli',
  '_astro/b.3c4d.js.gz': 'gzip',
  '.hidden': 'secret',
  '../secret.txt': 'secret',
}))
  writeFileSync(join(dir, name), text)
symlinkSync(join(home, 'secret.txt'), join(dir, 'link.txt'))

/** Requests that reached the API, and whether a stream was cancelled. */
const seen: { request?: Request; body?: string; cut: PromiseWithResolvers<void> } = {
  cut: Promise.withResolvers<void>(),
}
const api = Bun.serve({
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    seen.request = request
    if (new URL(request.url).pathname === '/api/live')
      return new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode('event: snapshot\n\n')),
          cancel: () => seen.cut.resolve(),
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    seen.body = await request.text()
    return Response.json({ got: seen.body.length }, { status: 202, headers: { 'x-request-id': 'r1' } })
  },
})
const place = { dir, port: 0, token: 'the-token' }
const site = serveSite({ ...place, apiUrl: `http://127.0.0.1:${api.port}` })
const lonely = serveSite({ ...place, apiUrl: 'http://127.0.0.1:1' })
const url = `http://127.0.0.1:${site.port}`
/** The same while no API answers. */
const alone = `http://127.0.0.1:${lonely.port}`

afterAll(async () => {
  await Promise.all([site.stop(true), lonely.stop(true), api.stop(true)])
  rmSync(home, { recursive: true })
})

test.each([
  ['/', 200, 'home'],
  ['/admin', 200, 'admin'],
  ['/admin/', 200, 'admin'],
  ['/?from=mail', 200, 'home'],
  ['/nowhere', 404, 'no such page'],
  ['/%E0%A4%A', 404, 'no such page'],
  ['/.hidden', 404, 'no such page'],
  ['/link.txt', 404, 'no such page'],
  ['/_astro/b.3c4d.js.br', 404, 'no such page'],
  ['/a\0b', 404, 'no such page'],
  ['/e/7/', 200, 'any event'],
  ['/e/0/', 404, 'no such page'],
  ['/_event/en.html', 404, 'no such page'],
])('%s answers %i with its page', async (path, status, text) => {
  const response = await fetch(alone + path)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(text)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/admin/..%5c..%5csecret.txt',
  '//secret.txt',
])('nobody leaves the directory by %s', async (path) => {
  expect(await rawGet(path)).not.toContain('secret\n')
  expect(await rawGet(path)).toMatch(/^HTTP\/1\.1 (404|400)/)
})

test('a malformed host is refused as the API does it, on every path', async () => {
  for (const path of ['/', '/api/raffle/config', '/nowhere']) {
    const answer = await rawGet(path, '[::1')
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      code: 'MISDIRECTED',
      error: expect.any(String),
      message: expect.any(String),
      requestId: expect.any(String),
    })
  }
  expect(await rawGet('/admin/', 'web_1:8080')).toMatch(/^HTTP\/1\.1 200 /)
})

test('a page is revalidated by its ETag, a hashed file never', async () => {
  const page = await fetch(alone)
  const etag = page.headers.get('etag') ?? ''
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect((await fetch(alone, { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304)
  const script = await fetch(`${url}/_astro/a.1a2b.js`)
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(script.headers.get('content-type')).toContain('javascript')
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('the check has no origin and may load its script; no other page lies in a frame', async () => {
  const headers = async (path: string) => {
    const answer = await fetch(alone + path)
    return ['x-frame-options', 'content-security-policy', 'access-control-allow-origin'].map((name) =>
      answer.headers.get(name),
    )
  }
  const sandboxed = "frame-ancestors 'self'; sandbox allow-scripts"
  expect(await headers('/check/')).toEqual(['SAMEORIGIN', sandboxed, null])
  expect(await headers('/')).toEqual(['DENY', "frame-ancestors 'none'", null])
  expect((await headers('/_astro/a.1a2b.js')).at(-1)).toBe('*')
})

test.each([
  ['gzip, deflate, br, zstd', 'br', 'brotli'],
  ['gzip, br;q=0', 'gzip', 'gzip'],
  ['identity', null, 'let b'],
])('who accepts %s gets %s, with an ETag of its own', async (accepted, coding, text) => {
  const headers = { 'accept-encoding': accepted }
  const request = new Request(`${url}/_astro/b.3c4d.js`, { headers })
  const answer = await siteFiles(dir)(request)
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([coding, text])
  expect(answer.headers.get('vary')).toBe('accept-encoding')
  const plain = await siteFiles(dir)(new Request(`${url}/_astro/b.3c4d.js`))
  expect(plain.headers.get('etag') === answer.headers.get('etag')).toBe(coding === null)
})

test('a call is passed on whole; address and token are set by the server, not by the visitor', async () => {
  const body = 'x'.repeat(300_000)
  const response = await fetch(`${url}/api/tickets/purchase?a=1`, {
    method: 'POST',
    body,
    headers: {
      'x-forwarded-for': '6.6.6.6',
      'x-site-proxy': 'guess',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
    },
  })
  expect([response.status, await response.json()]).toEqual([202, { got: 300_000 }])
  expect(response.headers.get('x-request-id')).toBe('r1')
  const { url: target, headers } = seen.request as Request
  expect(new URL(target).search).toBe('?a=1')
  expect(headers.get('x-forwarded-for')).toMatch(/^(::ffff:)?127\.0\.0\.1$/)
  expect(headers.get('x-site-proxy')).toBe('the-token')
  expect([headers.get('x-real-ip'), headers.get('forwarded')]).toEqual([null, null])
})

test.each(['/', '/ko/', '/e/7/', '/ko/e/7', '/terms/', '/ko/privacy/', '/sitemap.xml'])(
  'the API fills %s',
  async (path) => {
    const response = await fetch(url + path)
    expect([response.status, new URL((seen.request as Request).url).pathname]).toEqual([202, path])
  },
)

test('a stream flows at once and is cancelled at the API when the visitor disconnects', async () => {
  const leave = new AbortController()
  const response = await fetch(`${url}/api/live`, { signal: leave.signal })
  const first = await response.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('event: snapshot\n\n')
  leave.abort()
  await seen.cut.promise
})

test('without the API a call is answered with a retry time', async () => {
  const response = await fetch(`http://127.0.0.1:${lonely.port}/api/raffle/config`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ code: 'API_UNAVAILABLE', requestId: expect.any(String) })
})

/** fetch normalizes paths before the request; this does not. */
const rawGet = (path: string, host = 'localhost'): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(site.port as number, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
