import { join } from 'node:path'
import { startApi } from './lib/api.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { cpuOf, pinned, placing } from './lib/pinned.ts'

type Load = { p50: number; p99: number; held: number; cpuUs: number }

/**
 * POST purchase on one API process and a database that keeps what it has committed, at 50 and at 300 a second, against the bare
 * insert of a claim at 50 a second, in turn: `bun run bench purchase [rounds] [seconds]`.
 */
export async function bench([rounds = '7', seconds = '10']: string[]): Promise<void> {
  const api = await startApi({ durable: true })
  const ways = {
    'bare insert, 50/s': ['insert', api.databaseUrl, '50'],
    'POST purchase, 50/s': ['post', api.url, '50'],
    'POST purchase, 300/s': ['post', api.url, '300'],
  } as const
  const found = new Map<string, Load[]>()
  for (let round = 0; round <= Number(rounds); round++)
    for (const [name, [way, url, rate]] of Object.entries(ways)) {
      const lasts = round === 0 ? 2 : Number(seconds)
      const before = cpuOf(api.pid)
      const script = join(import.meta.dir, 'lib/paced-load.ts')
      const loader = pinned(1, [process.execPath, script, way, url, rate, `${lasts}`])
      const load = await loader.next<Omit<Load, 'cpuUs'>>()
      await loader.exited
      const cpuUs = ((cpuOf(api.pid) - before) * 1000) / (Number(rate) * lasts)
      // The first round only warms up.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), { ...load, cpuUs }])
    }
  await api.stop()

  const floor = found.get('bare insert, 50/s') ?? []
  console.log(`${seconds} s x ${rounds} in turn, ${placing}; median (range)`)
  printTable(
    [...found].map(([what, loads]) => {
      const ratios = loads.map(({ p50 }, round) => p50 / (floor[round]?.p50 ?? Number.NaN))
      const p99 = loads.map((load) => load.p99)
      const goals: Record<string, string> = {
        'POST purchase, 50/s': judged(
          median(ratios) <= 3 && median(p99) <= 15,
          'p50 <= 3 x the insert, p99 <= 15 ms',
        ),
        'POST purchase, 300/s': judged(
          median(p99) <= 60 && loads.every(({ held }) => held > 290),
          'held, p99 <= 60 ms',
        ),
      }
      return {
        what,
        'p50 ms': spread(loads.map(({ p50 }) => p50)),
        'x insert': spread(ratios, 1),
        'p99 ms': spread(p99, 1),
        'held/s': Math.round(median(loads.map(({ held }) => held))),
        'api cpu us': Math.round(median(loads.map(({ cpuUs }) => cpuUs))),
        goal: goals[what] ?? '',
      }
    }),
  )
}
