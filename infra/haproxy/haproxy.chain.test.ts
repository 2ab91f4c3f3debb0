import { createConnection } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caddy, type Door, haproxy, openDoor } from '../../e2e/lab/door.ts'
import { until } from '../../e2e/lab/until.ts'

const open = (fetch: (request: Request) => Response | Promise<Response>) =>
  Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch })
/** Deadlines that a test can wait for. */
const soon = (text: string) =>
  text
    .replace('timeout http-request 10s', 'timeout http-request 1s')
    .replace('wait-for-body time 15s', 'wait-for-body time 1s')
    .replaceAll('timeout server 12s', 'timeout server 2s')

describe.skipIf(!haproxy || !caddy)('the door of compose.yaml', () => {
  const told: Request[] = []
  let beat = () => {}
  const beats = new ReadableStream({
    start(stream) {
      beat = () => stream.enqueue(new TextEncoder().encode('event: beat\n\n'))
    },
  })
  const api = open((request) => {
    if (request.url.endsWith('/api/ready')) return new Response('ready')
    told.push(request)
    if (request.url.endsWith('/api/live')) return new Response(beats)
    return new Response(request.headers.get('x-forwarded-for'))
  })
  let door: Door
  let plain: Door

  beforeAll(async () => {
    door = await openDoor({ apis: [api.port as number], tls: true })
    plain = await openDoor({ apis: [api.port as number], edit: soon })
  })
  afterAll(async () => {
    for (const one of [door, plain]) await one?.close()
    await api.stop(true)
  })

  test('http is passed on to https, but for what proves the name', async () => {
    const { http } = door.ports
    const answer = await fetch(`http://localhost:${http}/ko/?a=1`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      308,
      `https://localhost:${http}/ko/?a=1`,
    ])
    const proof = await fetch(`http://localhost:${http}/.well-known/acme-challenge/a`, { redirect: 'manual' })
    expect(proof.status).toBe(404)
  })

  test('L3: who sends his headers or his body drop by drop is cut off', async () => {
    const begun = 'POST /api/a HTTP/1.1\r\nHost: localhost\r\n'
    for (const sent of [begun, `${begun}Content-Length: 9\r\n\r\na`]) {
      const cut = Promise.withResolvers<string>()
      const socket = createConnection(plain.ports.http, '127.0.0.1', () => socket.write(sent))
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('close', () => cut.resolve(text))
      socket.on('error', () => undefined)
      expect(await cut.promise).toMatch(/^HTTP\/1.1 408/)
    }
  })

  test('a visitor says neither his address nor another host, and no log says who he is', async () => {
    const headers = {
      ...{
        'x-forwarded-for': '198.51.100.9',
        'x-forwarded-host': 'evil.example',
        'x-real-ip': '198.51.100.9',
      },
      ...{ authorization: 'Bearer word-of-his', cookie: '__Host-admin=cookie-of-his' },
    }
    const answer = await door.ask('/api/a?key=query-of-his', { headers })
    expect(await answer.text()).toMatch(/^(127\.0\.0\.1|::1)$/)
    const seen = told.at(-1)?.headers
    expect(seen?.get('x-forwarded-host')).toBe(`localhost:${door.ports.https}`)
    expect(seen?.get('x-real-ip')).toBeNull()
    expect(seen?.get('cookie')).toBe('__Host-admin=cookie-of-his')
    await until(() => door.log('door').includes('"path":"/api/a"'), 'the call is logged')
    for (const log of [door.log('door'), door.log('web')]) expect(log).not.toMatch(/of-his/)
  })

  test('a renewed certificate is taken while a stream goes on', async () => {
    beat()
    const stream = (await door.ask('/api/live')).body?.getReader()
    expect((await stream?.read())?.done).toBe(false)
    const files = [...new Bun.Glob('caddy/certificates/*/*/*').scanSync(door.dir)].map((f) =>
      join(door.dir, f),
    )
    const [crt, key] = ['.crt', '.key'].map((end) => files.find((file) => file.endsWith(end)) as string)
    const command = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=renewed', '-addext']
    const out = ['subjectAltName=DNS:localhost', '-keyout', key as string, '-out', crt as string]
    await openssl(...command, ...out)
    const isShown = async () => {
      beat()
      const at = ['-connect', `127.0.0.1:${door.ports.https}`, '-servername', 'localhost']
      return /subject=.*renewed/.test(await openssl('s_client', ...at))
    }
    await until(isShown, 'the new certificate is shown')
    beat()
    expect((await stream?.read())?.done).toBe(false)
    await stream?.cancel()
  })

  test('A4: behind a CDN nobody else is answered, and its word of address and country is passed on', async () => {
    const send = async (env: Record<string, string>) => {
      const behind = await openDoor({
        apis: [api.port as number],
        env: { COUNTRY_HEADER: 'cf-ipcountry', ...env },
      })
      try {
        const headers = { 'x-forwarded-for': '198.51.100.9', 'cf-ipcountry': 'KR' }
        const answer = await behind.ask('/api/a', { method: 'POST', headers })
        return [await answer.text(), told.at(-1)?.headers.get('cf-ipcountry')]
      } finally {
        await behind.close()
      }
    }
    const others = '192.0.2.0/24 2001:db8::/32'
    await expect(send({ CDN_PROXIES: others, VISITORS: others })).rejects.toThrow(/closed|reset/i)
    expect(await send({ CDN_PROXIES: others })).toEqual(['127.0.0.1', null])
    const cdn = '127.0.0.0/8 ::1/128'
    expect(await send({ CDN_PROXIES: cdn, VISITORS: cdn })).toEqual(['198.51.100.9, 127.0.0.1', 'KR'])
  })

  test('a stream that an api takes and does not begin is begun by another one', async () => {
    let askedInVain = 0
    const answer = (live: () => Response | Promise<Response>) =>
      open((request) => (request.url.endsWith('/api/live') ? live() : new Response('ready')))
    const hangs = answer(() => {
      askedInVain++
      return new Promise<Response>(() => undefined)
    })
    const works = answer(
      () => new Response('data: a\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    )
    const both = [hangs, works].map(({ port }) => port as number)
    const two = await openDoor({ apis: both, edit: soon })
    for (let stream = 0; stream < 2; stream++)
      expect(await (await two.ask('/api/live')).text()).toBe('data: a\n\n')
    expect(askedInVain).toBeGreaterThan(0)
    await two.close()
    await Promise.all([hangs, works].map((server) => server.stop(true)))
  })

  test('without an api a call is answered in words that its page knows', async () => {
    const alone = await openDoor({ apis: [9], edit: (text) => text.replace('retries 12', 'retries 0') })
    const answer = await alone.ask('/api/raffle/config')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({
      code: 'API_UNAVAILABLE',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    await alone.close()
  })
})

/** Beside the api of this process, which goes on answering. */
const openssl = (...args: string[]): Promise<string> =>
  new Response(Bun.spawn(['openssl', ...args], { stdin: new Blob(['']), stderr: 'ignore' }).stdout).text()
