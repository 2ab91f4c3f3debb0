import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Address } from 'viem'
import { accountsOf } from '../e2e/lab/chain-verbs.ts'
import { payByHand } from '../e2e/lab/pay.ts'
import { type Stack, startStack } from '../e2e/lab/stack.ts'
import { freePort } from '../infra/local/ports.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { startCountingProxy } from './lib/counting-proxy.ts'
import { judged, percentile, printTable, timesOf } from './lib/figures.ts'

/**
 * A buyer's waits on the whole stack with blocks of 0.45 s and two endpoints that answer after 100 ms: from the payment's block to the live event that
 * names it, and for the answer to a POST, which comes after the commit of its claim, at 50 a second.
 * The floor of the POST is the same insert by one connection: `bun run bench paid [payments] [seconds]`.
 */
export async function bench([payments = '40', seconds = '30']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const server = await startPostgres({ dataDir })
  const apiPort = await freePort()
  const providers: ReturnType<typeof startCountingProxy>[] = []
  const stack = await startStack({
    database: { url: server.url, close: server.stop },
    env: { API_PORT: `${apiPort}`, TRUSTED_PROXIES: '127.0.0.1/32' },
    rpcUrls: (url) => {
      for (let n = 0; n < 2; n++) providers.push(startCountingProxy(url, { delayMs: 100 }))
      return providers.map((provider) => provider.url).join()
    },
  })
  const api = `http://127.0.0.1:${apiPort}`
  const shown = await timePayments(api, stack, Number(payments))
  const posted = await timePosts(api, Number(seconds))
  const bare = await timeInserts(server.url, 500)
  console.log(`${shown.length} payments; ${posted.length} posts at 50/s`)
  printTable([
    {
      what: 'sent -> in the live stream',
      ...timesOf(shown),
      goal: judged(percentile(shown, 0.5) < 2_000 && percentile(shown, 0.99) < 4_000, 'p50 < 2 s, p99 < 4 s'),
    },
    { what: 'POST purchase', ...timesOf(posted), goal: judged(percentile(posted, 0.99) < 25, 'p99 < 25 ms') },
    { what: 'floor: bare insert of a claim', ...timesOf(bare), goal: '' },
  ])
  await stack.stop()
  await Promise.all(providers.map((provider) => provider.stop()))
  rmSync(dataDir, { recursive: true, force: true })
}

async function timePayments(api: string, stack: Stack, count: number): Promise<number[]> {
  const seen = new Map<string, number>()
  const leave = new AbortController()
  const stream = await fetch(`${api}/api/live`, { signal: leave.signal })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const reading = (async () => {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
      for (const [hash] of chunk.value.matchAll(/0x[0-9a-f]{64}/g))
        if (!seen.has(hash)) seen.set(hash, performance.now())
  })()
  const accounts = await accountsOf(stack.chain.url)
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const sent = performance.now()
    const hash = await payByHand(stack.chain.url, accounts[1 + (n % 9)] as Address, 3)
    while (!seen.has(hash)) await Bun.sleep(5)
    times.push((seen.get(hash) as number) - sent)
  }
  leave.abort()
  await reading.catch(() => undefined) // the abort ends the read
  return times
}

/** A different buyer each time, as one address may have at most 20 unresolved claims. */
async function timePosts(api: string, seconds: number): Promise<number[]> {
  const times: number[] = []
  const posts: Promise<void>[] = []
  const begun = performance.now()
  for (let n = 0; n < seconds * 50; n++) {
    const due = begun + n * 20
    if (due > performance.now()) await Bun.sleep(due - performance.now())
    posts.push(post(n))
  }
  await Promise.all(posts)
  return times

  async function post(n: number): Promise<void> {
    const sent = performance.now()
    const response = await fetch(`${api}/api/tickets/purchase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` },
      body: JSON.stringify({ transactionHash: hashOf(n) }),
    })
    await response.text()
    if (response.status !== 202) throw new Error(`POST answered ${response.status}`)
    times.push(performance.now() - sent)
  }
}

async function timeInserts(databaseUrl: string, count: number): Promise<number[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const sent = performance.now()
    await sql`insert into claims (transaction_hash) values (${hashOf(1_000_000 + n)})`
    times.push(performance.now() - sent)
  }
  await sql.end()
  return times
}

const hashOf = (n: number): string => `0x${n.toString(16).padStart(8, '0').padEnd(64, 'c')}`
