import { pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { openTestChain, operator } from '../../e2e/lab/chain.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { book } from '../../e2e/lab/register.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { connectChain } from './index.ts'

const local = await forFile(openTestChain())
const chain = connectChain([local.url], 56)

test('finds transfers from an operator wallet, not those to it, even if a block holds both', async () => {
  const [payer] = local.buyers
  const from = (await local.height()) + 1n
  await local.submitPayment({ from: payer, cents: 70 })
  await local.mine()
  await local.submitPayment({ from: operator, to: payer, cents: 30 })
  await local.submitPayment({ from: payer, cents: 5 })
  await local.mine()
  const head = await local.height()
  const watch = { tokens: [usdt], wallets: [operator], outgoing: { book } }
  const { transfers, end } = await chain.transfers(watch, { from, to: head, head })
  expect(end.number).toBe(head)
  expect(transfers).toMatchObject([{ from: operator, to: payer, value: 30n * 10n ** 16n }])
})

test('counts transactions and reads code as of a block', async () => {
  const [, second, third] = local.buyers
  const before = await local.height()
  const [nonce = -1] = await chain.nonces([second], before)
  await local.submitPayment({ from: second, to: third, cents: 1 })
  await local.mine()
  expect(await chain.nonces([second], before)).toEqual([nonce])
  expect(await chain.nonces([second, third], await local.height())).toEqual([nonce + 1, 0])
  const codes = await chain.codes([usdt, second], await local.height())
  expect(codes.map((code) => code.length > 2)).toEqual([true, false])
})

test('reads a contract; a revert is an answer', async () => {
  const holder = local.buyers[3] ?? operator
  const at = await local.height()
  const balanceOf = `0x70a08231${pad(holder).slice(2)}` as const
  expect(await chain.call({ to: usdt, data: balanceOf }, at)).toBe(
    toHex(1_000_000n * 10n ** 18n, { size: 32 }),
  )
  const unknown = await chain.call({ to: usdt, data: '0x12345678' }, at)
  expect(unknown).toBeUndefined()
})
