import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { parseEnv } from '../core/server/env.ts'
import { connect } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { accountsOf } from '../e2e/lab/chain-verbs.ts'
import { transferData, usdt, usdtGas } from '../e2e/lab/usdt.ts'
import { startWorkerProcess } from '../e2e/lab/worker-process.ts'
import { operatorAccount, startChain } from '../infra/local/chain.ts'
import { rpc } from '../infra/local/rpc.ts'
import { type Counted, startCountingProxy } from './lib/counting-proxy.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, printTable } from './lib/figures.ts'

/**
 * Questions a second that an idle worker puts to two endpoints together, at the pace of BNB Smart Chain; each call
 * of a batch counts, and the bytes of the answers: `bun run bench questions [seconds]`.
 */
export async function bench([seconds = '60']: string[]): Promise<void> {
  const [server, chain] = await Promise.all([ownPostgres(), startChain()])
  const proxies = [startCountingProxy(chain.url), startCountingProxy(chain.url)]
  await prepareDatabase({
    ...{ databaseUrl: server.url, env: parseEnv({}), operatorWallet: operatorAccount },
  })
  const { db, close } = connect(server.url, { max: 1, name: 'blockdraw bench' })
  const worker = await startWorkerProcess({
    databaseUrl: server.url,
    rpcUrls: proxies.map(({ url }) => url).join(),
  })

  const states = [
    { what: 'no date, nothing sold for an hour', goal: 3, begin: () => openedHoursAgo() },
    { what: 'on sale, filters let nothing through', goal: 8, begin: () => setDate() },
    { what: 'on sale, filters let all through', goal: 8, begin: () => fillBlocks() },
  ]
  const openedHoursAgo = () => db.execute(sql`update events set sale_start = now() - interval '2 hours'`)
  const setDate = () =>
    db.execute(
      sql`update events set draw_date = now() + interval '3 days', sale_end = now() + interval '2 days'`,
    )
  /** A transfer of nothing to the operator in every block: it is no payment, but its filter cannot say so. */
  async function fillBlocks(): Promise<void> {
    const from = (await accountsOf(chain.url))[1] as Address
    const send = { from, to: usdt, gas: usdtGas, data: transferData(operatorAccount, 0n) }
    filling = setInterval(
      () => void rpc(chain.url, 'eth_sendTransaction', [send]).catch(() => undefined),
      200,
    )
  }
  let filling: Timer | undefined

  const rows = []
  for (const { what, goal, begin } of states) {
    await begin()
    await Bun.sleep(15_000)
    for (const proxy of proxies) proxy.reset()
    await Bun.sleep(Number(seconds) * 1000)
    const counted = proxies.map((proxy) => proxy.counted())
    const perSecond = sum(counted) / Number(seconds)
    rows.push({
      what,
      'a second': perSecond.toFixed(1),
      'millions a month': ((perSecond * monthSeconds) / 1e6).toFixed(1),
      'GB a month': (
        (sumOf(proxies.map((proxy) => proxy.bytes())) / Number(seconds)) *
        (monthSeconds / 1e9)
      ).toFixed(0),
      'by endpoint': counted.map((each) => (sum([each]) / Number(seconds)).toFixed(1)).join(' + '),
      methods: methodsOf(counted, Number(seconds)),
      goal: judged(perSecond <= goal, `<= ${goal}`),
    })
  }
  clearInterval(filling)
  console.log(`two endpoints together, ${seconds} s each, blocks of 0.45 s`)
  printTable(rows)
  await worker.stop()
  await close()
  await Promise.all(proxies.map(({ stop }) => stop()))
  await chain.stop()
  await server.close()
}

const monthSeconds = 30 * 86_400
const sumOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const sum = (counted: readonly Counted[]): number => sumOf(counted.flatMap((each) => [...each.values()]))

function methodsOf(counted: readonly Counted[], seconds: number): string {
  const all = new Map<string, number>()
  for (const each of counted) for (const [name, count] of each) all.set(name, (all.get(name) ?? 0) + count)
  return [...all]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name.replace('eth_', '')} ${(count / seconds).toFixed(1)}`)
    .join(', ')
}
