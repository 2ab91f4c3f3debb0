import { join } from 'node:path'
import { bumpVersion } from '../db/event/terms.ts'
import { events } from '../db/schema/index.ts'
import { startApi } from './lib/api.ts'
import { judged, median, percentile, printTable, spread, wholeSpread } from './lib/figures.ts'
import { memoryOf, pinned, placing } from './lib/pinned.ts'

type Received = { received: number; closed: number; p50At: number; p99At: number }
type Server = { name: string; port: number; path: string; pid: number; broadcast: () => Promise<number> }

/** Size of the event that the bare broadcaster sends: that of one change of the API. */
const eventBytes = 400

/**
 * One change to all open streams, against a bare ReadableStream broadcaster of the same run:
 * `bun run bench live [streams] [rounds] [broadcasts a round]`. The API's time counts from the commit of the
 * change, so it includes notification, load and encoding; the bare one's counts from the broadcast.
 */
export async function bench([count = '5000', rounds = '3', changes = '20']: string[]): Promise<void> {
  const [streams, broadcasts] = [Number(count), Number(changes)]
  const found = new Map<string, Awaited<ReturnType<typeof measure>>[]>()
  for (let round = 0; round < Number(rounds); round++) {
    for (const start of [startBareServer, startApiServer]) {
      const { server, stop } = await start()
      found.set(server.name, [...(found.get(server.name) ?? []), await measure(server, streams, broadcasts)])
      await stop()
    }
  }
  const floor = found.get('bare ReadableStream') ?? []
  console.log(
    `${streams} streams, ${broadcasts} broadcasts x ${rounds} rounds in turn, ${placing}; median of rounds (range), ms`,
  )
  printTable(
    [...found].map(([name, all]) => {
      const ratios = all.map(({ p99 }, round) => p99 / (floor[round]?.p99 ?? Number.NaN))
      const rss = all.map(({ peak }) => peak)
      const missed = all.reduce((sum, one) => sum + one.missed, 0)
      return {
        server: name,
        'connects/s': median(all.map(({ connectsPerSecond }) => connectsPerSecond)),
        p50: spread(all.map(({ p50 }) => p50)),
        p99: spread(all.map(({ p99 }) => p99)),
        'p99 x bare': spread(ratios),
        'RSS MiB': wholeSpread(all.map(({ rss }) => rss)),
        'peak MiB': wholeSpread(rss),
        missed,
        goal: name.startsWith('api')
          ? judged(median(ratios) <= 1.35 && missed === 0 && median(rss) <= 100, 'p99 <= 1.35 x, <= 100 MiB')
          : '',
      }
    }),
  )
}

async function measure({ port, path, pid, broadcast }: Server, streams: number, broadcasts: number) {
  const script = join(import.meta.dir, 'lib/live-readers.ts')
  const readers = pinned(1, [process.execPath, script, `${port}`, path, `${streams}`])
  const { connectsPerSecond } = await readers.next<{ connectsPerSecond: number }>()
  const medians: number[] = []
  const slowest: number[] = []
  let missed = 0
  // The first one warms up.
  for (let count = 0; count <= broadcasts; count++) {
    readers.write('next')
    await readers.next()
    const sentAt = await broadcast()
    const { received, p50At, p99At } = await readers.next<Received>()
    missed += streams - received
    if (count === 0) continue
    medians.push(p50At - sentAt)
    slowest.push(p99At - sentAt)
    await Bun.sleep(30)
  }
  const { rss, peak } = memoryOf(pid)
  await readers.stop()
  return { connectsPerSecond, p50: median(medians), p99: percentile(slowest, 0.5), rss, peak, missed }
}

async function startBareServer() {
  const child = pinned(0, [process.execPath, join(import.meta.dir, 'lib/bare-live.ts')])
  const { port } = await child.next<{ port: number }>()
  const broadcast = async () => {
    const sentAt = performance.timeOrigin + performance.now()
    child.write(`${eventBytes}`)
    return sentAt
  }
  return {
    server: { name: 'bare ReadableStream', port, path: '/', pid: child.pid, broadcast },
    stop: child.stop,
  }
}

async function startApiServer() {
  const api = await startApi()
  let sold = 0
  const broadcast = async () => {
    await api.db.transaction(async (tx) => {
      await tx.update(events).set({ ticketsSold: ++sold })
      await bumpVersion(tx)
    })
    return performance.timeOrigin + performance.now()
  }
  return {
    server: { name: 'api, from the commit on', port: api.port, path: '/api/live', pid: api.pid, broadcast },
    stop: api.stop,
  }
}
