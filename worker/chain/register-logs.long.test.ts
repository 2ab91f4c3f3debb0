import { expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { faultyChain, watch } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { owe, payUpToData, person, waiveData } from '../../e2e/lab/register.ts'
import { approveData, transferData, usdt, usdtUnits } from '../../e2e/lab/usdt.ts'
import { type Chain, connectChain } from './index.ts'

const world = await faultyChain()
const { chain } = world
const node = await forFile(Promise.resolve(hookRpc(chain.url)))
const to = register.address
const from = operator
const [one, two, half] = [1, 2, 0.5].map(usdtUnits) as [bigint, bigint, bigint]
await chain.submit({ from, to: usdt, data: approveData(register.address) })
await chain.mine()
/** In one block: by hand, then two debtors of the register, one of them at another address, and a waiver of a third. */
const byHand = await chain.submit({ from, to: usdt, data: transferData(person(2), half) })
const call = await chain.submit({ from, to, data: payUpToData(usdt, [owe(1, one), owe(2, two, person(9))]) })
const waiver = await chain.submit({ from, to, data: waiveData(usdt, [owe(3, two)]) })
await chain.mine()
const block = await chain.height()
/** A waiver alone: no token has anything to say in this block. */
const late = await chain.submit({ from, to, data: waiveData(usdt, [owe(4, one)]) })
await chain.mine()
await chain.finalize()

const lower = (text: string) => text.toLowerCase()
async function read(reader: Chain, head = block + 1n) {
  const outgoing = { ...watch, outgoing: true }
  const { transfers, entries } = await reader.transfers(outgoing, { from: block, to: block + 1n, head })
  return {
    transfers: transfers.map((t) => [t.transactionHash, t.to, t.value, t.debtor]),
    entries: entries.map((e) => [e.transactionHash, e.kind, e.debtor, e.payee, e.units, e.total]),
  }
}
const told = {
  transfers: [
    [byHand, lower(person(2)), half, null],
    [call, lower(person(1)), one, lower(person(1))],
    [call, lower(person(9)), two, lower(person(2))],
  ],
  entries: [
    [call, 'paid', lower(person(1)), lower(person(1)), one, one],
    [call, 'paid', lower(person(2)), lower(person(9)), two, two],
    [waiver, 'waived', lower(person(3)), null, null, two],
    [late, 'waived', lower(person(4)), null, null, one],
  ],
}
const depths = [
  ['near the head', block + 1n],
  ['long after', block + 5_000n],
] as const

test.each(depths)(
  'what the register paid and waived is read in one query with the transfers, %s',
  async (_, head) => {
    expect(await read(world.one(), head)).toEqual(told)
    expect(await read(world.two(), head)).toEqual(told)
  },
)

test('the transfers that come in, and the register of somebody else, are no entries', async () => {
  const { entries } = await world.one().transfers(watch, { from: block, to: block, head: block })
  expect(entries).toEqual([])
  const others = { tokens: [usdt], wallets: [chain.buyers[0]], outgoing: true }
  expect((await world.one().transfers(others, { from: block, to: block, head: block })).entries).toEqual([])
})

test.each([['missing-range-log'], ['logs-disabled'], ['empty-logs'], ['no-block-receipts']] as const)(
  'a node with %s hides nothing of the register',
  async (...faults) => {
    world.a.set(...faults)
    world.b.set(...faults)
    expect(await read(world.one())).toEqual(told)
    expect(await read(world.two())).toEqual(told)
    expect(await read(world.one(), block + 5_000n)).toEqual(told)
  },
)

type Log = { address: string; topics: string[]; data: string }
const isOfRegister = ({ address }: Log) => lower(address) === lower(register.address)
/** The node twists the logs of each answer that has some. */
function twistLogs(twist: (log: Log) => Log[]): void {
  node.hook = ({ method }, result) => {
    if (method === 'eth_getLogs') return (result as Log[]).flatMap(twist)
    if (method !== 'eth_getBlockReceipts') return result
    return (result as { logs: Log[] }[]).map((receipt) => ({ ...receipt, logs: receipt.logs.flatMap(twist) }))
  }
}

test.each<[string, (log: Log) => Log[]]>([
  [
    'a payment of the register without its transfer',
    (log) => (isOfRegister(log) || log.data.endsWith(half.toString(16)) ? [log] : []),
  ],
  [
    'another amount than was moved',
    (log) =>
      isOfRegister(log) ? [{ ...log, data: log.data.replace(one.toString(16), two.toString(16)) }] : [log],
  ],
  [
    'a log that the register cannot have made',
    (log) => (isOfRegister(log) ? [{ ...log, data: `${log.data}00` }] : [log]),
  ],
])('a node that tells %s is not believed', async (_, twist) => {
  twistLogs(twist)
  await expect(read(connectChain([node.url], 56))).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  expect(await read(connectChain([node.url, world.a.url, world.b.url], 56))).toEqual(told)
})

test('another payee or debtor told by one of two is a disagreement', async () => {
  twistLogs((log) =>
    isOfRegister(log)
      ? [{ ...log, topics: log.topics.map((topic) => topic.replace(/d00001$/, 'd00007')) }]
      : [log],
  )
  const reader = connectChain([node.url, world.a.url], 56)
  await expect(read(reader)).rejects.toMatchObject({ code: 'RPC_DISAGREE' })
})
