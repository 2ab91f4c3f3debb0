import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { headersSnippet } from '../../infra/caddy/site-headers.ts'
import { freePort } from '../../infra/local/ports.ts'
import { until } from './until.ts'

const infra = resolve(import.meta.dirname, '../../infra')
const shipped = (file: string) => readFileSync(join(infra, file), 'utf8')

/** Both come with their images in compose.yaml; a machine may lack the programs, which these variables can name. */
export const haproxy = process.env.HAPROXY_PATH ?? Bun.which('haproxy')
export const caddy = process.env.CADDY_PATH ?? Bun.which('caddy')

type Options = {
  /** Ports of the apis on this machine. */
  apis: readonly number[]
  tls?: boolean
  env?: Record<string, string>
  /** Runs a program in a place of its own, as with less memory. */
  within?: (service: 'door' | 'web', command: string[]) => string[]
  /** Shorter deadlines than the shipped ones. */
  edit?: (config: string) => string
}

export type Door = Awaited<ReturnType<typeof openDoor>>

/** HAProxy and Caddy as compose.yaml has them, with the shipped files, on free ports. `dir` holds `site`, `assets` and `uploads`. */
export async function openDoor({ apis, tls = false, env = {}, within, edit = (text) => text }: Options) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-door-'))
  const inside = { http: await freePort(), https: await freePort(), health: await freePort() }
  const ports = { http: await freePort(), https: await freePort(), health: await freePort() }
  const runtime = await freePort()
  const certificates = join(dir, 'certificates')
  for (const place of ['site/_astro', 'assets', 'uploads']) mkdirSync(join(dir, place), { recursive: true })
  writeFileSync(join(dir, 'site/index.html'), 'the page')
  writeFileSync(join(dir, 'headers.caddy'), headersSnippet())
  const caddyfile = onPorts(shipped('caddy/Caddyfile'), inside)
    .replaceAll('root * /', `root * ${dir}/`)
    .replace('admin off', 'admin off\n\tskip_install_trust')
  writeFileSync(join(dir, 'Caddyfile'), caddyfile)
  const servers = apis.map((port, index) => `server api${index} 127.0.0.1:${port}`).join('\n\t')
  const config = edit(
    onPorts(shipped('haproxy/haproxy.cfg'), ports).replaceAll(/server-template api .*/g, servers),
  )
  const own = (text: string) =>
    text.replaceAll(/\b8091\b/g, `${runtime}`).replaceAll('/tmp/door.pem', join(dir, 'pem'))
  writeFileSync(join(dir, 'haproxy.cfg'), own(config))
  writeFileSync(join(dir, 'start.sh'), own(shipped('haproxy/start.sh')))
  writeFileSync(join(dir, 'web.sh'), shipped('caddy/start.sh').replace('exec caddy', `exec ${caddy}`))
  writeFileSync(join(dir, 'unavailable.json'), shipped('haproxy/unavailable.json'))

  const logs = { web: join(dir, 'web.log'), door: join(dir, 'door.log') }
  const place = {
    ...{ PATH: process.env.PATH ?? '', HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir, CADDY_DATA: dir },
    ...{
      CERTIFICATES: certificates,
      DOOR_LOOKS_EVERY: '0.2',
      DOOR_CONNECTIONS: '8000',
      DOOR_NEARLY_FULL: '6000',
    },
    ...{ WEB_HOST: '127.0.0.1', WEB_HTTP_PORT: `${inside.http}`, VISITORS: '0.0.0.0/0 ::/0' },
    ...{ API_HOST: '127.0.0.1', API_PORT: `${apis[0] ?? 1}` },
    ...{ ASSETS: join(dir, 'assets'), SITE: join(dir, 'site'), CADDYFILE: join(dir, 'Caddyfile') },
    // Nobody: the tests come from 127.0.0.0/8.
    ...{ CDN_PROXIES: '192.0.2.1/32', ...(tls && { SITE_ADDRESS: 'localhost' }), ...env },
  }
  const run = (service: 'door' | 'web', command: string[]) => {
    const log = Bun.file(logs[service])
    return Bun.spawn(within?.(service, command) ?? command, { env: place, stdout: log, stderr: log })
  }
  const children = {
    web: run('web', ['sh', join(dir, 'web.sh')]),
    door: run('door', ['bash', join(dir, 'start.sh')]),
  }
  const isUp = async (service: 'door' | 'web', port: number) => {
    if (children[service].exitCode !== null) throw new Error(readFileSync(logs[service], 'utf8'))
    return (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))?.ok === true
  }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(tls ? `https://localhost:${ports.https}${path}` : `http://127.0.0.1:${ports.http}${path}`, {
      ...init,
      ...(tls && { tls: { rejectUnauthorized: false } }),
    })
  await until(() => isUp('web', inside.health), 'the web server answers')
  await until(() => isUp('door', ports.health), 'the door answers')
  if (tls) await until(() => ask('/').then(Boolean, () => false), 'the door has the certificate')
  return {
    ...{ dir, ports, ask, children },
    /** What HAProxy and Caddy have written. */
    log: (service: 'door' | 'web') => readFileSync(logs[service], 'utf8'),
    async close(): Promise<void> {
      for (const child of Object.values(children)) child.kill()
      await Promise.all(Object.values(children).map(({ exited }) => exited))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** All at once: the digits of a free port may hold those of a shipped one. */
const onPorts = (text: string, { http, https, health }: Record<'http' | 'https' | 'health', number>) => {
  const ports: Record<string, number> = { 8080: http, 8443: https, 8090: health }
  return text.replaceAll(/\b(8080|8443|8090)\b/g, (shipped) => `${ports[shipped]}`)
}
