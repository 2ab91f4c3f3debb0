import { type Address, type Hex, pad } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { unitsOf } from '../../core/money.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { faultyChain, watch } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { book, payUpToData } from '../../e2e/lab/register.ts'
import { approveData, mintData, usdt } from '../../e2e/lab/usdt.ts'
import { type Chain, connectChain } from './index.ts'

const world = await faultyChain([])
const { chain } = world
const [payer, other, stranger] = chain.buyers
const otherBook = pad('0x0dd')
const cent = unitsOf(1)
const worthless = await chain.deploy(stranger, 'MoodyToken')
const sent: Record<string, Hex> = {}

type Debt = { debtor: Address; total: bigint }
const payUpTo = (
  from: Address,
  debts: Debt[],
  { by = book, token = usdt }: { by?: Hex; token?: Address } = {},
) => chain.submit({ from, to: register.address, data: payUpToData(token, debts, { by }) })
for (const from of [operator, stranger]) await chain.submitApproval(from, register.address)
await chain.submit({ from: stranger, to: worthless, data: approveData(register.address) })
await chain.submit({ from: stranger, to: worthless, data: mintData(stranger, 9n * cent) })
await chain.submitPayment({ from: payer, cents: 1_00 })
await chain.mine()
const from = (await chain.height()) + 1n
sent.plain = await chain.submitPayment({ from: operator, to: payer, cents: 1 })
const two = [
  { debtor: payer, total: 2n * cent },
  { debtor: other, total: 3n * cent },
]
sent.ours = await payUpTo(operator, two)
await chain.mine(3)
sent.otherBook = await payUpTo(operator, [{ debtor: payer, total: 4n * cent }], { by: otherBook })
await chain.mine(3)
sent.byStranger = await payUpTo(stranger, [{ debtor: payer, total: 7n * cent }])
sent.worthless = await payUpTo(stranger, [{ debtor: payer, total: 9n * cent }], { token: worthless })
await payUpTo(stranger, [{ debtor: payer, total: 9n * cent }], { by: otherBook })
await chain.finalize()
const to = await chain.height()

const read = (reader: Chain, head = to) =>
  reader.transfers({ ...watch, outgoing: { book } }, { from, to, head })
const far = to + 5_000n
const code = (reading: Promise<unknown>) => expect(reading.catch((error) => error.code)).resolves

const ways: [string, () => Promise<Awaited<ReturnType<typeof read>>>][] = [
  ['near the head by receipts', () => read(world.one())],
  ['near the head by two endpoints', () => read(world.two())],
  ['deep in the past by ranges of logs', () => read(world.two(), far)],
  ['deep in the past by logs of blocks', () => read(world.one(), far)],
]
test.each(ways)('plain transfers and payments by our book are told apart, %s', async (_, reading) => {
  const { transfers, paid, end } = await reading()
  expect(end.number).toBe(to)
  expect(
    transfers.map(({ transactionHash, to: receiver, value }) => [transactionHash, receiver, value]),
  ).toEqual([[sent.plain, payer, cent]])
  const paidBy = (wallet: Address, debtor: Address, units: bigint, total: bigint) => ({
    ...{ book, wallet, debtor, token: usdt, units: units * cent, total: total * cent },
  })
  expect(paid).toMatchObject([
    { transactionHash: sent.ours, ...paidBy(operator, payer, 2n, 2n) },
    { transactionHash: sent.ours, ...paidBy(operator, other, 3n, 3n) },
    { transactionHash: sent.byStranger, ...paidBy(stranger, payer, 5n, 7n) },
  ])
})

test('a reading of incoming money leaves the receipts to one of outgoing money, by whatever book', async () => {
  const reader = world.one()
  await reader.transfers(watch, { from, to, head: to })
  expect(world.a.asked('eth_getBlockReceipts')).toBe(2)
  expect((await read(reader)).paid).toHaveLength(3)
  // The block in which a stranger pays concerns outgoing money alone.
  expect(world.a.asked('eth_getBlockReceipts')).toBe(3)
})

describe('endpoints that lie in one voice', () => {
  type Log = { topics: Hex[]; transactionHash: Hex; data: Hex; address: Address }
  const liars = [hookRpc(chain.url), hookRpc(chain.url)]
  for (const liar of liars) forFile(liar)
  let twist: (logs: Log[]) => Log[]
  beforeEach(() => {
    for (const liar of liars)
      liar.hook = ({ method }, result) => (method === 'eth_getLogs' ? twist(result as Log[]) : result)
  })
  const reader = () =>
    connectChain(
      liars.map(({ url }) => url),
      56,
    )

  test('a payment of ours whose transfer they do not tell is no answer', async () => {
    twist = (logs) => logs.filter((log) => log.topics[0] === paidTopic || log.transactionHash !== sent.ours)
    await code(read(reader(), far)).toBe('RPC_UNAVAILABLE')
  })

  test('nor is one that the register cannot have told', async () => {
    twist = (logs) =>
      logs.map((log) => (log.topics[0] === paidTopic ? { ...log, data: log.data.slice(0, -64) as Hex } : log))
    await code(read(reader(), far)).toBe('RPC_UNAVAILABLE')
  })
})
