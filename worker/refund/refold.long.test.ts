import type { Hash, Hex } from 'viem'
import { expect, test } from 'vitest'
import { refundFacts } from '../../db/refund/totals.ts'
import { refundsOf } from '../../e2e/lab/draw-refunds.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { closeSale } from '../payment/close-sale.ts'
import { refoldFromMissedPayment } from '../payment/refold.ts'

const world = forEachTest(() => openDrawWorld({ minTickets: 1_000 }))
const refunds = forEachTest(() => refundsOf(world))

const receiptOf = (hash: Hash) =>
  rpc<{ blockNumber: Hex; status: Hex }>(world.url, 'eth_getTransactionReceipt', [hash])

/** Buyer 2 bought tickets, then 1 paid too little; the leftover is given back. */
async function settledLeftover() {
  await world.pay(2, 900, 5)
  const payment = await world.pay(1, 200, 10)
  await refunds.settle()
  await refunds.prepare('leftover')
  const [refund] = await refunds.send('leftover')
  expect(await refunds.states('leftover')).toEqual([[200, 'settled', 0]])
  return { payment, refund: refund?.hash as Hash }
}
const buyer = (index: number) => world.accounts[index]?.toLowerCase()

test('a leftover that is settled is not paid again when its blocks are replaced below finality', async () => {
  const { payment, refund } = await settledLeftover()
  const raws = await Promise.all(
    [refund, payment].map((hash) => rpc<Hex>(world.url, 'eth_getRawTransactionByHash', [hash])),
  )
  const depth = (await world.height()) - BigInt((await receiptOf(payment)).blockNumber) + 1n
  // The refund stands before its payment on the new branch: they are of two wallets.
  await rpc(world.url, 'anvil_reorg', [Number(depth), raws.map((raw, index) => [raw, index + 1])])
  expect((await receiptOf(refund)).status).toBe('0x1')
  expect(BigInt((await receiptOf(refund)).blockNumber) < BigInt((await receiptOf(payment)).blockNumber)).toBe(
    true,
  )
  await refunds.settle()
  expect(await refunds.states('leftover')).toEqual([[200, 'settled', 0]])
  await refunds.prepare('leftover')
  expect(await refunds.send('leftover')).toEqual([])
  expect(await refundFacts(world.db, { kind: 'leftover', eventNumber: 1 })).toMatchObject({
    totalAmount: 200,
  })
})

test('a leftover that is settled is not paid again by refund mode when a hole is reported after the draw date', async () => {
  const { payment } = await settledLeftover()
  await world.endSale()
  await world.reachDraw()
  await refunds.settle()
  const hole = BigInt((await receiptOf(payment)).blockNumber)
  await refoldFromMissedPayment(world.deps, hole)
  expect(await world.event()).toMatchObject({ frozenAt: null, refundModeAt: expect.any(Date) })
  await refunds.settle()
  await closeSale(world.deps)
  await refunds.prepare('event')
  expect((await refunds.send('event')).map(({ to }) => to)).toEqual([buyer(2)])
  expect(await refunds.states('leftover')).toEqual([[200, 'settled', 0]])
  expect(await refunds.states('event')).toEqual([[900, 'settled', 0]])
  expect(await refundFacts(world.db, { kind: 'event', eventNumber: 1 })).toMatchObject({ totalAmount: 900 })
})
