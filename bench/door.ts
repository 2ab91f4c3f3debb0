import { join } from 'node:path'
import { openDoor } from '../e2e/lab/door.ts'
import { openAdminApi } from './lib/admin-api.ts'
import { judged, median, printTable, spread, wholeSpread } from './lib/figures.ts'
import { pinned } from './lib/pinned.ts'
import { type Rightful, rightful } from './lib/rightful.ts'

type Visited = { p99: number }
type Round = Visited & Rightful & { bought: number; bare: number; sent: Record<string, number> }

const kinds = ['one address', '750 /64s', 'one /48', 'the office', 'a stale token', 'forged proxies']
const office = '198.51.100.7'
const lib = (name: string) => join(import.meta.dirname, 'lib', name)
const loader = lib('paced-load.ts')
const chrt = Bun.which('chrt')
/** The attackers' header is believed, as a CDN's is: what stands against them is the api alone. */
const asCdn = { CDN_PROXIES: '127.0.0.0/8 ::1/128' }
/** In reality the load comes from other machines, so these priorities keep loaders and server apart. */
const first = chrt && Bun.spawnSync([chrt, '-r', '1', 'true']).success ? [chrt, '-r', '1'] : []
const last = chrt ? [chrt, '-i', '0'] : []

/**
 * Attacks on admission to the administrator area, and what visitors, buyers and the rightful administrator notice:
 * `bun run bench door [rounds] [seconds] [kind]`. The floor is a bare server that answers the same attackers 429 from memory.
 */
export async function bench([rounds = '5', seconds = '4', only]: string[]): Promise<void> {
  const adminApi = await openAdminApi()
  const api = await adminApi.startApi(null)
  const bare = pinned(null, [process.execPath, lib('bare-door.ts'), `${api.url}/api/raffle/config`])
  const bareUrl = `http://127.0.0.1:${(await bare.next<{ port: number }>()).port}`
  const before = (server: string) => openDoor({ apis: [Number(new URL(server).port)], env: asCdn })
  const doors = [await before(api.url), await before(bareUrl)]
  const [url = '', floorUrl = ''] = doors.map(({ ports }) => `http://127.0.0.1:${ports.http}`)
  const owner = rightful(url, office)
  const { token: stale, headers: left } = await owner.begin()
  await owner.begin()
  await owner.logout(left)
  const attackers = (target: string, kind: string, lasts: string) =>
    pinned(null, [...last, process.execPath, lib('door-attack.ts'), target, kind, lasts, office, stale])
  const visitors = (way: 'read' | 'post', target: string, rate: number) =>
    pinned(null, [...first, process.execPath, loader, way, target, `${rate}`, seconds]).next<Visited>()

  const lasts = `${Number(seconds) + 2}`
  console.log(`500 public calls and 20 purchases a second, ${seconds} s x ${rounds}; median (range)`)
  const rows = []
  for (const kind of only ? [only] : kinds) {
    const found: Round[] = []
    for (let round = 0; round < Number(rounds); round++) {
      const atBare = attackers(floorUrl, kind, lasts)
      await Bun.sleep(1_000)
      const { p99 } = await visitors('read', floorUrl, 500)
      await atBare.next()
      const atApi = attackers(url, kind, lasts)
      await Bun.sleep(1_000)
      const [visited, { p99: bought }, worked] = await Promise.all([
        visitors('read', url, 500),
        visitors('post', url, 20),
        owner.work(`203.0.113.${round + 1}`),
      ])
      found.push({ ...visited, ...worked, bought, bare: p99, sent: await atApi.next() })
    }
    rows.push(rowOf(kind, found))
  }
  await Promise.all([...doors.map((door) => door.close()), api.stop(), bare.stop()])
  await adminApi.close()
  printTable(rows)
}

function rowOf(kind: string, found: readonly Round[]): Record<string, string> {
  const times = median(found.map(({ p99 }) => p99)) / median(found.map(({ bare }) => bare))
  const bought = median(found.map((round) => round.bought))
  const worst = (name: keyof Rightful) => Math.max(...found.map((round) => round[name]))
  const isGood =
    times <= 2 && bought < 100 && worst('knownS') <= 5 && worst('newS') <= 5 && worst('actS') <= 1
  const sent: Record<string, number> = {}
  for (const round of found)
    for (const [status, count] of Object.entries(round.sent)) sent[status] = (sent[status] ?? 0) + count
  return {
    attackers: kind,
    'public p99 ms': spread(found.map((round) => round.p99)),
    'bare p99 ms': spread(found.map(({ bare }) => bare)),
    'x bare': times.toFixed(2),
    'purchase p99 ms': wholeSpread(found.map((round) => round.bought)),
    'login s, known browser': worst('knownS').toFixed(2),
    'new address': worst('newS').toFixed(2),
    'action s': worst('actS').toFixed(2),
    'attackers got': Object.entries(sent)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
    goal: judged(isGood, 'x <= 2, < 100 ms, login <= 5 s, action <= 1 s'),
  }
}
