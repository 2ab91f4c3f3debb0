import { join } from 'node:path'
import { startApi } from './lib/api.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { cpuOf, pinned, placing } from './lib/pinned.ts'

type Load = { rps: number; p50: number; p99: number }

/** A public GET against a bare Bun.serve function that sends the same bytes: `bun run bench http [rounds] [seconds]`. */
export async function bench([rounds = '7', seconds = '2']: string[]): Promise<void> {
  const api = await startApi()
  const path = '/api/raffle/config'
  const { headers } = await fetch(api.url + path)
  const bare = await startBare(api.url + path, 'plain')
  const bare304 = await startBare(api.url + path, 'etag')
  const ifNoneMatch = `If-None-Match: ${headers.get('etag')}`
  const targets = {
    bare: [bare, path, ''],
    'bare, 304': [bare304, path, ifNoneMatch],
    api: [api, path, ''],
    'api, timestamp': [api, `${path}?t=1758000000000`, ''],
    'api, 304': [api, path, ifNoneMatch],
    'api, health (not ready bytes)': [api, '/api/health', ''],
  } as const
  const floors: Record<string, keyof typeof targets> = { 'bare, 304': 'bare', 'api, 304': 'bare, 304' }
  const found = new Map<string, (Load & { cpu: number })[]>()
  for (let round = 0; round <= Number(rounds); round++)
    for (const [name, [server, asked, header]] of Object.entries(targets)) {
      const lasts = round === 0 ? 1 : Number(seconds)
      const before = cpuOf(server.pid)
      const loader = [process.execPath, join(import.meta.dir, 'lib/http-load.ts')]
      const result = await pinned(1, [...loader, server.url + asked, '64', `${lasts}`, header]).next<Load>()
      const cpu = ((cpuOf(server.pid) - before) * 1000) / (result.rps * lasts)
      // The first round only warms up.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), { ...result, cpu }])
    }
  await Promise.all([api.stop(), bare.stop(), bare304.stop()])

  console.log(`64 connections, ${seconds} s x ${rounds} in turn, ${placing}; median (range)`)
  printTable(
    [...found].map(([name, loads]) => {
      const floor = found.get(floors[name] ?? 'bare') ?? []
      const rate = loads.map(({ rps }, round) => rps / (floor[round]?.rps ?? Number.NaN))
      const p99 = loads.map((one, round) => one.p99 / (floor[round]?.p99 ?? Number.NaN))
      return {
        target: name,
        rps: Math.round(median(loads.map(({ rps }) => rps))),
        'x floor': spread(rate),
        'cpu us': median(loads.map(({ cpu }) => cpu)).toFixed(2),
        'cpu x floor': spread(loads.map(({ cpu }, round) => cpu / (floor[round]?.cpu ?? Number.NaN))),
        'p50 ms': median(loads.map(({ p50 }) => p50)).toFixed(2),
        'p99 ms': spread(loads.map((one) => one.p99)),
        'p99 x floor': median(p99).toFixed(2),
        goal: /^api(, timestamp|, 304)?$/.test(name)
          ? judged(median(rate) >= 1 && median(p99) <= 2, '>= 1, p99 <= 2')
          : '',
      }
    }),
  )
}

async function startBare(source: string, kind: string) {
  const child = pinned(0, [process.execPath, join(import.meta.dir, 'lib/bare-http.ts'), source, kind])
  const { port } = await child.next<{ port: number }>()
  return { pid: child.pid, url: `http://127.0.0.1:${port}`, stop: child.stop }
}
