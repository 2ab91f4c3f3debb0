import { join } from 'node:path'
import { bumpVersion } from '../db/event/terms.ts'
import { events } from '../db/schema/index.ts'
import { caddy, type Door, haproxy, openDoor } from '../e2e/lab/door.ts'
import { startApiOn, startDatabase } from './lib/api.ts'
import { judged, median, percentile, printTable, spread, wholeSpread } from './lib/figures.ts'
import { memoryOf, pinned } from './lib/pinned.ts'

type Servers = {
  ports: number[]
  pids: number[]
  /** Resolves with the time of the change, in milliseconds since 1970. */
  broadcast: () => Promise<number>
  stop: () => Promise<void>
}
type Run = Awaited<ReturnType<typeof measure>>

/** Size of the event that the bare broadcasters send: that of one change of the API. */
const eventBytes = 400
/** A process may have some 20,000 files open, and HAProxy needs two a stream. */
const streamsPerDoor = 9_500
/** The readers' header is believed, as a CDN's is. */
const asCdn = { CDN_PROXIES: '127.0.0.0/8 ::1/128', DOOR_CONNECTIONS: '20000', DOOR_NEARLY_FULL: '20000' }

/**
 * One change to all streams that come through the web server from two API processes, against two bare broadcasters behind
 * the same web server, which is as many HAProxy as hold them: `bun run bench crowd [streams] [rounds] [changes a round]`. The
 * API's time counts from the commit of the change, the bare one's from the broadcast.
 */
export async function bench([streams = '20000', rounds = '2', changes = '10']: string[]): Promise<void> {
  if (!haproxy || !caddy) {
    // Not thrown: the benches after this one need no door.
    console.error(
      'Not measured: put `haproxy` and `caddy` on the PATH, or name them in HAPROXY_PATH and CADDY_PATH.',
    )
    return
  }
  const found = new Map<string, Run[]>([
    ['bare ReadableStream', []],
    ['api', []],
  ])
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, runs] of found) {
      const servers = await (name === 'api' ? startApis() : startBareServers())
      runs.push(await measure(servers, Number(streams), Number(changes)))
      await servers.stop()
    }
  console.log(
    `${streams} streams, two servers behind HAProxy, ${changes} changes x ${rounds} rounds in turn; ms, median (range)`,
  )
  const floor = found.get('bare ReadableStream') ?? []
  printTable([...found].map(([name, runs]) => rowOf(name, runs, floor)))
}

function rowOf(name: string, runs: readonly Run[], floor: readonly Run[]) {
  const times = runs.flatMap((run) => run.times)
  const last = times.map((time) => time.last)
  const kib = runs.flatMap((run) => run.kib)
  const missed = runs.reduce((sum, run) => sum + run.missed, 0)
  const lastOf = (run: Run | undefined) => median(run?.times.map((time) => time.last) ?? [])
  return {
    servers: name,
    'opened/s': Math.round(median(runs.map((run) => run.openedPerSecond))),
    p50: wholeSpread(times.map((time) => time.p50)),
    last: wholeSpread(last),
    'last x bare': spread(runs.map((run, round) => lastOf(run) / lastOf(floor[round]))),
    missed,
    'KiB a stream': spread(kib, 1),
    goal:
      name === 'api'
        ? judged(
            Math.max(...last) <= 1_000 && missed === 0 && median(kib) <= 8,
            'last <= 1000, none missed, <= 8 KiB',
          )
        : '',
  }
}

async function measure({ ports, pids, broadcast }: Servers, streams: number, changes: number) {
  const doors: Door[] = []
  while (doors.length * streamsPerDoor < streams) doors.push(await openDoor({ apis: ports, env: asCdn }))
  // A program that has just started gives some of its memory back.
  await Bun.sleep(5_000)
  const before = pids.map((pid) => memoryOf(pid).rss)
  const began = performance.now()
  const readers = openReaders(doors, streams)
  await Promise.all(readers.map((reader) => reader.next()))
  const openedPerSecond = streams / ((performance.now() - began) / 1000)
  await Bun.sleep(5_000)

  const times: { p50: number; last: number }[] = []
  let missed = 0
  // The first one warms up.
  for (let count = 0; count <= changes; count++) {
    for (const reader of readers) reader.write('next')
    await Promise.all(readers.map((reader) => reader.next()))
    const sentAt = await broadcast()
    const heard = await Promise.all(readers.map((reader) => reader.next<{ heardAt: number[] }>()))
    const waits = heard.flatMap(({ heardAt }) => heardAt.map((at) => at - sentAt))
    missed += streams - waits.length
    if (count > 0) times.push({ p50: percentile(waits, 0.5), last: Math.max(...waits) })
    await Bun.sleep(1_000)
  }
  const kib = pids.map((pid, n) => ((memoryOf(pid).rss - (before[n] ?? 0)) * 1024 * pids.length) / streams)
  await Promise.all(readers.map((reader) => reader.stop()))
  for (const door of doors) await door.close()
  return { openedPerSecond, missed, times, kib }
}

/** A loader for each door, 20 streams a visitor. */
const openReaders = (doors: readonly Door[], streams: number) =>
  doors.map(({ ports }, n) => {
    const count = Math.min(streamsPerDoor, streams - n * streamsPerDoor)
    const script = join(import.meta.dir, 'lib/live-readers.ts')
    const place = [`${ports.http}`, '/api/live', `${count}`, '--first', `${n * streamsPerDoor}`]
    return pinned(null, [process.execPath, script, ...place])
  })

async function startBareServers(): Promise<Servers> {
  const script = join(import.meta.dir, 'lib/bare-live.ts')
  const children = [1, 2].map(() => pinned(null, [process.execPath, script]))
  const told = await Promise.all(children.map((child) => child.next<{ port: number }>()))
  return {
    ports: told.map(({ port }) => port),
    pids: children.map(({ pid }) => pid),
    broadcast: async () => {
      const sentAt = performance.timeOrigin + performance.now()
      for (const child of children) child.write(`${eventBytes}`)
      return sentAt
    },
    stop: async () => void (await Promise.all(children.map((child) => child.stop()))),
  }
}

async function startApis(): Promise<Servers> {
  const database = await startDatabase()
  const apis = [await startApiOn(database, null), await startApiOn(database, null)]
  let sold = 0
  return {
    ports: apis.map(({ port }) => port),
    pids: apis.map(({ pid }) => pid),
    broadcast: async () => {
      await database.db.transaction(async (tx) => {
        await tx.update(events).set({ ticketsSold: ++sold })
        await bumpVersion(tx)
      })
      return performance.timeOrigin + performance.now()
    },
    stop: async () => {
      await Promise.all(apis.map((api) => api.stop()))
      await database.stop()
    },
  }
}
