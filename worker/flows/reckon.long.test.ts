import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { walletOpenings } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { openMoney, told } from '../../e2e/lab/money.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'

const money = forEachTest(openMoney)
const refundWallet = () => money.chain.buyers[4] as Address

describe('what is held and required', () => {
  test('is told from the first final block on, and to the unit after every transfer', async () => {
    expect(await money.now()).toMatchObject({ state: 'unknown', block: null, equation: 'unknown' })
    const first = await money.settle()
    expect(first).toMatchObject({
      state: 'covered',
      required: '0',
      ratioBp: null,
      lowest: { cover: told(1_000_00), block: 1 },
      equation: 'holds',
    })
    const opening = BigInt(first.held)
    await money.pay(9_00)
    await money.pay(2_00, { from: money.chain.buyers[1] })
    const sold = await money.settle()
    expect(sold).toMatchObject({
      held: `${opening + BigInt(told(11_00))}`,
      required: told(11_00),
      owed: { leftovers: told(2_00), refunds: '0', credited: told(9_00), prizes: '0' },
      equation: 'holds',
    })
    expect(sold.wallets).toHaveLength(1)
  })

  test('one unit more than the surplus that moves out is short, and names the transaction', async () => {
    const { cover } = await money.settle()
    await money.pay(9_00)
    await money.settle()
    const spare = Number(BigInt(cover) / 10n ** 16n)
    await money.sendOut(spare)
    expect(await money.settle()).toMatchObject({ state: 'covered', cover: '0', ratioBp: 10_000 })
    const hash = await money.sendOut(1)
    expect(await money.settle()).toMatchObject({
      state: 'short',
      lowest: { cover: `-${told(1)}`, transactionHash: hash },
      others: [{ transactionHash: hash, units: told(1) }, { units: told(spare) }],
    })
  })

  test('money between two own wallets is a move: nothing is lower, and both balances agree', async () => {
    await money.addRefundWallet(refundWallet())
    const first = await money.settle()
    expect(first.wallets).toHaveLength(2)
    await money.pay(9_00)
    await money.settle()
    await money.chain.submitPayment({ from: operator, to: refundWallet(), cents: 500_00 })
    await money.chain.submitPayment({ from: money.chain.buyers[1], to: refundWallet(), cents: 7_00 })
    await money.settle()
    await money.minuteLater()
    const moved = await money.settle()
    expect(moved).toMatchObject({
      held: `${BigInt(first.held) + BigInt(told(16_00))}`,
      ...{ equation: 'holds', others: [] },
      outflow: { own: told(500_00), other: '0' },
    })
    expect(moved.lowest?.cover).toBe(first.cover)
  })

  test('a transfer to itself and one of nothing change nothing', async () => {
    const first = await money.settle()
    await money.sendOut(3_00, operator)
    await money.sendOut(0)
    await money.settle()
    await money.minuteLater()
    expect(await money.settle()).toMatchObject({
      held: first.held,
      required: '0',
      equation: 'holds',
      others: [],
    })
  })

  test('a wallet that is added later is opened at the block where it came, and what it had before is in it', async () => {
    const first = await money.settle()
    await money.chain.submitPayment({ from: money.chain.buyers[1], to: refundWallet(), cents: 7_00 })
    await money.settle()
    await money.addRefundWallet(refundWallet())
    const added = await money.settle()
    expect(BigInt(added.held) - BigInt(first.held)).toBe(BigInt(told(1_000_007_00)))
    expect(added).toMatchObject({ equation: 'holds' })
    const openings = await money.db.select().from(walletOpenings)
    expect(openings.map(({ blockNumber }) => blockNumber).sort()).toHaveLength(2)
  })

  test('money in a wallet that has not signed counts for nothing, and then nothing is told', async () => {
    await withOtherPast(money.db, (tx) => tx.execute(sql`update operator_wallets set proven_since = null`))
    await money.pay(9_00)
    expect(await money.settle()).toMatchObject({
      state: 'unknown',
      held: '0',
      wallets: [],
      equation: 'holds',
    })
  })
})
