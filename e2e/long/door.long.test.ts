import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compressFiles } from '../../site/build/compress.ts'
import { caddy, type Door, haproxy, openDoor } from '../lab/door.ts'
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

const tree = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'].find((dir) =>
  existsSync(join(dir, 'cgroup.procs')),
) as string
const isOld = tree?.endsWith('memory')
const files = isOld
  ? { limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', kills: 'memory.oom_control' }
  : { limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' }

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
      const stream = follow(door)
      // Everything it wants was asked for once.
      await attack.stdout.getReader().read()
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
      const median = took.sort((a, b) => a - b)[took.length >> 1] as number
      const memory = JSON.stringify([groups.door?.told(), groups.web?.told()])
      console.log(`${kind} x ${count} from ${addresses}: ${took.length} visits, ${median} ms, ${memory}`)
      expect(failed).toEqual([])
      // On a machine that has other work, too, single visits take longer.
      expect(median).toBeLessThan(1_000)
      expect(stream.isOpen()).toBe(true)
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

/** A stream that stays open all the while. */
function follow(door: Door) {
  const cut = new AbortController()
  let isOpen = true
  const read = async () => {
    const { body } = await door.ask('/api/live', { signal: cut.signal })
    for await (const _ of body as ReadableStream) if (cut.signal.aborted) return
  }
  const end = () => {
    isOpen = false
  }
  read().then(end, end)
  return {
    isOpen: () => {
      cut.abort()
      return isOpen
    },
  }
}

/** What a container of this much memory is; undefined where this machine lets nobody make one. */
function memoryGroup(name: string, bytes: number) {
  const dir = join(tree ?? '/', `blockdraw-${name}-${process.pid}`)
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  try {
    accessSync(tree, constants.W_OK)
    mkdirSync(dir)
    writeFileSync(join(dir, files.limit), `${bytes}`)
  } catch {
    return undefined
  }
  return {
    /** The command, run in the group. */
    within: (command: string[]) => ['sh', '-c', `echo $$ > ${dir}/cgroup.procs; exec "$@"`, 'sh', ...command],
    /** The most it has taken, kernel's buffers included, and how often something was killed for it. */
    told: () => ({
      peakMb: Math.round(Number(read(files.peak)) / 2 ** 20),
      kills: Number(/oom_kill (\d+)/.exec(read(files.kills))?.[1]),
    }),
    /** Once nothing runs in it. */
    end: () => until(() => read('cgroup.procs') === '', `${dir} is empty`).then(() => rmdirSync(dir)),
  }
}
