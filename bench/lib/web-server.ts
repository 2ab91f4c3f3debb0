import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../e2e/lab/until.ts'
import { headersSnippet } from '../../infra/caddy/site-headers.ts'
import { freePort } from '../../infra/local/ports.ts'

const caddyfile = join(import.meta.dir, '../../infra/caddy/Caddyfile')
/** Where the file asks for the addresses of a name: there is no such name outside of containers. */
const addressesOfName = /dynamic a \{\n[\s\S]*?\n\t\}/

/** The web server's program and its version; undefined where there is none. */
export function findCaddy(): { program: string; version: string } | undefined {
  const program = process.env.CADDY_PATH ?? Bun.which('caddy')
  if (!program) return undefined
  const { stdout } = Bun.spawnSync([program, 'version'])
  return { program, version: stdout.toString().split(' ')[0]?.trim() ?? '' }
}

/**
 * The web server of compose.yaml with the file it has there, before servers on these ports of this machine: with its own
 * certificate, or in plain text.
 */
export async function startWebServer(program: string, upstreams: readonly number[], { tls = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-web-'))
  const [http, https, health] = [await freePort(), await freePort(), await freePort()]
  const text = readFileSync(caddyfile, 'utf8')
    .replaceAll('8080', `${http}`)
    .replaceAll('8443', `${https}`)
    .replaceAll('8090', `${health}`)
    .replaceAll('/srv', dir)
    .replace('admin off', 'admin off\n\tskip_install_trust')
    .replace(addressesOfName, `to ${upstreams.map((port) => `127.0.0.1:${port}`).join(' ')}`)
  writeFileSync(join(dir, 'Caddyfile'), text)
  writeFileSync(join(dir, 'headers.caddy'), headersSnippet())
  mkdirSync(join(dir, 'current'))
  writeFileSync(join(dir, 'current/index.html'), 'the page')
  const log = join(dir, 'log')
  const child = Bun.spawn([program, 'run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      HOME: dir,
      XDG_DATA_HOME: dir,
      XDG_CONFIG_HOME: dir,
      API_HOST: '127.0.0.1',
      API_PORT: `${upstreams[0]}`,
      // The readers' header is believed, as a CDN's is.
      CDN_PROXIES: '127.0.0.0/8',
      ...(tls && { SITE_ADDRESS: 'localhost' }),
    },
    stdout: 'ignore',
    stderr: Bun.file(log),
  })
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`Caddy did not start:\n${readFileSync(log, 'utf8')}`)
    return (await fetch(`http://127.0.0.1:${health}/`).catch(() => undefined))?.ok === true
  }
  await until(isUp, 'The web server answers', 10_000)
  return {
    port: tls ? https : http,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      await child.exited
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
