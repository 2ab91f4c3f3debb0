import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../e2e/lab/until.ts'
import { freePort } from '../local/ports.ts'
import { headersSnippet } from './site-headers.ts'

const caddy = process.env.CADDY_PATH ?? Bun.which('caddy')
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-caddy-'))
const caddyfile = readFileSync(join(import.meta.dirname, 'Caddyfile'), 'utf8')
/** Where the file asks for the addresses of a name: there is no such name outside of containers. */
const addressesOfName = /dynamic a \{\n[\s\S]*?\n\t\}/g
const running: Bun.Subprocess[] = []
let ports: { http: number; https: number }

/** The shipped file on free ports, with deadlines that a test can wait for. */
async function serve(vars: Record<string, string>, upstreams?: readonly number[]) {
  const [http, https, health] = [await freePort(), await freePort(), await freePort()]
  const text = caddyfile
    .replaceAll('8080', `${http}`)
    .replaceAll('8443', `${https}`)
    .replaceAll('8090', `${health}`)
    .replaceAll('/srv', dir)
    .replace('admin off', 'admin off\n\tskip_install_trust')
    .replace('read_header 10s', 'read_header 1s')
    .replaceAll(addressesOfName, (dynamic) =>
      upstreams ? `to ${upstreams.map((port) => `127.0.0.1:${port}`).join(' ')}` : dynamic,
    )
  const file = join(dir, `Caddyfile-${http}`)
  writeFileSync(file, text)
  const command = [caddy as string, 'run', '--config', file, '--adapter', 'caddyfile']
  const place = { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  running.push(Bun.spawn(command, { env: { ...place, ...vars }, stdout: 'ignore', stderr: 'ignore' }))
  const isUp = async () => (await fetch(`http://127.0.0.1:${health}/`).catch(() => undefined))?.ok === true
  await until(isUp, 'the web server answers')
  return { http, https }
}

const ask = (port: number, path = '/') =>
  fetch(`https://localhost:${port}${path}`, { tls: { rejectUnauthorized: false } } as RequestInit)

// Caddy comes with its image in compose.yaml; a machine may lack the program, which CADDY_PATH can name.
describe.skipIf(!caddy)('the web server of compose.yaml', () => {
  beforeAll(async () => {
    writeFileSync(join(dir, 'headers.caddy'), headersSnippet())
    for (const place of ['check', '_astro']) mkdirSync(join(dir, 'current', place), { recursive: true })
    writeFileSync(join(dir, 'current/index.html'), 'the page')
    writeFileSync(join(dir, 'current/check/index.html'), 'the check')
    writeFileSync(join(dir, 'current/_astro/a.1a2b.js'), 'let a')
    ports = await serve({ SITE_ADDRESS: 'localhost' })
    await until(() => ask(ports.https).then(Boolean, () => false), 'it has its certificate')
  })
  afterAll(async () => {
    for (const child of running) child.kill()
    await Promise.all(running.map(({ exited }) => exited))
    rmSync(dir, { recursive: true, force: true })
  })

  test('http is passed on to https', async () => {
    const answer = await fetch(`http://localhost:${ports.http}/ko/?a=1`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://localhost/ko/?a=1'])
  })

  test('L3: who sends his headers drop by drop is cut off, on the port of redirects too', async () => {
    for (const port of [ports.http, ports.https]) {
      const cut = Promise.withResolvers<void>()
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n'))
      socket.on('close', () => cut.resolve())
      socket.on('error', () => undefined)
      socket.resume()
      await cut.promise
    }
  })

  test('pages carry their headers, and no HTTP/3 is offered that nobody could reach', async () => {
    const answer = await ask(ports.https)
    expect([answer.status, await answer.text()]).toEqual([200, 'the page'])
    expect(answer.headers.get('alt-svc')).toBeNull()
    expect(answer.headers.get('integrity-policy')).toBe('blocked-destinations=(script)')
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    const check = await ask(ports.https, '/check/')
    expect(await check.text()).toBe('the check')
    expect(check.headers.get('content-security-policy')).toBe("frame-ancestors 'self'; sandbox allow-scripts")
    expect(check.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const script = await ask(ports.https, '/_astro/a.1a2b.js')
    expect(script.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('A4: behind a CDN nobody else is answered', async () => {
    const site = await freePort()
    await serve({ SITE_ADDRESS: `http://localhost:${site}`, VISITORS: '192.0.2.0/24 2001:db8::/32' })
    await expect(fetch(`http://localhost:${site}/`)).rejects.toThrow(/closed|reset/i)
    const other = await freePort()
    await serve({ SITE_ADDRESS: `http://localhost:${other}`, VISITORS: '192.0.2.0/24 127.0.0.0/8 ::1/128' })
    expect(await (await fetch(`http://localhost:${other}/`)).text()).toBe('the page')
  })

  test('A10: a country that a visitor tells himself goes no further, and what the CDN tells does', async () => {
    const told: (string | null)[] = []
    const api = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ headers }) => {
        told.push(headers.get('cf-ipcountry'))
        return new Response('taken')
      },
    })
    const vars = { API_HOST: '127.0.0.1', API_PORT: `${api.port}`, COUNTRY_HEADER: 'cf-ipcountry' }
    const send = async (place: Record<string, string>) => {
      const port = await freePort()
      await serve({ ...vars, ...place, SITE_ADDRESS: `http://localhost:${port}` })
      const url = `http://localhost:${port}/api/tickets/purchase`
      const answer = await fetch(url, { method: 'POST', headers: { 'CF-IPCountry': 'KR' } })
      expect(await answer.text()).toBe('taken')
    }
    await send({ CDN_PROXIES: '192.0.2.0/24' })
    await send({ CDN_PROXIES: '127.0.0.0/8 ::1/128' })
    expect(told).toEqual([null, 'KR'])
    await api.stop(true)
  })

  test('a stream that an api takes and does not begin is begun by another one', async () => {
    const open = (fetch: () => Response | Promise<Response>) =>
      Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch })
    let askedInVain = 0
    const hangs = open(() => {
      askedInVain++
      return new Promise<Response>(() => undefined)
    })
    const works = open(
      () => new Response('data: a\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    )
    const port = await freePort()
    const vars = { SITE_ADDRESS: `http://localhost:${port}` }
    await serve(
      vars,
      [hangs, works].map((server) => server.port as number),
    )
    // In turn: one of two begins with the one that hangs.
    for (let stream = 0; stream < 2; stream++)
      expect(await (await fetch(`http://localhost:${port}/api/live`)).text()).toBe('data: a\n\n')
    expect(askedInVain).toBeGreaterThan(0)
    await Promise.all([hangs, works].map((server) => server.stop(true)))
  })
})
