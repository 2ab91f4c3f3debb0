import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll, watch } from '../../e2e/lab/faulty-chain.ts'

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

test.each(['reversed-transaction-index', 'doubled-log'] as const)(
  '%s: an answer that cannot be of one chain is refused, from the only endpoint too',
  async (lie) => {
    a.set(lie)
    expect(await codeOf(readAll(one()))).toBe('RPC_UNAVAILABLE')
    a.set()
    expect((await readAll(one())).sort()).toEqual([...payments].sort())
  },
)

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

test('a transaction whose sender or data two endpoints tell differently is not believed', async () => {
  const reader = two()
  const known = await reader.transaction(payments[0] as never)
  expect(known).toMatchObject({ from: chain.buyers[0], input: expect.stringMatching(/^0xa9059cbb/) })
  b.set('other-calldata')
  expect(await codeOf(reader.transaction(payments[0] as never))).toBe('RPC_DISAGREE')
  const waiting = await chain.submitPayment({ from: chain.buyers[2], cents: 3_00 })
  expect(await reader.transaction(waiting)).toBeUndefined()
})

test('a receipt whose place in the block two endpoints tell differently is not confirmed', async () => {
  const reader = two()
  const [lookup] = await reader.lookUp([payments[0] as never], new Set())
  if (lookup?.state !== 'found') throw new Error('not found')
  const told = new Map([[payments[0] as never, lookup.receipt]])
  expect((await reader.confirm(told)).size).toBe(1)
  b.set('shifted-transaction-index')
  expect((await reader.confirm(told)).size).toBe(0)
})
