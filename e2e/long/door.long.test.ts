import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compressFiles } from '../../site/build/compress.ts'
import { caddy, type Door, haproxy, openDoor } from '../lab/door.ts'
import { memoryGroup } from '../lab/memory-group.ts'
import { lacksPython } from '../lab/python.ts'
import { until } from '../lab/until.ts'

const seconds = Number(process.env.DOOR_SECONDS ?? 35)
const attacks = [
  // What it is, of how many connections, from how many addresses.
  ['streams', 50, 1],
  ['streams', 50, 100],
  ['readers', 1_000, 1],
  ['readers', 1_000, 100],
  ['bodies', 500, 1],
  ['bodies', 500, 100],
] as const

const compose = readFileSync(resolve(import.meta.dirname, '../../compose.yaml'), 'utf8')
const limitOf = (name: string) => Number(new RegExp(`\\$\\{${name}:-(\\d+)m\\}`).exec(compose)?.[1]) * 2 ** 20

/** An api that answers as ours does: at once, and a stream that says something every 5 s. */
function api() {
  const large = randomBytes(200_000).toString('hex')
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 30,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/openapi.json') return new Response(large)
      if (pathname !== '/api/live') return Response.json(request.body ? await request.json() : {})
      const beats = new ReadableStream({
        async pull(stream) {
          stream.enqueue(new TextEncoder().encode('event: beat\n\n'))
          await Bun.sleep(5_000)
        },
      })
      return new Response(beats, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
}

// HAProxy and Caddy come with their images, and the attackers are written in Python: a machine may lack each.
describe.skipIf(!haproxy || !caddy || lacksPython)('L7: who holds what he is given', () => {
  const server = api()
  const groups = {
    door: memoryGroup('door', limitOf('DOOR_MEMORY')),
    web: memoryGroup('web', limitOf('WEB_MEMORY')),
  }
  let door: Door

  beforeAll(async () => {
    door = await openDoor({
      ...{ apis: [server.port as number], tls: true },
      within: (service, command) => groups[service]?.within(command) ?? command,
    })
    const site = join(door.dir, 'site')
    const text = `<!doctype html>${randomBytes(60_000).toString('hex')}`
    for (const name of ['index.html', 'part.js']) writeFileSync(join(site, name), text)
    await compressFiles(site, ['index.html', 'part.js'])
  })
  afterAll(async () => {
    await door.close()
    await server.stop(true)
    for (const group of Object.values(groups)) await group?.end()
  })

  test.each(attacks)(
    '%s of %i connections from %i addresses keep nobody waiting',
    async (kind, count, addresses) => {
      const paths = kind === 'bodies' ? ['/api/tickets/purchase'] : ['/', '/api/openapi.json', '/part.js']
      const script = resolve(import.meta.dirname, 'door-attack.py')
      const attack = Bun.spawn(
        ['python3', script, kind, `${door.ports.https}`, `${count}`, `${addresses}`, ...paths],
        { stdout: 'pipe', stderr: 'inherit' },
      )
      const told = follower(attack.stdout)
      const stream = follow(door)
      // Everything it wants was asked for once.
      await until(() => told.now.opened + told.now.refused >= count, 'the attack has begun', 120_000)
      const took: number[] = []
      const failed: string[] = []
      const end = performance.now() + seconds * 1_000
      while (performance.now() < end) {
        const began = performance.now()
        await visit(door).catch((error) => failed.push(`${error}`))
        took.push(performance.now() - began)
        await Bun.sleep(200)
      }
      attack.kill()
      const { held, opened, refused, asked } = told.now
      const sorted = took.sort((a, b) => a - b)
      const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] as number)
      console.log(
        `${kind} x ${count} from ${addresses}: held ${held} (opened ${opened}, refused ${refused}, asked ${asked}); ` +
          `${took.length} visits, median ${at(0.5)} ms, 95% ${at(0.95)}, slowest ${at(1)}, failed ${failed.length}; ` +
          Object.entries(groups)
            .map(([name, group]) => `${name} ${JSON.stringify(group?.told() ?? rss(door, name))}`)
            .join(', '),
      )
      expect(failed).toEqual([])
      // On a machine that has other work, too, single visits take longer.
      expect(at(0.5)).toBeLessThan(1_000)
      expect(await stream.isOpen()).toBe(true)
      for (const child of Object.values(door.children)) expect(child.exitCode).toBeNull()
      for (const group of Object.values(groups)) expect(group?.told().kills ?? 0).toBe(0)
    },
  )
})

/** A page, one of its parts and a call, on a connection of its own. */
async function visit(door: Door): Promise<void> {
  for (const path of ['/', '/part.js', '/api/raffle/config']) {
    const answer = await door.ask(path, { keepalive: false, signal: AbortSignal.timeout(10_000) })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  }
}

type Told = { held: number; opened: number; refused: number; asked: number }

/** What the attack says of itself. */
function follower(stdout: ReadableStream<Uint8Array>) {
  const told = { now: { held: 0, opened: 0, refused: 0, asked: 0 } as Told }
  const read = async () => {
    let text = ''
    for await (const part of stdout) {
      text += new TextDecoder().decode(part)
      const line = text.split('\n').at(-2)
      if (line) told.now = JSON.parse(line)
    }
  }
  void read()
  return told
}

/** A stream that stays open all the while. */
function follow(door: Door) {
  const cut = new AbortController()
  let ended = false
  const read = async () => {
    const { body } = await door.ask('/api/live', { signal: cut.signal })
    for await (const _ of body as ReadableStream) if (cut.signal.aborted) return
  }
  const end = () => {
    ended = true
  }
  read().then(end, end)
  return {
    async isOpen(): Promise<boolean> {
      const was = !ended
      cut.abort()
      return was
    },
  }
}

/** Where no group can be made: what the process itself has. */
function rss(door: Door, name: string): string {
  const { pid } = door.children[name as 'door' | 'web']
  return /VmHWM:\s+(\d+ kB)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'gone'
}
