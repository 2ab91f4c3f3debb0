import { chmodSync, mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import type { PublicSolvency } from '../../core/live/public.ts'
import { connect } from '../../db/index.ts'
import { heightOf } from '../../e2e/lab/chain-verbs.ts'
import { asOfDevelopment } from '../../e2e/lab/development-database.ts'
import {
  copyCheckout,
  endTrials,
  killChild,
  running,
  type Trial,
  tryStart,
} from '../../e2e/lab/start-trial.ts'
import { until } from '../../e2e/lab/until.ts'
import { freePort } from './ports.ts'
import { localDatabaseUrl } from './postgres.ts'

const place = mkdtempSync(join(tmpdir(), 'blockdraw-start-'))
chmodSync(place, 0o755) // as root, Postgres runs as another user
const root = copyCheckout(join(place, 'blockdraw'))
// Outside the checkout, though its path begins alike: Astro takes such a folder for one inside.
const dataDir = join(place, 'blockdraw-data')
const [site, api, chain, metrics] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
const env = {
  DATA_DIR: dataDir,
  SITE_PORT: `${site}`,
  API_PORT: `${api}`,
  RPC_PORT: `${chain}`,
  METRICS_PORT: `${metrics}`,
}
const trials: Trial[] = []
const start = (more: Record<string, string> = {}): Trial => {
  const trial = tryStart(root, { ...env, ...more })
  trials.push(trial)
  return trial
}
/** Ends it as a person does. */
async function interrupt(trial: Trial): Promise<void> {
  trial.signalGroup('SIGINT')
  expect((await trial.end).code).toBe(0)
}
const rpcUrl = `http://127.0.0.1:${chain}`
const ready = 'Ctrl-C stops everything'
const height = (): Promise<number> => heightOf(rpcUrl)

afterAll(() => endTrials(trials, place))

test('a bad variable stops the start with one sentence that names it', async () => {
  const { code, output } = await start({ TICKET_PRICE_USDT: 'three' }).end
  expect([code, output.trim().split('\n')]).toEqual([
    1,
    ['TICKET_PRICE_USDT must be an amount such as 3 or 2.50, not "three".'],
  ])
})

test('a taken port stops the start with one sentence that names its variable', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(api, '127.0.0.1', resolve))
  const { code, output } = await start().end
  server.close()
  expect(code).toBe(1)
  expect(output).toContain(
    `API_PORT ${api} is taken by another program: stop that one, or set API_PORT to a free port.`,
  )
  expect(output).not.toContain('start.ts:')
  expect(running(place)).toEqual([])
})

test('starts, and again on the same data; one Ctrl-C stops every child and ends with code 0', async () => {
  const first = start()
  const output = await first.until(ready)
  expect(output).toContain(`http://localhost:${site}`)
  expect(output).toMatch(/Login {5}admin\n {2}Password {2}\S{12,} {2}\(shown only now\)/)
  const page = await fetch(`http://127.0.0.1:${site}/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const config = await fetch(`http://127.0.0.1:${site}/api/raffle/config`)
  expect([config.status, await config.json()]).toMatchObject([200, { eventNumber: 1, chainId: 56 }])
  // A newcomer reads a figure, not that nobody knows: the wallet of this chain has signed.
  const solvency = async () =>
    (await (await fetch(`http://127.0.0.1:${site}/api/raffle/solvency`)).json()) as PublicSolvency
  await until(async () => (await solvency()).state === 'covered', 'What is held is known')
  expect(await solvency()).toMatchObject({ state: 'covered', held: '0', required: '0' })
  expect(await logins()).toEqual(['blockdraw_api', 'blockdraw_worker'])
  const reached = await height()
  // a terminal signals every process, and the runners above pass the signal on
  first.signalGroup('SIGINT')
  first.signalGroup('SIGINT')
  expect((await first.end).code).toBe(0)
  expect(running(place)).toEqual([])

  const second = start()
  expect(await second.until(ready)).toContain('as printed at the first start')
  expect(await height()).toBeGreaterThanOrEqual(reached)
  expect((await fetch(`http://127.0.0.1:${site}/api/raffle/config`)).status).toBe(200)
  expect(await logins()).toEqual(['blockdraw_api', 'blockdraw_worker'])
  expect((await start().end).output).toContain('is in use by another start')
  process.kill(second.pid, 'SIGTERM')
  expect((await second.end).code).toBe(0)
  expect(running(place)).toEqual([])
})

test('a dead API is restarted', async () => {
  const trial = start()
  await trial.until(ready)
  killChild(trial, /api\/main\.ts$/)
  await trial.until('The API ended')
  await trial.until('The API is back.')
  expect((await fetch(`http://127.0.0.1:${site}/api/raffle/config`)).status).toBe(200)
  await interrupt(trial)
})

test('no process is left when start itself is killed, and the next start uses the same data', async () => {
  const trial = start()
  await trial.until(ready)
  const reached = await height()
  process.kill(trial.pid, 'SIGKILL')
  await trial.end.catch(() => undefined)
  const next = start()
  const output = await next.until(ready)
  expect(output).not.toContain('old data')
  expect(await height()).toBeGreaterThanOrEqual(reached)
  await interrupt(next)
  expect(running(place)).toEqual([])
})

test('when the chain was killed and lost blocks of the ledger, the old data is set aside', async () => {
  const trial = start()
  await trial.until(ready)
  await untilScanned((await height()) + 3)
  killChild(trial, /bin\/anvil/)
  const { code, output } = await trial.end
  expect([code, output.includes('The local chain has ended unexpectedly')]).toEqual([1, true])

  const next = start()
  const said = await next.until(ready)
  expect(said).toContain('The old data is now in')
  expect(said).toContain('(shown only now)')
  expect(readdirSync(dataDir).some((name) => name.startsWith('old-'))).toBe(true)
  await interrupt(next)
})

test('data of a development version is refused in one sentence that names the folder, and left as it is', async () => {
  const trial = start()
  await trial.until(ready)
  const { db, close } = connect(localDatabaseUrl(dataDir), { max: 1, name: 'blockdraw test' })
  await asOfDevelopment(db, 1)
  // in its old form: no query may read the tables before the refusal
  await db.execute(sql`alter table cursors drop column newest_block_time`)
  await db.execute(sql`drop table house`)
  await close()
  await interrupt(trial)

  const { code, output } = await start().end
  expect([code, output.trim().split('\n').at(-1)]).toEqual([
    1,
    `The data in ${dataDir} comes from an earlier development version: remove that folder, or start with another DATA_DIR.`,
  ])
  expect(output).not.toContain('The old data is now in')
  expect(running(place)).toEqual([])
})

/** Who is connected to the database of the running start, but for this test. */
async function logins(): Promise<string[]> {
  const client = postgres(localDatabaseUrl(dataDir), { max: 1 })
  const rows = await client<{ name: string }[]>`
    select distinct usename as name from pg_stat_activity
    where datname = 'blockdraw' and backend_type = 'client backend' and pid <> pg_backend_pid() order by 1`
  await client.end()
  return rows.map(({ name }) => name)
}

/** Waits until the ledger names a block that the chain has not written to disk yet. */
async function untilScanned(block: number): Promise<void> {
  const client = postgres(localDatabaseUrl(dataDir))
  const scanned = async () =>
    Number((await client`select height from cursors where name = 'payments'`)[0]?.height ?? -1)
  await until(async () => (await scanned()) >= block, `block ${block} in the ledger`, 60_000)
  await client.end()
}
