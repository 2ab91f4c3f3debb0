import { type Address, type Hex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { unitsOf } from '../money.ts'
import { decodeTransfer, groupPayments, type RpcLog, transferTopic } from './payment.ts'

const token: Address = '0x55d398326f99059ff775485246999027b3197955'
const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
const operator: Address = `0x${'0f'.repeat(20)}`

describe('decodeTransfer', () => {
  test('reads a genuine transfer', () => {
    expect(decodeTransfer(transferLog({ cents: 300 }), token)).toMatchObject({
      from: alice,
      to: operator,
      value: unitsOf(300),
    })
  })

  const log = transferLog({ cents: 300 })
  test.each<[string, RpcLog]>([
    ['another contract', { ...log, address: bob }],
    ['another event', { ...log, topics: [`0x${'11'.repeat(32)}`, ...log.topics.slice(1)] }],
    [
      'an ERC-721 transfer with a fourth topic',
      { ...log, topics: [...log.topics, toHex(1, { size: 32 })], data: '0x' },
    ],
    ['a transfer with too few topics', { ...log, topics: log.topics.slice(0, 2) }],
    ['data longer than one word', { ...log, data: `${log.data}00` }],
    ['no data', { ...log, data: '0x' }],
    ['a zero value', transferLog({ cents: 0 })],
    ['a removed log', { ...log, removed: true }],
  ])('P4, P5: %s is no transfer', (_, hostile) => {
    expect(decodeTransfer(hostile, token)).toBeUndefined()
  })
})

describe('groupPayments', () => {
  test('P6: transfers of one payer in one transaction are summed, other payers and targets stay apart', () => {
    const logs = [
      transferLog({ cents: 200, logIndex: 4 }),
      transferLog({ cents: 150, logIndex: 2 }),
      transferLog({ cents: 300, from: bob, logIndex: 3 }),
      transferLog({ cents: 500, to: bob, logIndex: 5 }),
    ]
    const found = groupPayments(
      logs.flatMap((log) => decodeTransfer(log, token) ?? []),
      new Set([operator]),
    )
    expect(found.map(({ payer, units, firstLogIndex }) => ({ payer, units, firstLogIndex }))).toEqual([
      { payer: alice, units: unitsOf(350), firstLogIndex: 2 },
      { payer: bob, units: unitsOf(300), firstLogIndex: 3 },
    ])
  })

  test('payments come in chain order: block, transaction, first log', () => {
    const at = (block: number, index: number, logIndex: number) =>
      transferLog({ cents: 300, block, index, logIndex, transaction: block * 100 + index })
    const found = groupPayments(
      [at(12, 0, 0), at(2, 10, 7), at(2, 9, 5)].flatMap((log) => decodeTransfer(log, token) ?? []),
      new Set([operator]),
    )
    expect(found.map((p) => [p.blockNumber, p.transactionIndex])).toEqual([
      [2n, 9],
      [2n, 10],
      [12n, 0],
    ])
  })
})

function transferLog({
  cents,
  from = alice,
  to = operator,
  block = 7,
  index = 1,
  logIndex = 0,
  transaction = 1,
}: {
  cents: number
  from?: Address
  to?: Address
  block?: number
  index?: number
  logIndex?: number
  transaction?: number
}): RpcLog {
  return {
    address: token,
    topics: [transferTopic, pad(from), pad(to)],
    data: toHex(unitsOf(cents), { size: 32 }),
    blockNumber: toHex(block),
    blockHash: toHex(block, { size: 32 }) as Hex,
    transactionHash: toHex(transaction, { size: 32 }),
    transactionIndex: toHex(index),
    logIndex: toHex(logIndex),
  }
}
