import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { tryStart } from '../e2e/lab/start-trial.ts'
import { startChain } from '../infra/local/chain.ts'
import { freePort } from '../infra/local/ports.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

const root = resolve(import.meta.dir, '..')

/**
 * From `start`, after the install, to a page that knows the config: `bun run bench start [rounds]`. First with an empty
 * DATA_DIR, then with what that start has left. The floor: a database and a chain alone, on data of their own.
 */
export async function bench([rounds = '5']: string[]): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'blockdraw-bench-start-'))
  chmodSync(place, 0o755) // as root, Postgres runs as another user
  try {
    const [site, api, chain] = await Promise.all([freePort(), freePort(), freePort()])
    const dataDir = join(place, 'data')
    const env = { DATA_DIR: dataDir, SITE_PORT: `${site}`, API_PORT: `${api}`, RPC_PORT: `${chain}` }
    const cold = await startOnce(env)
    await startFloor(place)
    const [warm, floor]: [number[], number[]] = [[], []]
    for (let round = 0; round < Number(rounds); round++) {
      floor.push(await startFloor(place))
      warm.push(await startOnce(env))
    }
    console.log(`${rounds} rounds; seconds, median (range)`)
    printTable([
      { what: 'first start', seconds: spread([cold]), goal: judged(cold <= 12, '<= 12') },
      { what: 'later start', seconds: spread(warm), goal: judged(median(warm) <= 2.5, '<= 2.5') },
      { what: 'database and chain', seconds: spread(floor), goal: '' },
      {
        what: 'x of these',
        seconds: spread(warm.map((seconds, round) => seconds / (floor[round] ?? Number.NaN))),
        goal: '',
      },
    ])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function startOnce(env: Record<string, string>) {
  const began = performance.now()
  const trial = tryStart(root, env)
  await trial.until('Ctrl-C stops everything')
  const url = `http://127.0.0.1:${env.SITE_PORT}`
  for (const path of ['/', '/api/raffle/config']) {
    const { status } = await fetch(`${url}${path}`)
    if (status !== 200) throw new Error(`${path} answers ${status}`)
  }
  const seconds = (performance.now() - began) / 1000
  trial.signalGroup('SIGINT')
  await trial.end
  return seconds
}

/** Both at once, as a start has them. */
async function startFloor(place: string): Promise<number> {
  const began = performance.now()
  const [postgres, chain] = await Promise.all([
    startPostgres({ dataDir: join(place, 'floor') }),
    startChain({ stateFile: join(place, 'floor/state.json') }),
  ])
  const seconds = (performance.now() - began) / 1000
  await Promise.all([postgres.stop(), chain.stop()])
  return seconds
}
