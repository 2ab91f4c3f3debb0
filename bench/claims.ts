import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Hash, pad } from 'viem'
import { parseEnv } from '../core/server/env.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { openTestChain, operator, type TestChain } from '../e2e/lab/chain.ts'
import { redisServer, startRedis } from '../e2e/lab/redis.ts'
import { startWorkerProcess } from '../e2e/lab/worker-process.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

const bareBatch = 100

/**
 * A real worker processes claims whose transactions paid another wallet, so that only verification resolves
 * them; timed once all are stored: `bun run bench claims [count] [rounds]`. The floor fetches the same
 * receipts in batches, updates the rows and checks nothing.
 */
export async function bench([count = '3000', rounds = '3']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const [server, chain] = await Promise.all([startPostgres({ dataDir }), openTestChain()])
  const redis = redisServer ? await startRedis() : undefined
  await prepareDatabase({
    ...{ databaseUrl: server.url, env: parseEnv({}), operatorWallet: operator },
  })
  const sql = postgres(server.url, { max: 2, onnotice: () => undefined })
  const hashes = await payOthers(chain, Number(count))
  const backends: Record<string, string | undefined> = {
    Postgres: undefined,
    ...(redis && { Redis: redis.url }),
  }
  const rates = new Map<string, number[]>()
  const note = (name: string, ms: number) =>
    rates.set(name, [...(rates.get(name) ?? []), (hashes.length * 1000) / ms])

  for (let round = 0; round < Number(rounds); round++) {
    await putClaims(sql, hashes)
    note('bare loop', await timed(() => bareLoop(sql, chain.url, hashes)))
    for (const [name, redisUrl] of Object.entries(backends)) {
      const worker = await startWorkerProcess({ databaseUrl: server.url, redisUrl, rpcUrls: chain.url })
      await putClaims(sql, hashes)
      note(`worker, queue on ${name}`, await timed(() => allResolved(sql)))
      await worker.stop()
    }
  }
  await sql.end()
  await Promise.all([chain.stop(), server.stop(), redis?.stop()])
  rmSync(dataDir, { recursive: true, force: true })

  const bare = rates.get('bare loop') ?? []
  console.log(`${hashes.length} claims due at once, 1 endpoint, ${rounds} rounds in turn; median (range)`)
  printTable(
    [...rates].map(([way, runs]) => ({
      way,
      'claims/s': spread(runs, 0),
      'x bare': spread(runs.map((rate, round) => rate / (bare[round] ?? Number.NaN))),
      goal: way === 'bare loop' ? '' : judged(median(runs) >= 300, '>= 300/s'),
    })),
  )
}

/** Transfers between buyers, final. */
async function payOthers(chain: TestChain, count: number): Promise<Hash[]> {
  const [alice, bob] = chain.buyers
  const hashes: Hash[] = []
  for (let n = 0; n < count; n++) {
    hashes.push(await chain.submitPayment({ from: alice, to: bob, cents: 1, gas: 100_000n }))
    if (n % 100 === 99) await chain.mine()
  }
  await chain.finalize()
  return hashes
}

async function putClaims(sql: postgres.Sql, hashes: readonly Hash[]): Promise<void> {
  await sql`delete from claims`
  await sql`insert into claims (transaction_hash) select unnest(${hashes as string[]}::text[])`
}

async function allResolved(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as open from claims where next_attempt_at is not null`
    if (row?.open === 0) break
    await Bun.sleep(50)
  }
  const wrong =
    await sql`select status, reason from claims where reason is distinct from 'no_transfer' limit 1`
  if (wrong.length > 0) throw new Error(`A claim ended as ${JSON.stringify(wrong[0])}`)
}

async function bareLoop(sql: postgres.Sql, url: string, hashes: readonly Hash[]): Promise<void> {
  for (let at = 0; at < hashes.length; at += bareBatch) {
    const batch = hashes.slice(at, at + bareBatch)
    const calls = batch.map((hash, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getTransactionReceipt',
      params: [hash],
    }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    const replies = (await response.json()) as { result: { logs: { topics: string[] }[] } }[]
    const paid = replies.some(({ result }) => result.logs.some(({ topics }) => topics[2] === pad(operator)))
    if (paid) throw new Error('The operator was paid.')
    await sql`update claims set status = 'rejected', reason = 'no_transfer', next_attempt_at = null
      where transaction_hash = any(${batch as string[]})`
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
