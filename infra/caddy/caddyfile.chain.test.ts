import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frozenFiles } from '../../api/http/frozen-files.ts'
import { caddy, type Door, haproxy, openDoor } from '../../e2e/lab/door.ts'
import { until } from '../../e2e/lab/until.ts'

const list = 'ticketNumber,payer\n'.repeat(1_000)
const sha256 = new Bun.CryptoHasher('sha256').update(list).digest('hex')

// Caddy and HAProxy come with their images in compose.yaml; a machine may lack either program; CADDY_PATH can name Caddy.
describe.skipIf(!haproxy || !caddy)('the web server of compose.yaml', () => {
  let door: Door
  let answer: ReturnType<typeof frozenFiles> | undefined
  let isUp = true
  const visitors: (string | null)[] = []
  const api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, server) {
      const { pathname } = new URL(request.url)
      if (!isUp) return new Response(null, { status: 500 })
      if (pathname === '/api/ready') return new Response('ready')
      visitors.push(request.headers.get('x-forwarded-for'))
      if (!pathname.startsWith('/api/raffle/ledger/')) return new Response('filled')
      if (pathname.endsWith('/9')) return Response.json({ code: 'SALES_OPEN' }, { status: 409 })
      const eachPage = (take: (text: string) => Promise<void>) => take(list)
      const file = { name: 'list.csv', sha256: `0x${sha256}` as const, eachPage }
      return answer?.({ request, server }, file) as Promise<Response>
    },
  })
  beforeAll(async () => {
    door = await openDoor({ apis: [api.port as number], tls: true })
    const admin = { storageUrl: pathToFileURL(join(door.dir, 'uploads')).href } as never
    const addresses = { trustedProxies: ['127.0.0.1'], siteProxyToken: undefined }
    answer = frozenFiles({ admin, addresses, log: pino({ level: 'silent' }) })
    const site = join(door.dir, 'site')
    for (const place of ['check', '_event']) mkdirSync(join(site, place), { recursive: true })
    for (const [name, text] of Object.entries({
      ...{ 'index.html': 'the page', 'check/index.html': 'the check', '404.html': 'no such page' },
      ...{ 'a.html': 'plain', 'a.html.br': 'small', 'b.html': 'bare' },
      ...{ '_event/en.html': 'any event', '_event/ko.html': '아무 이벤트' },
    }))
      writeFileSync(join(site, name), text)
  })
  afterAll(async () => {
    await door?.close()
    await api.stop(true)
  })
  const ask = (path = '/', init: RequestInit = {}) => door.ask(path, init)
  const sent = (path: string, encoding: string) =>
    ask(path, { headers: { 'accept-encoding': encoding }, decompress: false } as RequestInit)

  test('pages carry their headers, and no HTTP/3 is offered that nobody could reach', async () => {
    const answer = await ask('/b')
    expect([answer.status, await answer.text()]).toEqual([200, 'bare'])
    expect(answer.headers.get('alt-svc')).toBeNull()
    expect(answer.headers.get('integrity-policy')).toBe('blocked-destinations=(script)')
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    const check = await ask('/check/')
    expect(await check.text()).toBe('the check')
    expect(check.headers.get('content-security-policy')).toBe("frame-ancestors 'self'; sandbox allow-scripts")
    expect(check.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })

  test('L7: pages are sent as the build has compressed them; nothing is compressed while it is answered', async () => {
    const [small, plain] = [await sent('/a', 'br'), await sent('/a', 'zstd')]
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual(['br', 'small'])
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'plain'])
    expect(small.headers.get('vary')).toMatch(/accept-encoding/i)
    for (const file of ['caddy/Caddyfile', 'haproxy/haproxy.cfg'])
      expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).not.toMatch(
        /^\s*(encode|compression)\b/m,
      )
  })

  test('the api fills the pages of events; while it is away they are served as they were built', async () => {
    const paths = [
      '/',
      '/ko/',
      '/e/7/',
      '/ko/e/7/',
      '/e/7',
      '/terms/',
      '/ko/privacy',
      '/sitemap.xml',
      '/theme.css',
    ]
    for (const path of paths) expect([path, await (await ask(path)).text()]).toEqual([path, 'filled'])
    isUp = false
    await until(async () => (await (await ask('/e/7/')).text()) === 'any event', 'the built page')
    expect(await (await ask()).text()).toBe('the page')
    const shell = await ask('/ko/e/7/')
    expect([shell.status, await shell.text(), shell.headers.get('cache-control')]).toEqual([
      ...[200, '아무 이벤트', 'no-cache'],
    ])
    for (const path of ['/e/0/', '/e/', '/_event/en.html', '/_headers', '/a.html.br', '/nowhere'])
      expect([path, (await ask(path)).status, await (await ask(path)).text()]).toEqual([
        ...[path, 404, 'no such page'],
      ])
    isUp = true
    await until(async () => (await (await ask('/e/7/')).text()) === 'filled', 'the api')
  })

  test('the api says who may have a frozen list, and the bytes come from the disk, compressed beforehand', async () => {
    const path = '/api/raffle/ledger/1'
    const forged = await ask(path, { headers: { 'x-sendfile-type': 'X-Accel-Redirect' } })
    expect(await forged.text()).toBe(list)
    const frozen = join(door.dir, 'uploads/frozen')
    await until(() => readdirSync(frozen).includes(`${sha256}.csv.gz`), 'its smaller forms')
    const small = await sent(path, 'gzip')
    expect(Object.fromEntries(small.headers)).toMatchObject({
      ...{ 'content-encoding': 'gzip', etag: `"0x${sha256}"`, 'content-type': 'text/csv; charset=utf-8' },
      ...{ 'content-disposition': 'attachment; filename="list.csv"', 'access-control-allow-origin': '*' },
      'cache-control': 'public, max-age=0, s-maxage=60',
    })
    expect(small.headers.has('x-accel-redirect')).toBe(false)
    expect(Buffer.from(Bun.gunzipSync(await small.bytes())).toString()).toBe(list)
    expect((await ask(path, { headers: { 'if-none-match': `"0x${sha256}"` } })).status).toBe(304)
    const refused = await ask('/api/raffle/ledger/9')
    expect([refused.status, await refused.json()]).toEqual([409, { code: 'SALES_OPEN' }])
    // The visitor is who the door says, whoever else is in between.
    expect(visitors.at(-1)).toMatch(/^(127\.0\.0\.1|::1), /)
    expect((await ask('/frozen/')).status).toBe(404)
    rmSync(join(frozen, `${sha256}.csv`))
    expect(await (await ask(path)).text()).toBe(list)
  })

  test('an open page still loads the parts of the release before, and no older ones', async () => {
    const site = join(door.dir, 'site/_astro')
    const start = () => Bun.spawnSync(['sh', join(import.meta.dirname, 'start.sh')], { env: place })
    const place = {
      PATH: '/usr/bin:/bin',
      SITE: join(door.dir, 'site'),
      ASSETS: join(door.dir, 'assets'),
      CADDYFILE: '/nowhere',
    }
    const release = (name: string) => {
      rmSync(site, { recursive: true, force: true })
      mkdirSync(site)
      writeFileSync(join(site, name), `let ${name[0]}`)
      for (let again = 0; again < 2; again++) start()
    }
    const found = (name: string) => ask(`/_astro/${name}`)
    for (const name of ['a.1.js', 'b.2.js', 'c.3.js']) release(name)
    expect([(await found('a.1.js')).status, (await found('b.2.js')).status]).toEqual([404, 200])
    const part = await found('c.3.js')
    expect([await part.text(), part.headers.get('access-control-allow-origin')]).toEqual(['let c', '*'])
    expect(part.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await found('')).status).toBe(404)
  })
})
