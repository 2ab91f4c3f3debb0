import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { stateNow } from '../../e2e/lab/public-state.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { connectChain } from '../chain/index.ts'
import { scan } from './scan.ts'
import { verifyPayment } from './verify.ts'

const sale = await forFile(openSale())
const a = await forFile(startRpcProxy(sale.chain.url))
const b = await forFile(startRpcProxy(sale.chain.url))
const clock = handClock()
const deps = { ...sale.deps, chain: connectChain([a.url, b.url], 56, { ...clock }), clock }

/** What every visitor is told. */
async function told() {
  const { version, config } = await stateNow(sale.db)
  return { version, waitsForNode: config.waitsForNode, salesPaused: config.salesPaused }
}
/** An endpoint that failed rests for a moment before it is asked again. */
const recovered = () => {
  clock.advance(3_000)
  return scan(deps)
}
const time = async (): Promise<number> =>
  Number((await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp)
const earlier = (seconds: number) =>
  sale.db.execute(sql`update reports set at = at - ${`${seconds} seconds`}::interval,
    since = since - ${`${seconds} seconds`}::interval where name = 'nodes'`)

test('payments wait for a second node, after ten minutes sales pause, and both end with its first answer', async () => {
  await scan(deps)
  const before = await told()
  expect(before).toMatchObject({ waitsForNode: false, salesPaused: false })

  // One failed question is no news, however long it takes here.
  await earlier(-60)
  b.set('down')
  expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  expect(await told()).toEqual(before)

  await earlier(66)
  for (let run = 0; run < 3; run++) expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  const waiting = await told()
  expect(waiting).toMatchObject({ waitsForNode: true, salesPaused: false })
  expect(waiting.version).toBe(before.version + 16)

  // A buyer sees that one node has the payment, and nothing of what that node alone says of it.
  const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 9_00 })
  await sale.chain.finalize()
  await sale.post(hash)
  await verifyPayment(deps, { hashes: [hash] })
  expect(await sale.report(hash)).toMatchObject({
    status: 'confirming',
    payments: [],
  })

  await earlier(601)
  for (let run = 0; run < 3; run++) expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  expect(await told()).toEqual({ version: waiting.version + 16, waitsForNode: true, salesPaused: true })

  b.set()
  await recovered()
  const after = await told()
  expect(after).toMatchObject({ waitsForNode: false, salesPaused: false })
  expect(after.version).toBeGreaterThan(waiting.version + 16)
  expect(await sale.report(hash)).toMatchObject({ status: 'credited', payments: [{ ticketCount: 3 }] })
})

test('two nodes that differ are no two nodes', async () => {
  await recovered()
  await earlier(6)
  b.set('other-block-hash')
  expect(await codeOf(scan(deps))).toBe('RPC_DISAGREE')
  expect(await told()).toMatchObject({ waitsForNode: true })
  b.set()
  await recovered()
  expect(await told()).toMatchObject({ waitsForNode: false })
})

type Json = Record<string, unknown>
const liar = hookRpc(sale.chain.url)
afterAll(() => liar.stop())
const dearer = (log: Json) => ({
  ...log,
  data: `0x${(BigInt(`${log.data}`) * 100n).toString(16).padStart(64, '0')}`,
})
const dearerIn = (receipt: Json) => ({ ...receipt, logs: (receipt.logs as Json[]).map(dearer) })
const each = (result: unknown, lie: (one: Json) => Json) =>
  Array.isArray(result) ? result.map(lie) : result && lie(result as Json)
const isReceipts = (method: string) => /Receipt/.test(method)
const lies: [string, (method: string, result: unknown) => unknown, string, string | undefined][] = [
  [
    'receipts, and the root of them',
    (method, result) => {
      if (method === 'eth_getLogs') return each(result, dearer)
      if (isReceipts(method)) return each(result, dearerIn)
      const root = { receiptsRoot: `0x${'ab'.repeat(32)}` }
      return method === 'eth_getBlockByNumber' ? each(result, (block) => ({ ...block, ...root })) : result
    },
    'RPC_DISAGREE',
    'endpoints differ',
  ],
  [
    'headers',
    (method, result) =>
      method === 'eth_getBlockByNumber'
        ? each(result, (block) => ({
            ...block,
            timestamp: `0x${(Number(block.timestamp) + 1).toString(16)}`,
          }))
        : result,
    'RPC_DISAGREE',
    'endpoints differ',
  ],
]

test('one of two nodes lies about logs: near the head its blocks are asked, and what they hold counts at once', async () => {
  const lied = { ...deps, chain: connectChain([a.url, liar.url], 56, { ...clock }) }
  await sale.chain.finalize()
  await scan(lied) // learns that logs are served
  const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[1], cents: 3_00 })
  await sale.chain.finalize()
  await sale.post(hash)
  liar.hook = ({ method }, result) => (method === 'eth_getLogs' ? each(result, dearer) : result)
  await scan(lied)
  expect(await told()).toMatchObject({ waitsForNode: false })
  expect(await sale.report(hash)).toMatchObject({ status: 'credited', payments: [{ ticketCount: 1 }] })
  liar.hook = (_, result) => result
})

test.each(lies)(
  'one of two nodes lies about %s: buyers are told, sales pause, it is named',
  async (...row) => {
    const [, lie, code, alarm] = row
    const alarms: Json[] = []
    const onAlarm = (text: string, facts: Json) => alarms.push({ text, ...facts })
    const lied = { ...deps, chain: connectChain([a.url, liar.url], 56, { ...clock, onAlarm }) }
    await scan(lied)
    const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[1], cents: 3_00 })
    await sale.chain.finalize()
    liar.hook = ({ method }, result) => lie(method, result)
    // Steps get shorter, down to the block that is told in two ways. It is no news yet, however long it takes here.
    await earlier(-60)
    for (let run = 0; run < 12; run++, clock.advance(1_000)) expect(await codeOf(scan(lied))).toBe(code)
    expect(await told()).toMatchObject({ waitsForNode: false })
    await earlier(66)
    expect(await codeOf(scan(lied))).toBe(code)
    expect(await told()).toMatchObject({ waitsForNode: true, salesPaused: false })
    await earlier(601)
    expect(await codeOf(scan(lied))).toBe(code)
    expect(await told()).toMatchObject({ waitsForNode: true, salesPaused: true })
    const host = new URL(liar.url).host
    const named = alarms.find(({ text }) => text === alarm)
    expect(`${named?.host ?? named?.hosts}`).toContain(host)
    expect(lied.chain.health().endpoints[1]?.lastFailure).toMatch(/^(contradiction|difference) /)

    liar.hook = (_, result) => result
    clock.advance(3_000)
    await scan(lied)
    expect(await told()).toMatchObject({ waitsForNode: false, salesPaused: false })
    await sale.post(hash)
    expect(await sale.report(hash)).toMatchObject({ status: 'credited', payments: [{ ticketCount: 1 }] })
  },
)

test('what one of two nodes alone tells of a payment is not shown, before its block is final nor after', async () => {
  const lied = { ...deps, chain: connectChain([liar.url, a.url], 56, { ...clock }) }
  await scan(lied)
  const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[2], cents: 3_00 })
  await sale.chain.mine()
  await sale.post(hash)
  const look = async () => {
    await sale.db.execute(sql`update claims set next_attempt_at = now()`)
    await verifyPayment(lied, { hashes: [hash] })
    return sale.report(hash)
  }
  liar.hook = ({ method }, result) => (isReceipts(method) ? each(result, dearerIn) : result)
  expect(await look()).toMatchObject({ status: 'confirming', payments: [] })
  liar.hook = (_, result) => result
  expect(await look()).toMatchObject({
    status: 'confirming',
    payments: [{ amount: 300, ticketNumber: null }],
  })
  liar.hook = ({ method }, result) => (isReceipts(method) ? each(result, dearerIn) : result)
  await sale.chain.finalize()
  expect(await look()).toMatchObject({
    status: 'confirming',
    payments: [{ amount: 300, ticketNumber: null }],
  })
  liar.hook = (_, result) => result
})

test('two nodes of which one stands still are no two nodes, where a clock tells', async () => {
  await recovered()
  for (const [age, waitsForNode] of [
    [30, false],
    [90, true],
  ] as const) {
    const chain = connectChain([a.url, b.url], 56, { ...patient, clock: async () => (await time()) + age })
    await chain.latest()
    await earlier(6)
    await scan({ ...deps, chain })
    expect(await told()).toMatchObject({ waitsForNode })
  }
  await recovered()
  expect(await told()).toMatchObject({ waitsForNode: false })
})

test('a single node that stands still is no node: ten minutes later sales pause, and both end with its first new block', async () => {
  await recovered()
  const ahead = async () => (await time()) + aheadSeconds
  let aheadSeconds = 0
  const alone = { ...deps, chain: connectChain([a.url], 56, { ...patient, clock: ahead }) }
  const seen = async () => {
    await alone.chain.latest()
    await scan(alone)
    return told()
  }
  expect(await seen()).toMatchObject({ waitsForNode: false, salesPaused: false })
  a.set('stale-head')
  await seen()
  await sale.chain.mine(5)
  aheadSeconds = 90
  await earlier(6)
  expect(await seen()).toMatchObject({ waitsForNode: true, salesPaused: false })
  await earlier(601)
  expect(await seen()).toMatchObject({ waitsForNode: true, salesPaused: true })

  a.set()
  aheadSeconds = 0
  await scan(alone)
  expect(await told()).toMatchObject({ waitsForNode: false, salesPaused: false })
})
