import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hash, numberToHex } from 'viem'
import { usdtOnBsc } from '../core/server/env.ts'
import { accountsOf } from '../e2e/lab/chain-verbs.ts'
import { payByHand } from '../e2e/lab/pay.ts'
import { type Stack, startStack } from '../e2e/lab/stack.ts'
import { startTcpProxy } from '../e2e/lab/tcp-proxy.ts'
import { freePort } from '../infra/local/ports.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { rpc } from '../infra/local/rpc.ts'
import { connectRpc } from '../worker/chain/transport.ts'
import { judged, percentile, printTable, timesOf } from './lib/figures.ts'

const goals = { p50: 700, p99: 1_500 }

/**
 * From the moment the node calls a payment's block final to the live event that names it, on the whole stack with blocks
 * of 0.45 s, as a buyer's page reports its payment: `bun run bench final [payments] [ms]`, `ms` is what an endpoint takes
 * for an answer. The floor is a bare loop at the same endpoint, at the same times: the final block, then its transfers.
 */
export async function bench([payments = '60', ms = '60']: string[]): Promise<void> {
  const { shown, bare } = await measure(Number(payments), Number(ms))
  const [p50, p99] = [percentile(shown, 0.5), percentile(shown, 0.99)]
  const rows = [
    {
      what: 'product',
      ...timesOf(shown),
      'x bare': (p50 / percentile(bare, 0.5)).toFixed(2),
      goal: judged(p50 <= goals.p50 && p99 <= goals.p99, `p50 <= ${goals.p50}, p99 <= ${goals.p99} ms`),
    },
    { what: '  floor: bare loop', ...timesOf(bare), 'x bare': '', goal: '' },
  ]
  console.log(`final on chain -> in the live stream; two endpoints that answer after ${ms} ms`)
  printTable(rows)
}

async function measure(count: number, ms: number) {
  const target = { port: 0 }
  const endpoints = [await startTcpProxy(target), await startTcpProxy(target)]
  // Half of it on the way there, half on the way back.
  for (const endpoint of endpoints) endpoint.delay(ms / 2)
  const urls = endpoints.map(({ port }) => `http://127.0.0.1:${port}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const server = await startPostgres({ dataDir })
  const apiPort = await freePort()
  const stack = await startStack({
    database: { url: server.url, close: server.stop },
    env: { API_PORT: `${apiPort}`, TRUSTED_PROXIES: '127.0.0.1/32' },
    rpcUrls: (url) => {
      target.port = Number(new URL(url).port)
      return urls.join()
    },
  })
  const api = `http://127.0.0.1:${apiPort}`
  const finals = watchFinals(stack.chain.url)
  const seen = await readStream(api)
  const bare = readBare(urls[0] as string)
  const accounts = await accountsOf(stack.chain.url)
  const found: { shown: number; bare: number }[] = []
  for (let n = 0; n < count; n++) found.push(await pay(stack, api, accounts[1 + (n % 9)] as Address, n))
  bare.stop()
  finals.stop()
  seen.stop()
  await stack.stop()
  await Promise.all(endpoints.map(({ close }) => close()))
  rmSync(dataDir, { recursive: true, force: true })
  return { shown: found.map(({ shown }) => shown), bare: found.map(({ bare }) => bare) }

  async function pay({ chain }: Stack, api: string, from: Address, n: number) {
    // Not in step with the blocks.
    await Bun.sleep(Math.random() * 450)
    const hash = await payByHand(chain.url, from, 3)
    await report(api, hash, n)
    const { blockNumber } = await rpc<{ blockNumber: string }>(chain.url, 'eth_getTransactionReceipt', [hash])
    const block = Number(blockNumber)
    while (!seen.at(hash) || !bare.at(hash) || !finals.at(block)) await Bun.sleep(5)
    const final = finals.at(block) as number
    return { shown: (seen.at(hash) as number) - final, bare: (bare.at(hash) as number) - final }
  }
}

async function report(api: string, transactionHash: Hash, n: number): Promise<void> {
  const response = await fetch(`${api}/api/tickets/purchase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${1 + (n % 250)}` },
    body: JSON.stringify({ transactionHash }),
  })
  if (response.status !== 202) throw new Error(`POST answered ${response.status}`)
}

/** When the node itself first called each block final. */
function watchFinals(url: string) {
  const times = new Map<number, number>()
  let isOver = false
  const loop = async () => {
    let last: number | undefined
    while (!isOver) {
      const block = await rpc<{ number: string } | null>(url, 'eth_getBlockByNumber', ['finalized', false])
      const height = Number(block?.number ?? 0)
      for (let number = last === undefined ? height : last + 1; number <= height; number++)
        times.set(number, performance.now())
      last = height
      await Bun.sleep(4)
    }
  }
  void loop()
  return {
    at: (block: number) => times.get(block),
    stop: () => {
      isOver = true
    },
  }
}

/** When the stream first named each transaction. */
async function readStream(api: string) {
  const times = new Map<string, number>()
  const leave = new AbortController()
  const { body } = await fetch(`${api}/api/live`, { signal: leave.signal })
  const reading = (async () => {
    if (!body) throw new Error('The stream has no body.')
    for await (const text of body.pipeThrough(new TextDecoderStream()))
      for (const [hash] of text.matchAll(/0x[0-9a-f]{64}/g))
        if (!times.has(hash)) times.set(hash, performance.now())
  })()
  reading.catch(() => undefined) // the abort ends the read
  return { at: (hash: Hash) => times.get(hash), stop: () => leave.abort() }
}

/** When a bare loop knew each transaction, which looks every 400 ms. */
function readBare(url: string) {
  const times = new Map<string, number>()
  const endpoint = connectRpc(url)
  let last = 0
  let isAsking = false
  const look = async () => {
    if (isAsking) return
    isAsking = true
    const final = (await endpoint.one({
      method: 'eth_getBlockByNumber',
      params: ['finalized', false],
    })) as { number: string }
    const height = Number(final.number)
    if (height > last) {
      const range = { fromBlock: numberToHex(last + 1), toBlock: numberToHex(height) }
      const logs = await endpoint.one({ method: 'eth_getLogs', params: [{ address: usdtOnBsc, ...range }] })
      for (const { transactionHash } of logs as { transactionHash: string }[])
        times.set(transactionHash, performance.now())
      last = height
    }
    isAsking = false
  }
  const timer = setInterval(look, 400)
  return { at: (hash: Hash) => times.get(hash), stop: () => clearInterval(timer) }
}
