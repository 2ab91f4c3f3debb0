import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll, watch } from '../../e2e/lab/faulty-chain.ts'
import { connectChain } from './index.ts'

const { chain, a, b, one, two } = await faultyChain([])
/** Two purchases in one block: their tickets are numbered by their places in it. */
const payments = await Promise.all(
  chain.buyers.slice(0, 2).map((from) => chain.submitPayment({ from: from as never, cents: 3_00 })),
)
await chain.mine()
await chain.finalize()

test.each([0, 1])(
  'endpoint %i of two tells other places in the block: what receipts prove is read',
  async (at) => {
    ;[a, b][at]?.set('shifted-transaction-index')
    expect((await readAll(two())).sort()).toEqual([...payments].sort())
  },
)

test('an order that cannot be of one chain is refused, from the only endpoint too', async () => {
  a.set('reversed-transaction-index')
  expect(await codeOf(readAll(one()))).toBe('RPC_UNAVAILABLE')
  a.set()
  expect((await readAll(one())).sort()).toEqual([...payments].sort())
})

test('of the only endpoint that tells a log twice the receipts are read, and it is named', async () => {
  a.set('doubled-log')
  const alarms: unknown[] = []
  const reader = connectChain([a.url], 56, {
    onAlarm: (text, { host, method }) => alarms.push([text, host, method]),
  })
  expect((await readAll(reader)).sort()).toEqual([...payments].sort())
  expect(alarms).toEqual([['an endpoint contradicts itself', new URL(a.url).host, 'eth_getLogs']])
})

describe('far from the head', () => {
  beforeAll(() => chain.mine(2_100))

  test.each(['other-value', 'shifted-transaction-index', 'other-block-time'] as const)(
    'an endpoint without logs has its own view of what the other one found: %s',
    async (lie) => {
      b.set('logs-disabled')
      const reader = two()
      const head = (await reader.finalized()).number
      const read = () => reader.transfers(watch, { from: 0n, to: 20n, head })
      await read() // learns that logs are off
      const honest = (await read()).transfers
      expect(honest).toHaveLength(2)
      a.set(lie)
      if (lie === 'other-block-time') expect(await codeOf(read())).toBe('RPC_DISAGREE')
      else expect((await read()).transfers).toEqual(honest)
    },
  )
})

test('a receipt whose place in the block two endpoints tell differently is not confirmed', async () => {
  const reader = two()
  const confirm = () => reader.confirm([payments[0] as never])
  expect(await confirm()).toMatchObject([{ status: 'success' }])
  b.set('shifted-transaction-index')
  expect(await confirm()).toEqual([undefined])
})
