import { loadavg } from 'node:os'
import { join } from 'node:path'
import { bumpVersion } from '../db/event/terms.ts'
import { events } from '../db/schema/index.ts'
import { caddy, haproxy, openDoor } from '../e2e/lab/door.ts'
import { startApiOn, startDatabase } from './lib/api.ts'
import { type Cost, costsOf, socketKib } from './lib/crowd-costs.ts'
import { openCrowd } from './lib/crowd-readers.ts'
import { judged, median, percentile, printTable, spread } from './lib/figures.ts'
import { mostFiles, pinned } from './lib/pinned.ts'

type Servers = {
  name: string
  ports: number[]
  pids: number[]
  broadcast: () => Promise<number>
  stop: () => Promise<void>
}
type Plan = { streams: number; changes: number; webServers: number; tls: boolean }
type Run = Awaited<ReturnType<typeof measure>>

/** Size of the event that the bare broadcasters send: that of one change of the API. */
const eventBytes = 400
const apis = 2
/** Maximum number of streams per API process. */
const streamsPerProcess = 12_000
/** Files of a process that are no streams, rounded up. */
const otherFiles = 200
/** Two sockets between visitor and web server, two between it and the api. */
const socketsOfStream = 4
const quietSeconds = 10
/** The readers' header is believed, as a CDN's is. */
const asCdn = { CDN_PROXIES: '127.0.0.0/8 ::1/128', DOOR_CONNECTIONS: '20000', DOOR_NEARLY_FULL: '20000' }

/**
 * One change to all streams that come through the web server from two API processes, against two bare broadcasters behind
 * the same web server: `bun run bench crowd [streams] [rounds] [changes a round] [web servers] [tls]`. The API's time
 * counts from the commit of the change, the bare one's from the broadcast.
 */
export async function bench([streams, rounds, changes, webServers, tls]: string[]): Promise<void> {
  if (!haproxy || !caddy) {
    // Not thrown: the benches after this one need no door.
    console.error(
      'Not measured: put `haproxy` and `caddy` on the PATH, or name them in HAPROXY_PATH and CADDY_PATH.',
    )
    return
  }
  const plan = fitting({
    streams: Number(streams ?? 20_000),
    changes: Number(changes ?? 10),
    webServers: Number(webServers ?? 1),
    tls: tls === 'tls',
  })
  const found = new Map<string, Run[]>()
  for (let round = 0; round < Number(rounds ?? 2); round++) {
    for (const start of [startBareServers, startApis]) {
      const servers = await start()
      found.set(servers.name, [...(found.get(servers.name) ?? []), await measure(servers, plan)])
      await servers.stop()
    }
  }
  console.log(
    `${plan.streams} streams${plan.tls ? ' over TLS' : ''}, ${plan.webServers} x HAProxy ${versionOf(haproxy)}, ${apis} servers behind it, no process pinned; ms from ${plan.changes} changes x ${rounds ?? 2} rounds in turn, median (range); load of the machine ${spread(
      [...found.values()].flat().map(({ load }) => load),
      1,
    )}`,
  )
  printTable([...found].map(([name, runs]) => rowOf(name, runs, found.get('bare ReadableStream') ?? [])))
  console.log('\nMemory in MiB; KiB and processor time of each stream')
  printTable(
    [...found].flatMap(([name, runs]) => runs.flatMap((run) => run.costs.map((cost) => costRow(name, cost)))),
  )
  const kernel = [...found.values()].flat().map(({ kernelKib }) => kernelKib)
  console.log(
    `\nA socket in the kernel, beside that: ${spread(kernel, 1)} KiB (whatever else the machine did is in it)`,
  )
}

const versionOf = (program: string): string =>
  /version (\S+)/.exec(Bun.spawnSync([program, '-v']).stdout.toString())?.[1] ?? ''

/** As many streams as the machine lets these web servers hold, and says which limit stopped the rest. */
function fitting(plan: Plan): Plan {
  const files = mostFiles(process.pid)
  const limits = [
    { most: apis * streamsPerProcess, why: `${apis} api processes take ${streamsPerProcess} streams each` },
    {
      most: plan.webServers * Math.floor((files - otherFiles) / 2),
      why: `a process may have ${files} files open, and the web server needs two a stream`,
    },
  ].sort((a, b) => a.most - b.most)
  const [tightest] = limits
  if (!tightest || plan.streams <= tightest.most) return plan
  console.log(`${tightest.most} streams instead of ${plan.streams}: ${tightest.why}.`)
  return { ...plan, streams: tightest.most }
}

function rowOf(name: string, runs: readonly Run[], floor: readonly Run[]) {
  const times = runs.flatMap((run) => run.times)
  const ratios = runs.map((run, round) => lastOf(run) / lastOf(floor[round]))
  const missed = runs.reduce((sum, run) => sum + run.missed, 0)
  const refused = runs.reduce((sum, run) => sum + run.refused, 0)
  const worst = Math.max(...times.map(({ last }) => last))
  return {
    servers: name,
    'opened/s': Math.round(median(runs.map(({ openedPerSecond }) => openedPerSecond))),
    p50: spread(
      times.map(({ p50 }) => p50),
      0,
    ),
    p99: spread(
      times.map(({ p99 }) => p99),
      0,
    ),
    last: spread(
      times.map(({ last }) => last),
      0,
    ),
    'over 1 s': `${times.filter(({ last }) => last > 1_000).length} of ${times.length}`,
    'last x bare': spread(ratios),
    refused,
    missed,
    goal: name === 'api' ? judged(worst <= 1_000 && missed + refused === 0, 'last <= 1000, all held') : '',
  }
}

const lastOf = (run: Run | undefined): number => median(run?.times.map(({ last }) => last) ?? [])

function costRow(behind: string, { name, kib, ...cost }: Cost) {
  return {
    behind,
    process: name,
    streams: cost.streams,
    before: cost.before.toFixed(0),
    open: cost.open.toFixed(0),
    'after changes': cost.after.toFixed(0),
    peak: cost.peak.toFixed(0),
    KiB: kib.toFixed(1),
    'us to open': cost.openUs.toFixed(0),
    'us a quiet second': cost.quietUs.toFixed(1),
    'us a change': cost.changeUs.toFixed(1),
    goal: behind === 'api' && name !== 'door' ? judged(kib <= 8, '<= 8 KiB') : '',
  }
}

async function measure(servers: Servers, { streams, changes, webServers, tls }: Plan) {
  const web = await Promise.all(
    Array.from({ length: webServers }, () => openDoor({ apis: servers.ports, tls, env: asCdn })),
  )
  // A program that has just started gives some of its memory back.
  await Bun.sleep(5_000)
  const costs = costsOf([
    ...web.map(({ children }) => ({ name: 'door', pid: children.door.pid, filesOfStream: 2 })),
    ...servers.pids.map((pid) => ({ name: servers.name, pid, filesOfStream: 1 })),
  ])
  const kernel = socketKib()
  const crowd = await openCrowd({
    streams,
    ports: web.map(({ ports }) => (tls ? ports.https : ports.http)),
    tls,
  })
  // Until the last snapshot is written and what was needed to open a stream is given back.
  await Bun.sleep(5_000)
  const kernelKib = (socketKib() - kernel) / (streams * socketsOfStream)
  costs.opened()
  await Bun.sleep(quietSeconds * 1000)
  costs.rested(quietSeconds)

  const times: { p50: number; p99: number; last: number }[] = []
  let missed = 0
  const began = performance.now()
  // The first one warms up.
  for (let count = 0; count <= changes; count++) {
    await crowd.arm()
    const sentAt = await servers.broadcast()
    const heard = (await crowd.heardAt()).map((at) => at - sentAt)
    missed += streams - crowd.refused - heard.length
    if (count > 0)
      times.push({ p50: percentile(heard, 0.5), p99: percentile(heard, 0.99), last: Math.max(...heard) })
    await Bun.sleep(1_000)
  }
  const load = loadavg()[0] ?? 0
  const found = costs.changed(changes + 1, (performance.now() - began) / 1000)
  await crowd.stop()
  await Promise.all(web.map((one) => one.close()))
  const { openedPerSecond, refused } = crowd
  return { openedPerSecond, refused, missed, times, costs: found, kernelKib, load }
}

async function startBareServers(): Promise<Servers> {
  const script = join(import.meta.dir, 'lib/bare-live.ts')
  const children = Array.from({ length: apis }, () => pinned(null, [process.execPath, script]))
  const ports = await Promise.all(children.map((child) => child.next<{ port: number }>()))
  return {
    name: 'bare ReadableStream',
    ports: ports.map(({ port }) => port),
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
  const all = [await startApiOn(database, null), await startApiOn(database, null)]
  let sold = 0
  return {
    name: 'api',
    ports: all.map(({ port }) => port),
    pids: all.map(({ pid }) => pid),
    broadcast: async () => {
      await database.db.transaction(async (tx) => {
        await tx.update(events).set({ ticketsSold: ++sold })
        await bumpVersion(tx)
      })
      return performance.timeOrigin + performance.now()
    },
    stop: async () => {
      await Promise.all(all.map((api) => api.stop()))
      await database.stop()
    },
  }
}
