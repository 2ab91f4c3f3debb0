import { join } from 'node:path'
import { bumpVersion } from '../db/event/terms.ts'
import { events } from '../db/schema/index.ts'
import { startApi } from './lib/api.ts'
import { printTable } from './lib/figures.ts'
import { load } from './lib/load.ts'
import { cpuOf, memoryOf, pinned, placing } from './lib/pinned.ts'

/** Calls a second of a page that polls: its seven parts at the intervals of docs/spec.md. */
const callsOfPoller = 1 / 1 + 1 / 0.3 + 1 / 2 + 1 / 0.3 + 1 / 0.5 + 1 / 1 + 1 / 1
/** Visitors of a hundred without a stream: old proxies, in-app browsers. An assumption, not a measurement. */
const pollersOfHundred = 5
/** Changes of the public state a second in a busy sale. An assumption too. */
const changesPerSecond = 1
/** Of the 12,000 that an API process takes, as the web server does not spread them quite evenly. */
const streamsPerProcess = 10_000

/**
 * The needs of 100,000 visitors at once: `bun run bench visitors [streams] [seconds]`. One API process is
 * measured with some thousand real streams; the rest is multiplied, and the table marks which is which.
 */
export async function bench([streams = '5000', seconds = '15']: string[]): Promise<void> {
  const cost = await measure(Number(streams), Number(seconds))
  console.log(`Measured: ${streams} streams on one API process, ${placing}`)
  printTable([
    { what: 'a page opens its stream', costs: `${cost.arrivalUs.toFixed(0)} us` },
    { what: 'a quiet stream, each second', costs: `${cost.quietUs.toFixed(2)} us` },
    { what: 'one change told to one stream', costs: `${cost.changeUs.toFixed(2)} us` },
    { what: 'one unchanged poll (304)', costs: `${cost.pollUs.toFixed(2)} us` },
    { what: 'one purchase reported', costs: `${cost.postUs.toFixed(0)} us` },
    { what: 'memory of a stream', costs: `${cost.streamKib.toFixed(1)} KiB` },
  ])
  console.log(
    `\nComputed: visitors at once, ${pollersOfHundred} of 100 polling, ${changesPerSecond} change a second`,
  )
  printTable([10_000, 50_000, 100_000].map((visitors) => needsOf(visitors, cost)))
}

type Cost = Awaited<ReturnType<typeof measure>>

function needsOf(visitors: number, cost: Cost) {
  const polling = (visitors * pollersOfHundred) / 100
  const streams = visitors - polling
  const streamCores = (streams * (cost.quietUs + cost.changeUs * changesPerSecond)) / 1e6
  const pollCores = (polling * callsOfPoller * cost.pollUs) / 1e6
  return {
    visitors: visitors.toLocaleString('en'),
    'API processes': Math.ceil(streams / streamsPerProcess),
    'cores, streams': streamCores.toFixed(2),
    'cores, polling': pollCores.toFixed(2),
    'calls/s, polling': Math.round(polling * callsOfPoller).toLocaleString('en'),
    'memory of streams': `${Math.round((streams * cost.streamKib) / 1024)} MiB`,
    'all back after a restart': `${((streams * cost.arrivalUs) / 1e6).toFixed(1)} core seconds`,
  }
}

async function measure(streams: number, seconds: number) {
  const api = await startApi()
  const script = join(import.meta.dir, 'lib/live-readers.ts')
  // A program that has just started gives some of its memory back.
  await Bun.sleep(5_000)
  // The loader opens streams one by one, which takes a while; the server's processor time excludes that.
  const before = { cpu: cpuOf(api.pid), rss: memoryOf(api.pid).rss }
  const readers = pinned(1, [process.execPath, script, `${api.port}`, '/api/live', `${streams}`])
  await readers.next()
  const arrivalMs = cpuOf(api.pid) - before.cpu

  const quietMs = await used(api.pid, () => Bun.sleep(seconds * 1000))
  const rss = memoryOf(api.pid).rss
  const idleMs = quietMs / seconds
  const changes = seconds * 4
  const began = performance.now()
  const busyMs = await used(api.pid, async () => {
    for (let sold = 1; sold <= changes; sold++) {
      await api.db.transaction(async (tx) => {
        await tx.update(events).set({ ticketsSold: sold })
        await bumpVersion(tx)
      })
      await Bun.sleep(Math.max(0, began + sold * 250 - performance.now()))
    }
  })
  const changeMs = busyMs - (idleMs * (performance.now() - began)) / 1000
  await readers.stop()
  // Closing thousands of streams at once is work too, but not part of a purchase.
  await Bun.sleep(3_000)

  const posts = 20 * seconds
  const postMs = await used(api.pid, () => reportPurchases(api.url, posts))
  const path = `${api.url}/api/raffle/config`
  const etag = (await fetch(path)).headers.get('etag')
  let polls = 0
  const pollMs = await used(api.pid, async () => {
    polls = (await load(path, 5, `If-None-Match: ${etag}`)).rps * 5
  })
  await api.stop()
  return {
    arrivalUs: (arrivalMs * 1000) / streams,
    quietUs: (idleMs * 1000) / streams,
    changeUs: (changeMs * 1000) / streams / changes,
    pollUs: (pollMs * 1000) / polls,
    postUs: (postMs * 1000) / posts,
    streamKib: ((rss - before.rss) * 1024) / streams,
  }
}

/** The server's processor time during `act`, in milliseconds. */
async function used(pid: number, act: () => Promise<unknown>): Promise<number> {
  const before = cpuOf(pid)
  await act()
  return cpuOf(pid) - before
}

/** Each by a different visitor, at twenty a second. */
async function reportPurchases(url: string, count: number): Promise<void> {
  const reports: Promise<unknown>[] = []
  for (let index = 0; index < count; index++) {
    const hash = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
    reports.push(
      fetch(`${url}/api/tickets/purchase`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.1.${index >> 8}.${index & 255}`,
        },
        body: JSON.stringify({ transactionHash: hash }),
      }).then((response) => {
        if (response.status !== 202) throw new Error(`A purchase was answered with ${response.status}.`)
      }),
    )
    await Bun.sleep(50)
  }
  await Promise.all(reports)
}
