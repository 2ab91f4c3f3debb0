import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caddy, type Door, haproxy, openDoor } from '../../e2e/lab/door.ts'

// Caddy comes with its image in compose.yaml; a machine may lack the program, which CADDY_PATH can name.
describe.skipIf(!haproxy || !caddy)('the web server of compose.yaml', () => {
  let door: Door
  beforeAll(async () => {
    door = await openDoor({ apis: [], tls: true })
    const dir = door.dir
    for (const place of ['check', '_astro']) mkdirSync(join(dir, 'current', place), { recursive: true })
    writeFileSync(join(dir, 'current/index.html'), 'the page')
    writeFileSync(join(dir, 'current/check/index.html'), 'the check')
    writeFileSync(join(dir, 'current/_astro/a.1a2b.js'), 'let a')
    writeFileSync(join(dir, 'current/a.html'), 'plain')
    writeFileSync(join(dir, 'current/a.html.br'), 'small')
  })
  afterAll(() => door?.close())
  const ask = (path = '/', init: RequestInit = {}) => door.ask(path, init)

  test('pages carry their headers, and no HTTP/3 is offered that nobody could reach', async () => {
    const answer = await ask()
    expect([answer.status, await answer.text()]).toEqual([200, 'the page'])
    expect(answer.headers.get('alt-svc')).toBeNull()
    expect(answer.headers.get('integrity-policy')).toBe('blocked-destinations=(script)')
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    const check = await ask('/check/')
    expect(await check.text()).toBe('the check')
    expect(check.headers.get('content-security-policy')).toBe("frame-ancestors 'self'; sandbox allow-scripts")
    expect(check.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const script = await ask('/_astro/a.1a2b.js')
    expect(script.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('L7: pages are sent as the build has compressed them; nothing is compressed while it is answered', async () => {
    const sent = (encoding: string) =>
      ask('/a', { headers: { 'accept-encoding': encoding }, decompress: false } as RequestInit)
    const [small, plain] = [await sent('br'), await sent('zstd')]
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual(['br', 'small'])
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'plain'])
    expect(small.headers.get('vary')).toMatch(/accept-encoding/i)
    for (const file of ['caddy/Caddyfile', 'haproxy/haproxy.cfg'])
      expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).not.toMatch(
        /^\s*(encode|compression)\b/m,
      )
  })
})
