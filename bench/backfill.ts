import { join } from 'node:path'
import postgres from 'postgres'
import { parseEnv } from '../core/server/env.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { operator } from '../e2e/lab/chain.ts'
import { openCrowdChain } from './lib/crowd-chain.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { memoryOf, pinned } from './lib/pinned.ts'

/** By the number of endpoints that are read. */
const floors = { 1: 'bare loop, 1 endpoint', 2: 'bare loop, 2 endpoints' } as const
/** A bare loop that asks what the product asks to believe one endpoint, and looks at nothing of it. */
const thorough = 'bare loop, same questions'

/**
 * Reading the chain into the ledger, from process start to the last commit, as a bundle as in the image, against a
 * bare loop over the same endpoints into the same Postgres: `bun run bench backfill [rounds]`.
 */
export async function bench([rounds = '5']: string[]): Promise<void> {
  const [server, chain] = await Promise.all([ownPostgres(), openCrowdChain()])
  const env = parseEnv({ USDT_ADDRESS: chain.token })
  await prepareDatabase({ databaseUrl: server.url, env, operatorWallet: operator })
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })
  await sql`update events set sale_start = to_timestamp(${chain.firstTime})`
  const head = `${await chain.height()}`
  const lib = join(import.meta.dir, 'lib')
  const product = await bundled(join(lib, 'backfill-product.ts'), server.dataDir)
  const [one, both] = [chain.url, `${chain.url},${chain.url}`]
  const bare = [server.url, chain.token, operator, head]
  const ways: Record<string, string[]> = {
    [floors[1]]: [join(lib, 'backfill-bare.ts'), one, ...bare],
    [thorough]: [join(lib, 'backfill-bare.ts'), one, ...bare, 'thorough'],
    'product, 1 endpoint': [product, one, server.url],
    [floors[2]]: [join(lib, 'backfill-bare.ts'), both, ...bare],
    'product, 2 endpoints': [product, both, server.url],
  }
  const found = new Map<string, { rate: number; seconds: number; peak: number }[]>()
  for (let round = 0; round <= Number(rounds); round++)
    for (const [name, command] of Object.entries(ways)) {
      await sql`delete from payments`
      await sql`delete from cursors`
      await sql`vacuum payments`
      await sql`update events set tickets_sold = 0`
      await sql`checkpoint`
      const began = performance.now()
      const child = pinned(0, [process.execPath, ...command])
      const { payments } = await child.next<{ payments: number }>()
      const seconds = (performance.now() - began) / 1000
      const { peak } = memoryOf(child.pid)
      await child.exited
      if (payments !== chain.payments) throw new Error(`${name}: ${payments} of ${chain.payments} payments`)
      // The first round only warms up.
      if (round > 0)
        found.set(name, [...(found.get(name) ?? []), { rate: payments / seconds, seconds, peak }])
    }
  await sql.end()
  await Promise.all([chain.stop(), server.close()])

  console.log(`${chain.payments} payments in ${head} blocks, ${rounds} rounds in turn; median (range)`)
  printTable(
    [...found].map(([name, runs]) => {
      const floor = found.get(floors[name.includes('2') ? 2 : 1]) ?? []
      const against = (other: typeof runs) =>
        runs.map((run, round) => run.rate / (other[round]?.rate ?? Number.NaN))
      const ratios = against(floor)
      const least = name.includes('2') ? 0.6 : 0.8
      return {
        way: name,
        seconds: spread(runs.map((run) => run.seconds)),
        'payments/s': Math.round(median(runs.map((run) => run.rate))),
        'x bare': spread(ratios),
        'x same questions': name.endsWith('1 endpoint') ? spread(against(found.get(thorough) ?? [])) : '',
        'peak MiB': Math.round(median(runs.map((run) => run.peak))),
        goal: name.startsWith('product') ? judged(median(ratios) >= least, `>= ${least}`) : '',
      }
    }),
  )
}

/** As infra/docker/bundle.ts makes the programs of the image. */
async function bundled(entry: string, outdir: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    external: ['@node-rs/argon2', 'pg-native'],
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir,
    throw: true,
  })
  return (built.outputs[0] as { path: string }).path
}
