import { type Address, encodeFunctionData, erc20Abi, type Hash, type Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { noteSent, offerRefunds } from '../../db/refund/offers.ts'
import { refundFacts } from '../../db/refund/totals.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { closeSale } from '../payment/close-sale.ts'
import { refoldFromMissedPayment } from '../payment/refold.ts'
import { prepareRefunds } from './prepare.ts'
import { watchRefunds } from './watch.ts'

let world: DrawWorld
const operator = operatorAccount.toLowerCase() as Address

beforeEach(async () => {
  world = await openDrawWorld({ minTickets: 1_000 })
})
afterEach(() => world?.close())

const transfer = (to: Address, value: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
const receiptOf = (hash: Hash) =>
  rpc<{ blockNumber: Hex; from: Address; status: Hex }>(world.url, 'eth_getTransactionReceipt', [hash])
const nonce = async () => Number(await rpc<Hex>(world.url, 'eth_getTransactionCount', [operator, 'pending']))

/** Folds and watches final blocks, as the workers do. */
async function settle(): Promise<void> {
  await world.mine(3)
  // A first run may find that the chain changed, a second one continues from there.
  for (let run = 0; run < 2; run++) {
    await world.scan()
    await watchRefunds(world.deps)
  }
}

async function prepare(kind: RefundKind): Promise<void> {
  const scope = { kind, eventNumber: 1 }
  await world.db.transaction((tx) => writeBatch(tx, { ...scope, minUnits: unitsOf(10) }))
  await prepareRefunds({ ...world.deps, refundMinUnits: unitsOf(10) }, {})
}

/** Signs everything that the desk hands out and returns it. */
async function send(kind: RefundKind): Promise<{ to: string; hash: Hash }[]> {
  const sent: { to: string; hash: Hash }[] = []
  for (const { row } of await listRefundRows(world.db, { kind, eventNumber: 1 })) {
    const request = { ids: [row.id], wallet: operator, nonce: await nonce(), transactions: 1 }
    for (const { id, to, units } of await world.db.transaction((tx) => offerRefunds(tx, request))) {
      const hash = await world.send(0, transfer(to, BigInt(units)))
      sent.push({ to: to.toLowerCase(), hash })
      await world.db.transaction((tx) => noteSent(tx, [id], hash))
      await settle()
    }
  }
  return sent
}
const states = async (kind: RefundKind) =>
  (await listRefundRows(world.db, { kind, eventNumber: 1 })).map(({ row, toSend }) => [
    row.amount,
    row.state,
    toSend.amount,
  ])

/** Buyer 2 bought tickets, then 1 paid too little; the leftover is given back. */
async function settledLeftover() {
  await world.pay(2, 900, 5)
  const payment = await world.pay(1, 200, 10)
  await settle()
  await prepare('leftover')
  const [refund] = await send('leftover')
  expect(await states('leftover')).toEqual([[200, 'settled', 0]])
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
  await settle()
  expect(await states('leftover')).toEqual([[200, 'settled', 0]])
  await prepare('leftover')
  expect(await send('leftover')).toEqual([])
  expect(await refundFacts(world.db, { kind: 'leftover', eventNumber: 1 })).toMatchObject({
    totalAmount: 200,
  })
})

test('a leftover that is settled is not paid again by refund mode when a hole is reported after the draw date', async () => {
  const { payment } = await settledLeftover()
  await world.endSale()
  await world.reachDraw()
  await settle()
  const hole = BigInt((await receiptOf(payment)).blockNumber)
  await refoldFromMissedPayment(world.deps, hole)
  expect(await world.event()).toMatchObject({ frozenAt: null, refundModeAt: expect.any(Date) })
  await settle()
  await closeSale(world.deps)
  await prepare('event')
  expect((await send('event')).map(({ to }) => to)).toEqual([buyer(2)])
  expect(await states('leftover')).toEqual([[200, 'settled', 0]])
  expect(await states('event')).toEqual([[900, 'settled', 0]])
  expect(await refundFacts(world.db, { kind: 'event', eventNumber: 1 })).toMatchObject({ totalAmount: 900 })
})
