import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { parseEnv } from '../../core/server/env.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { updateEvent } from '../../db/event/update.ts'
import { loadSolvency, solvencyPast } from '../../db/flows/solvency.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { events, operatorWallets, walletOpenings } from '../../db/schema/index.ts'
import { refundsOf } from '../../e2e/lab/draw-refunds.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { told } from '../../e2e/lab/money.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { mintData, transferData } from '../../e2e/lab/usdt.ts'
import { prepareRefunds } from '../refund/prepare.ts'
import { watchRefunds } from '../refund/watch.ts'
import { reckon } from './reckon.ts'

const world = forEachTest(() => openDrawWorld({ minTickets: 10 }))
const refundMinUnits = unitsOf(10)

/** The wallet has signed before the first block, and is opened in it. */
async function opened() {
  const [wallet] = await world.db.select().from(operatorWallets)
  const since = wallet?.since as Date
  await withOtherPast(world.db, (tx) =>
    tx.update(operatorWallets).set({ ownSince: since, provenSince: since }),
  )
  await world.mineAt(0)
  await world.send(0, mintData(world.accounts[0] as Address, unitsOf(50_00)))
  return settle()
}
async function settle() {
  await world.mine(3)
  await world.scan()
  await watchRefunds(world.deps)
  await reckon({ ...world.deps, refundMinUnits })
  const event = await getOpenEvent(world.db)
  return loadSolvency(world.db, event as NonNullable<typeof event>)
}

test('what bought tickets is owed until the draw; what had no ticket is owed in the next event as well', async () => {
  await opened()
  await world.pay(4, 2_00, 5)
  await world.sell()
  const sold = await settle()
  expect(sold).toMatchObject({ owed: { leftovers: told(2_00), credited: told(117_50) }, state: 'covered' })
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  const drawn = await settle()
  expect(drawn).toMatchObject({
    held: sold.held,
    required: told(2_00),
    owed: { credited: '0' },
    equation: 'holds',
  })
  const first = await solvencyPast(world.db, { number: 1 })
  expect(first.points.length).toBeGreaterThanOrEqual(4)

  await withOtherPast(world.db, (tx) =>
    tx.execute(sql`update draws set drawn_at = drawn_at - interval '1 minute'`),
  )
  const rules = { terms: { ...parseEnv({}), operatorWallet: undefined }, pinnedWallet: undefined }
  await updateEvent(world.db, { drawDate: new Date(Date.now() + 7 * 86_400_000) }, rules)
  const next = await settle()
  expect(next).toMatchObject({
    ...{ eventNumber: 2, held: drawn.held, required: told(2_00), state: 'covered', equation: 'holds' },
    ...{ lowest: null, others: [], outflow: { refund: '0', other: '0' } },
  })
  expect(await world.db.select().from(walletOpenings)).toHaveLength(1)
  expect(await solvencyPast(world.db, { number: 1 })).toEqual(first)
})

test('a token prize is owed from its promise on where it is more than was credited, and until a transfer has paid it', async () => {
  await withOtherPast(world.db, (tx) =>
    tx.update(events).set({ prizes: [{ kind: 'token', units: `${unitsOf(20_00)}` }] }),
  )
  expect(await opened()).toMatchObject({
    required: told(20_00),
    owed: { credited: '0', prizes: told(20_00) },
  })
  await world.sell()
  expect(await settle()).toMatchObject({ owed: { credited: told(117_50), prizes: '0' } })
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  const drawn = await settle()
  expect(drawn).toMatchObject({ required: told(20_00), owed: { credited: '0', prizes: told(20_00) } })
  const [won] = await prizesOf(world).rows()
  await world.send(0, transferData(won?.wallet as Address, unitsOf(20_00)))
  expect(await settle()).toMatchObject({
    ...{ required: '0', outflow: { prize: told(20_00), refund: '0', other: '0' }, others: [] },
    ...{ cover: drawn.cover, equation: 'holds' },
  })
})

test('in refund mode what is owed is what the desk still has to send, to the unit, after each refund', async () => {
  const refunds = refundsOf(world)
  await opened()
  await world.pay(4, 2_00, 5)
  await world.pay(1, 9_00, 10)
  await world.pay(2, 3_50, 20)
  await world.pay(1, 1_00, 25)
  await settle()
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  await refunds.prepare('event')
  await prepareRefunds({ ...world.deps, refundMinUnits }, {})
  const due = async () =>
    (await listRefundRows(world.db, { kind: 'event', eventNumber: 1 })).reduce(
      (sum, { toSend }) => sum + BigInt(toSend.units),
      0n,
    )
  const before = await settle()
  expect(before).toMatchObject({ required: `${await due()}`, equation: 'holds' })
  expect(before.required).toBe(told(15_50))
  // By hand: a part to one payer, and more than is owed to another.
  await world.send(0, transferData(world.accounts[1] as Address, unitsOf(4_00)))
  await world.send(0, transferData(world.accounts[4] as Address, unitsOf(5_00)))
  await refunds.settle()
  const part = await settle()
  expect(part.required).toBe(`${await due()}`)
  await refunds.send('event')
  const after = await settle()
  expect(after.required).toBe(`${await due()}`)
  expect(BigInt(after.outflow.refund)).toBeGreaterThan(0n)
})
