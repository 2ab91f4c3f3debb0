import { type Address, type Hash, numberToHex } from 'viem'
import { usdtOnBsc } from '../core/chain/register.ts'
import { accountsOf } from '../e2e/lab/chain-verbs.ts'
import { payByHand } from '../e2e/lab/pay.ts'
import { type Stack, startStack } from '../e2e/lab/stack.ts'
import { rpc } from '../infra/local/rpc.ts'
import { startCountingProxy } from './lib/counting-proxy.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, percentile, printTable, timesOf } from './lib/figures.ts'

type Wait = { sent: number; final: number; bare: number }
type Final = { number: string }

/**
 * How long a buyer waits for his tickets on the whole stack with blocks of 0.45 s, as his page reports the payment: from
 * the sending, and from the moment a node calls the block final, to the live event that names it. The floor is a bare loop
 * at one endpoint, every 0.4 s: the final block, then its transfers. `bun run bench paid [payments] [ms]`, `ms` is what an
 * endpoint takes for an answer.
 */
export async function bench([payments = '60', ms = '100']: string[]): Promise<void> {
  const providers: ReturnType<typeof startCountingProxy>[] = []
  const stack = await startStack({
    database: await ownPostgres(),
    env: { TRUSTED_PROXIES: '127.0.0.1/32' },
    rpcUrls: (url) => {
      for (let n = 0; n < 2; n++) providers.push(startCountingProxy(url, { delayMs: Number(ms) }))
      return providers.map((provider) => provider.url).join()
    },
  })
  const accounts = await accountsOf(stack.chain.url)
  const watch = watchAll(stack, providers[0]?.url ?? '')
  const waits: Wait[] = []
  for (let n = 0; n < Number(payments); n++)
    waits.push(await pay(stack, watch, accounts[1 + (n % 9)] as Address))
  watch.stop()
  await stack.stop()
  await Promise.all(providers.map((provider) => provider.stop()))

  const row = (what: string, of: keyof Wait, p50: number, p99: number) => {
    const times = waits.map((wait) => wait[of])
    const isGood = percentile(times, 0.5) <= p50 && percentile(times, 0.99) <= p99
    return {
      what,
      ...timesOf(times),
      goal: of === 'bare' ? '' : judged(isGood, `p50 <= ${p50}, p99 <= ${p99} ms`),
    }
  }
  console.log(`${payments} payments, two endpoints that answer after ${ms} ms`)
  printTable([
    row('sent -> in the live stream', 'sent', 2_000, 4_000),
    row('final -> in the live stream', 'final', 700, 1_500),
    row('  floor: a bare loop knows it', 'bare', 0, 0),
  ])
}

async function pay({ chain, apiUrl }: Stack, { seen, bare, finals }: Watch, from: Address): Promise<Wait> {
  // Not in step with the blocks.
  await Bun.sleep(Math.random() * 450)
  const sent = performance.now()
  const hash = await payByHand(chain.url, from, 3)
  const response = await fetch(`${apiUrl}/api/tickets/purchase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
    body: JSON.stringify({ transactionHash: hash }),
  })
  if (response.status !== 202) throw new Error(`POST answered ${response.status}`)
  const receipt = await rpc<{ blockNumber: string }>(chain.url, 'eth_getTransactionReceipt', [hash])
  const block = receipt.blockNumber
  while (!seen.has(hash) || !bare.has(hash) || !finals.has(block)) await Bun.sleep(5)
  const [shown, known, final] = [seen.get(hash), bare.get(hash), finals.get(block)] as [
    number,
    number,
    number,
  ]
  return { sent: shown - sent, final: shown - final, bare: known - final }
}

type Watch = ReturnType<typeof watchAll>

/** When the stream first named each transaction, a bare loop knew it, and the node itself called each block final. */
function watchAll({ apiUrl, chain }: Stack, endpoint: string) {
  const [seen, bare, finals] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const leave = new AbortController()
  const loop = async (ms: number, of: string, look: (from: number, to: number) => unknown) => {
    let last = 0
    while (!leave.signal.aborted) {
      const height = Number((await rpc<Final>(of, 'eth_getBlockByNumber', ['finalized', false])).number)
      if (height > last) await look(last + 1, height)
      last = height
      await Bun.sleep(ms)
    }
  }
  void loop(4, chain.url, (from, to) => {
    for (let number = from; number <= to; number++) finals.set(numberToHex(number), performance.now())
  })
  void loop(400, endpoint, async (from, to) => {
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    const logs = await rpc<{ transactionHash: Hash }[]>(endpoint, 'eth_getLogs', [
      { address: usdtOnBsc, ...range },
    ])
    for (const { transactionHash } of logs) bare.set(transactionHash, performance.now())
  })
  const read = async () => {
    const { body } = await fetch(`${apiUrl}/api/live`, { signal: leave.signal })
    for await (const text of (body as ReadableStream).pipeThrough(new TextDecoderStream()))
      for (const [hash] of text.matchAll(/0x[0-9a-f]{64}/g))
        if (!seen.has(hash)) seen.set(hash, performance.now())
  }
  read().catch(() => undefined) // the abort ends the read
  return { seen, bare, finals, stop: () => leave.abort() }
}
