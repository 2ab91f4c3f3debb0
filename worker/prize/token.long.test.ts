import { eq, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { foldUpTo } from '../../db/flows/fold.ts'
import { unpaidTokenPrizes } from '../../db/prize/unpaid.ts'
import { markTransfer } from '../../db/refund/decisions.ts'
import { listUnallocated } from '../../db/refund/list.ts'
import { events, operatorTransfers } from '../../db/schema/index.ts'
import { revertTo } from '../../e2e/lab/chain-verbs.ts'
import { refundsOf } from '../../e2e/lab/draw-refunds.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { watchRefunds } from '../refund/watch.ts'

const world = forEachTest(() => openDrawWorld())
const refunds = forEachTest(() => refundsOf(world))
let story: ReturnType<typeof prizesOf>
let winner: Address

/** The winner has won 2 USDT, and the same amount is owed to him: he paid too late for a ticket. */
beforeEach(async () => {
  story = prizesOf(world)
  await withOtherPast(world.db, (tx) =>
    tx.update(events).set({ prizes: [{ kind: 'token', units: `${unitsOf(200)}` }] }),
  )
  expect(await unpaidTokenPrizes(world.db, 1)).toBe(unitsOf(200))
  await world.drawn()
  winner = (await story.rows())[0]?.wallet as Address
  await world.pay(story.accountOf(winner), 200, 300)
  await world.mine(3)
  await world.scan()
  await refunds.prepare('leftover')
})

const payWinner = async (cents: number): Promise<Hash> => {
  const hash = await world.send(0, transferData(winner, unitsOf(cents)))
  await world.mine(3)
  await watchRefunds(world.deps)
  return hash
}
const states = async () => [
  (await story.rows())[0]?.state,
  ...(await refunds.states('leftover')).map(([, state]) => state),
]
const mark = (transactionHash: Hash, markedAs: 'refund' | 'prize' | 'other' | null) =>
  world.db.transaction((tx) => markTransfer(tx, { transactionHash, position: 0, markedAs }))

test('of two payments by hand of the same amount the first is the prize and the second the refund', async () => {
  expect(await states()).toEqual(['due', 'planned'])
  const first = await payWinner(200)
  expect(await states()).toEqual(['paid', 'planned'])
  expect(await unpaidTokenPrizes(world.db, 1)).toBe(0n)
  expect((await story.shown())[0]).toMatchObject({
    ...{ kind: 'token', units: `${unitsOf(200)}`, state: 'paid', claimBy: null },
    steps: [{ step: 'drawn' }, { step: 'paid', transactionHash: first }],
  })
  await payWinner(200)
  expect(await states()).toEqual(['paid', 'settled'])
  await watchRefunds(world.deps)
  expect(await states()).toEqual(['paid', 'settled'])
  expect((await listUnallocated(world.db)).map((one) => one.class)).toEqual(['prize'])
})

test('another amount is no prize, and a refund that is less than the prize stays a refund', async () => {
  await payWinner(150)
  expect(await states()).toEqual(['due', 'planned'])
  expect(await unpaidTokenPrizes(world.db, 1)).toBe(unitsOf(200))
  await payWinner(50)
  expect(await states()).toEqual(['due', 'settled'])
})

test('a mark changes what a transfer was for, and taken back it leaves all as it was', async () => {
  const first = await payWinner(200)
  expect(await states()).toEqual(['paid', 'planned'])
  expect(await mark(first, 'refund')).toEqual({ before: null })
  expect(await states()).toEqual(['due', 'settled'])
  expect(await mark(first, 'other')).toEqual({ before: 'refund' })
  expect(await states()).toEqual(['due', 'planned'])
  await mark(first, null)
  expect(await states()).toEqual(['paid', 'planned'])
  // In two parts, of which the first is only a prize by a word: the second is exactly what is left.
  await mark(first, 'other')
  const part = await payWinner(120)
  await mark(part, 'prize')
  expect(await unpaidTokenPrizes(world.db, 1)).toBe(unitsOf(80))
  await payWinner(80)
  expect(await states()).toEqual(['paid', 'planned'])
  await mark(part, null)
  expect((await states())[0]).toBe('due')
})

test('of a transfer that is marked as a prize and more than that the rest is no prize, no refund, and told as sent elsewhere', async () => {
  await mark(await payWinner(120), 'prize')
  const big = await payWinner(300)
  await mark(big, 'prize')
  expect(await unpaidTokenPrizes(world.db, 1)).toBe(0n)
  // What is owed to him besides is as it was.
  expect(await states()).toEqual(['paid', 'planned'])
  const event = await world.event()
  const drawn = (await story.rows())[0]
  const sums = await foldUpTo(world.db, {
    ...{ event, wallets: [], upTo: await world.height(), dust: 0n },
  })
  expect(sums).toMatchObject({
    outflow: { prize: unitsOf(200), other: unitsOf(220) },
    others: [{ transactionHash: big, units: unitsOf(220), counterparty: drawn?.wallet }],
  })
  expect(sums.owed.prizes).toBe(0n)
})

test('a mark says of no transfer that it is a prize where nothing is left of that, or it was sent before the draw', async () => {
  const refused = { code: 'INVALID_VALUE', field: 'markedAs' }
  await payWinner(200)
  const part = await payWinner(120)
  await expect(mark(part, 'prize')).rejects.toMatchObject(refused)
  await world.db.execute(
    sql`update operator_transfers set block_number = (select drawn_block from prizes) where transaction_hash = ${part}`,
  )
  await expect(mark(part, 'prize')).rejects.toMatchObject(refused)
  const [transfer] = await world.db
    .select()
    .from(operatorTransfers)
    .where(eq(operatorTransfers.transactionHash, part))
  expect(transfer).toMatchObject({ markedAs: null, notRefund: false, prizePlace: null })
})

test('a reorg of the payment takes the prize back, and mined again it is paid', async () => {
  const snapshot = await rpc<string>(world.url, 'evm_snapshot')
  const first = await payWinner(200)
  const raw = await rpc(world.url, 'eth_getRawTransactionByHash', [first])
  expect(await states()).toEqual(['paid', 'planned'])
  await revertTo(world.url, snapshot)
  await world.mine(8)
  await watchRefunds(world.deps)
  expect((await story.rows())[0]?.state).toBe('due')
  expect(await world.db.select().from(operatorTransfers)).toMatchObject([{ isGone: true, prizePlace: null }])
  // It may be mined once more, so nothing else is offered to its recipient meanwhile.
  expect(await refunds.send('leftover')).toEqual([])
  await rpc(world.url, 'eth_sendRawTransaction', [raw])
  await world.mine(4)
  await watchRefunds(world.deps)
  expect((await story.rows())[0]?.state).toBe('paid')
  await refunds.settle()
  await refunds.send('leftover')
  expect(await states()).toEqual(['paid', 'settled'])
  expect((await story.shown())[0]?.steps.map(({ step }) => step)).toEqual(['drawn', 'paid'])
})
