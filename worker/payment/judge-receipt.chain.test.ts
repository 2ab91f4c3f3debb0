import { type Address, getContractAddress, type Hash, keccak256, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import { openTestChain, operator } from '../../e2e/lab/chain.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { connectChain } from '../chain/index.ts'
import { readRange } from './read.ts'
import { judgeReceipt } from './verify.ts'

const wallets = new Set([operator])
const value = 9n * 10n ** 18n

const chain = await forFile(openTestChain())
const reader = connectChain([chain.url], 56, patient)
const [alice, bob] = chain.buyers
const contracts = {
  fake: await chain.deploy(alice, 'FakeUsdt'),
  odd: await chain.deploy(alice, 'OddShapes'),
  mover: await chain.deploy(alice, 'Mover', [usdt]),
}
for (const buyer of [alice, bob]) await chain.submitApproval(buyer, contracts.mover)
await chain.submitPayment({ from: alice, to: contracts.mover, cents: 100_00 })
await chain.mine()

type Expected = { payments: { payer: () => Address; cents: number }[]; reason: PaymentReason | null }
type Case = [title: string, send: () => Promise<Hash>, expected: Expected]

const odd = (name: string) => () => chain.submitCall(bob, contracts.odd, 'OddShapes', name, [operator, value])
const mover = (name: string, ...args: unknown[]) =>
  chain.submitCall(bob, contracts.mover, 'Mover', name, args)
const nothing = (reason: PaymentReason): Expected => ({ payments: [], reason })
const paid = (...payments: [() => Address, number][]): Expected => ({
  payments: payments.map(([payer, cents]) => ({ payer, cents })),
  reason: null,
})

const cases: Case[] = [
  ['a plain transfer', () => chain.submitPayment({ from: alice, cents: 9_00 }), paid([() => alice, 9_00])],
  [
    'P3: gas too low to finish',
    () => chain.submitPayment({ from: alice, cents: 9_00, gas: 30_000n }),
    nothing('reverted'),
  ],
  ['P3: a transfer and then a revert', () => mover('payThenFail', operator, value), nothing('reverted')],
  [
    'P4: another token of the same name',
    () => chain.submitCall(bob, contracts.fake, 'FakeUsdt', 'transfer', [operator, value]),
    nothing('wrong_token'),
  ],
  ['P4: four topics, as an NFT has them', odd('fourTopics'), nothing('wrong_token')],
  ['P4: too much data', odd('longData'), nothing('wrong_token')],
  ['P4: no data', odd('noData'), nothing('wrong_token')],
  ['P4: two topics', odd('twoTopics'), nothing('no_transfer')],
  ['P4: success and nothing happened', odd('silent'), nothing('no_transfer')],
  [
    'P4: an inner payment that was undone',
    () => mover('payAndUndo', operator, value),
    nothing('no_transfer'),
  ],
  [
    "P4: the token's code run by another contract",
    async () => {
      await mover('fund', keccak256(`${pad(bob)}${'0'.repeat(64)}`), value)
      return mover('borrowCode', operator, value)
    },
    nothing('wrong_token'),
  ],
  [
    'P5: zero moved in the name of a victim',
    () => mover('nameVictim', alice, operator),
    nothing('no_transfer'),
  ],
  [
    'P6: a contract pays its own money',
    () => mover('pay', operator, value),
    paid([() => contracts.mover, 9_00]),
  ],
  [
    'P6: transfers of two payers, some to others, in one transaction',
    () =>
      mover(
        'payFor',
        [alice, bob, alice, bob, alice],
        [operator, operator, bob, alice, operator],
        [value, value, value, value, 2n * value],
      ),
    paid([() => alice, 27_00], [() => bob, 9_00]),
  ],
  [
    'P6: fifty transfers of one payer, each too small by itself',
    () => mover('payFor', Array(50).fill(alice), Array(50).fill(operator), Array(50).fill(value / 90n)),
    paid([() => alice, 5_00]),
  ],
  [
    'P10: a payment to somebody else',
    () => chain.submitPayment({ from: alice, to: bob, cents: 9_00 }),
    nothing('no_transfer'),
  ],
]

describe('what a transaction is worth', () => {
  test.each(cases)('%s', async (_, send, expected) => {
    const from = (await chain.height()) + 1n
    const hash = await send()
    await chain.finalize()
    const [receipt] = await reader.confirm([hash])
    if (!receipt) throw new Error('The transaction was not mined.')
    const terms = { token: usdt, wallets }
    const sight = judgeReceipt(receipt, { ...terms, isFinal: true })
    const payments = expected.payments.map(({ payer, cents }) => ({ payer: payer(), cents: BigInt(cents) }))
    expect({
      reason: sight.reason,
      payments: sight.payments.map(({ payer, units }) => ({ payer, cents: centsOf(units) })),
    }).toEqual({ ...expected, payments })
    // Not final: a preview, and never a verdict.
    expect(judgeReceipt(receipt, { ...terms, isFinal: false })).toEqual({
      payments: sight.payments,
      reason: null,
    })
    // The scan, which reads logs, sees exactly what the receipt shows.
    const range = { token: usdt, wallets: [operator], from, head: await reader.finalized() }
    const { found } = await readRange(reader, range)
    expect(found.map(({ blockTime, ...payment }) => payment)).toEqual(sight.payments)
  })

  test('P6: a payment made by a constructor counts for the payer', async () => {
    // The new contract's address is known beforehand, so that the payer can allow it.
    const nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [bob, 'pending'])) + 1
    await chain.submitApproval(bob, getContractAddress({ from: bob, nonce: BigInt(nonce) }))
    const address = await chain.deploy(bob, 'PayingConstructor', [usdt, bob, operator, value])
    expect(address).toBeTruthy()
    await chain.finalize()
    const head = await reader.finalized()
    const { found } = await readRange(reader, {
      token: usdt,
      wallets: [operator],
      from: head.number - 4n,
      head,
    })
    expect(found).toMatchObject([{ payer: bob, units: value }])
  })
})
