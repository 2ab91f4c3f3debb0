import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openApi } from '../../e2e/lab/api.ts'
import { siteProxyToken } from '../../e2e/lab/build-api.ts'
import { forFile } from '../../e2e/lab/opened.ts'

/** Statuses that docs/spec.md documents under "Errors", and those of success. */
const documented = new Set([
  200, 202, 204, 304, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 421, 422, 429, 431, 503,
])
/**
 * Bun's own answers, without a body, before our code runs: to malformed HTTP and to requests that are too
 * long.
 */
const bunsOwn = new Set([400, 413, 431, 505])

const api = await forFile(openApi())
const { port } = api.listen()
const routes = api.app.routes.routes.filter(({ path }) => path !== '/api/live')

const text = fc.string({ unit: 'binary', maxLength: 60 })
const segment = fc.oneof(
  text.map((value) => encodeURIComponent(value.replace(/[\ud800-\udfff]/g, ''))),
  fc.stringMatching(/^[\x21-\x7e]{0,40}$/).map((value) => value.replace(/[?#]/g, '')),
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '../..',
    '%2e%2e',
    '0x',
    '1',
    '-1',
    '1e9',
    '99999999999999999999',
    '%ff',
  ),
)
const method = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
)
const headerName = fc.constantFrom(
  'content-type',
  'authorization',
  'origin',
  'host',
  'if-none-match',
  'x-forwarded-for',
  'x-forwarded-host',
  'range',
  'accept',
  'cookie',
  'content-encoding',
  'access-control-request-method',
  'last-event-id',
  'expect',
  'upgrade',
)
const headerValue = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,60}[\x21-\x7e])?$/),
  fc.constantFrom(
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    '*',
    'null',
    'Bearer x',
    'websocket',
  ),
)
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((value) => new TextEncoder().encode(value)),
  fc
    .record(
      {
        transactionHash: fc.oneof(fc.jsonValue(), fc.stringMatching(/^0x[0-9a-f]{64}$/)),
        walletAddress: fc.jsonValue(),
        quantity: fc.jsonValue(),
        amount: fc.jsonValue(),
        __proto__: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => new TextEncoder().encode(JSON.stringify(value))),
)

describe('I26: any input to any route gets a documented status and the shape of errors, and the server stays up', () => {
  test('as requests of the app', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(segment, { maxLength: 3 }),
        method,
        fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
        fc.option(body, { nil: undefined }),
        fc.boolean(),
        fc.nat({ max: 250 }),
        async (index, segments, asked, headers, bytes, known, visitor) => {
          const route = routes[index % routes.length] as (typeof routes)[number]
          let next = 0
          const path = known
            ? route.path.replace(/:\w+|\*/g, () => segments[next++] || 'x')
            : `/${segments.join('/')}`
          const request = requestOf(known ? route.method : asked, path, headers, bytes, visitor)
          if (!request) return
          const response = await api.app.handle(request)
          expect(documented, `${request.method} ${request.url}`).toContain(response.status)
          expect(response.headers.get('x-content-type-options')).toBe('nosniff')
          if (response.status >= 400) expectShape(await response.text())
          else await response.body?.cancel()
        },
      ),
      { numRuns: 1_500 },
    )
  })

  test('as bytes on a socket', async () => {
    const line = fc.constantFrom(
      'GET /api/raffle/config HTTP/1.1\r\n',
      'POST /api/tickets/purchase HTTP/1.1\r\n',
      'GET / HTTP/1.1\r\n',
      'POST /api/admin/login HTTP/1.1\r\n',
      'GET /api/live HTTP/1.1\r\n',
      'HEAD /api/health HTTP/1.0\r\n',
      '',
    )
    const head = fc.constantFrom(
      'Host: localhost\r\n',
      'Host: evil.example\r\n',
      'Host: a b\r\n',
      'Content-Length: 5\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Content-Type: application/json\r\n',
      'Connection: close\r\n',
      'X: \x01\r\n',
      ': \r\n',
    )
    await fc.assert(
      fc.asyncProperty(
        line,
        fc.array(head, { maxLength: 4 }),
        fc.constantFrom('\r\n', '\n', ''),
        fc.uint8Array({ maxLength: 80 }),
        async (first, heads, end, rest) => {
          const answer = await exchange(
            Buffer.concat([Buffer.from(first + heads.join('') + end, 'latin1'), rest]),
          )
          const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
          if (status === undefined) return
          const body = answer.slice(answer.indexOf('\r\n\r\n') + 4).split('HTTP/1.1')[0] as string
          if (bunsOwn.has(Number(status)) && body === '') return
          expect(documented).toContain(Number(status))
          if (Number(status) >= 400) expectShape(body)
        },
      ),
      { numRuns: 300 },
    )
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
    await expect.poll(() => api.app.streams.count).toBe(0)
  })
})

function requestOf(
  asked: string,
  path: string,
  headers: [string, string][],
  body: Uint8Array | undefined,
  visitor: number,
): Request | undefined {
  try {
    const request = new Request(`http://localhost${path}`, {
      method: asked,
      headers: [...headers, ['x-site-proxy', siteProxyToken], ['x-forwarded-for', `10.8.${visitor}.1`]],
      ...(body && asked !== 'GET' && asked !== 'HEAD' && { body: body as BodyInit }),
    })
    return request
  } catch {
    // No client could send it.
    return undefined
  }
}

function expectShape(answer: string): void {
  if (answer === '') return
  const body = JSON.parse(answer) as Record<string, unknown>
  const { field = '', values = {}, ...always } = body
  expect(Object.keys(always)).toEqual(['code', 'error', 'message', 'requestId'])
  expect(field).toBeTypeOf('string')
  expect(values).toBeTypeOf('object')
  expect(body.code).toMatch(/^[A-Z_]+$/)
  expect(body.code).not.toBe('INTERNAL')
}

/** The bytes received until the server ended the connection, or has answered others who came later. */
async function exchange(bytes: Uint8Array): Promise<string> {
  let answer = ''
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  const ended = new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
  socket.write(bytes)
  const later = async () => {
    for (let call = 0; call < 3; call++) await fetch(`http://127.0.0.1:${port}/api/health`)
  }
  await Promise.race([ended, later()])
  socket.destroy()
  return answer
}
