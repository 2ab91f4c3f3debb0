import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openFaultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connectChain } from './index.ts'

const { chain, payments } = await forFile(openFaultyChain([3_00, 6_00, 9_00, 3_00]))
// Two stand in one block.
for (const from of chain.buyers.slice(0, 2)) payments.push(await chain.submitPayment({ from, cents: 6_00 }))
await chain.mine()
await chain.finalize()
const nodes = [hookRpc(chain.url), hookRpc(chain.url), hookRpc(chain.url)]
afterAll(() => Promise.all(nodes.map((node) => node.stop())))
const { blockNumber: fifth } = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [
  payments[2],
])

type Json = Record<string, unknown>
type Break = {
  methods: string[]
  bend: (answer: Json, at: number, all: Json[]) => Json | undefined
}
const { logs, receipts, blocks } = {
  logs: ['eth_getLogs'],
  receipts: ['eth_getBlockReceipts', 'eth_getTransactionReceipt'],
  blocks: ['eth_getBlockByNumber', 'eth_getBlockByHash'],
}
const without = (name: string) => (answer: Json) => {
  const { [name]: _, ...rest } = answer
  return rest
}
const indexless = without('transactionIndex')
const bentLogs = (receipt: Json) => ({ ...receipt, logs: (receipt.logs as Json[]).map(indexless) })
const breaks: Record<string, Break> = {
  'one receipt short': {
    methods: receipts.slice(0, 1),
    bend: (one, at, all) => (at === all.length - 1 ? undefined : one),
  },
  'an empty list of receipts': { methods: receipts.slice(0, 1), bend: () => undefined },
  'a receipt status as a number': {
    methods: receipts,
    bend: (one) => ({ ...one, status: Number(one.status) }),
  },
  'receipts without logs': { methods: receipts, bend: without('logs') },
  'logs without transactionIndex': { methods: logs, bend: indexless },
  'logs without transactionIndex, in receipts too': {
    methods: [...logs, ...receipts],
    bend: (one) => (one.logs ? bentLogs(one) : indexless(one)),
  },
  'a header without bloom': { methods: blocks, bend: without('logsBloom') },
}

/** Everything else that it tells is true. */
function breakNode(node: HookRpc, { methods, bend }: Break, isEvery: boolean): void {
  const bent = (answer: Json, at = 0, all = [answer]) =>
    isEvery || answer.blockNumber === fifth || answer.number === fifth ? bend(answer, at, all) : answer
  node.hook = ({ method }, result) => {
    if (!methods.includes(method) || result === null) return result
    if (!Array.isArray(result)) return bent(result as Json) ?? null
    return (result as Json[]).flatMap((one, at, all) => bent(one, at, all) ?? [])
  }
}

beforeEach(() => {
  for (const node of nodes) node.hook = (_, result) => result
})

const settings: [string, number, number][] = [
  ['one of two', 1, 2],
  ['the only one', 1, 1],
  ['two of three', 2, 3],
]
const rows = settings.flatMap(([who, broken, count]) =>
  [false, true].map(
    (isEvery) => [who, isEvery ? 'every block' : 'one block', { broken, count, isEvery }] as const,
  ),
)

describe.each(Object.entries(breaks))('%s', (what, fault) => {
  test.each(rows)('at %s, %s: all payments are read at once, and it is named', async (_, __, row) => {
    const own = nodes.slice(0, row.count)
    for (const node of own.slice(0, row.broken)) breakNode(node, fault, row.isEvery)
    const alarms: Record<string, unknown>[] = []
    const urls = own.map(({ url }) => url)
    const reader = connectChain(urls, 56, { onAlarm: (text, facts) => alarms.push({ text, ...facts }) })
    expect((await readAll(reader)).sort()).toEqual(payments.toSorted())
    const { endpoints } = reader.health()
    expect(endpoints.map(({ state, failures }) => [state, failures])).toEqual(own.map(() => ['ok', 0]))
    const isHeader = what === 'a header without bloom'
    expect(alarms).toContainEqual(
      expect.objectContaining({
        text: isHeader ? 'header does not match its hash' : 'an endpoint contradicts itself',
        host: new URL(own[0]?.url ?? '').host,
        block: row.isEvery ? expect.any(String) : isHeader ? `${BigInt(fifth)}` : expect.any(String),
      }),
    )
    if (!isHeader) expect(endpoints[0]?.lastFailure).toMatch(/^contradiction eth_\w+ \d+$/)
  })
})
