import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { dueDraws } from '../../db/draw/facts.ts'
import { lockOpenEvent } from '../../db/event/events.ts'
import { beginRefundMode, stopSale } from '../../db/event/sale.ts'
import { draws, endings, events, owedPayments } from '../../db/schema/index.ts'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import type { Chain } from '../chain/index.ts'
import { closeSale } from '../payment/second-reading.ts'

const day = 86_400
const drawBy = drawAt + 7 * day

let world: DrawWorld
afterEach(() => world?.close())

const ending = async () => (await world.db.select().from(endings))[0]

/** A block at this second of the story is final and read. */
async function reach(second: number): Promise<void> {
  await world.mineAt(second)
  await world.mine(3)
  await world.scan()
}

/** Event 1 with tickets and without a draw date. */
async function undated(): Promise<void> {
  world = await openDrawWorld()
  await withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate: null, saleEnd: null }))
  await world.sell()
}

describe('an event with a draw date', () => {
  test.each([
    ['whose draw nobody starts', null],
    ['whose draw nobody starts and that was halted', fromNow(0)],
  ])('%s is drawn by itself seven days after it, not before, and never refunded', async (_, haltedAt) => {
    world = await openDrawWorld({ autoDraw: false })
    await world.toDraw()
    await world.db.update(events).set({ haltedAt })
    await reach(drawBy - 10)
    await world.draw()
    expect([await dueDraws(world.db), await ending()]).toEqual([[], undefined])
    await reach(drawBy)
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect(await ending()).toMatchObject({ kind: 'drawn', reason: null })
    expect([await dueDraws(world.db), (await world.db.select().from(draws)).length]).toEqual([[], 1])
  })

  test('is drawn however late its list was frozen', async () => {
    world = await openDrawWorld()
    await world.sell()
    await reach(drawBy + 30 * day)
    await expect(world.draw()).rejects.toMatchObject({ code: 'NOT_FINAL' })
    expect(await ending()).toBeUndefined()
    await closeSale(world.deps)
    await world.draw()
    expect(await ending()).toMatchObject({ kind: 'drawn' })
  })

  test('that sold nothing is simply over', async () => {
    world = await openDrawWorld({ autoDraw: false })
    await world.endSale()
    await reach(drawBy)
    await world.draw()
    expect([await dueDraws(world.db), await ending()]).toEqual([[], undefined])
  })
})

describe('an event without a draw date', () => {
  test('ends 180 days after its first ticket, and its money can be given back', async () => {
    await undated()
    await reach(10 + 180 * day - 10)
    await world.draw()
    expect(await ending()).toBeUndefined()
    await reach(10 + 180 * day)
    await world.draw()
    expect(await ending()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
    await reach(10 + 180 * day + 20)
    await closeSale(world.deps)
    expect(await world.db.select().from(owedPayments)).toHaveLength(3)
  })

  test('ends by the clock of the database after an hour in which no block could be read', async () => {
    await undated()
    await reach(100)
    await withOtherPast(world.db, (tx) =>
      tx.execute(sql`update payments set block_time = block_time - interval '180 days'`),
    )
    await world.db.execute(
      sql`update cursors set block_time = block_time - interval '1 hour' where name = 'payments'`,
    )
    const silent = async () => Promise.reject(new RaffleError('RPC_UNAVAILABLE', { reason: 'chain' }))
    const chain: Chain = { ...world.deps.chain, finalized: silent }
    await world.draw({ chain })
    expect(await ending()).toBeUndefined()
    await world.db.execute(
      sql`update cursors set updated_at = now() - interval '61 minutes' where name = 'payments'`,
    )
    await world.draw({ chain })
    expect(await ending()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
  })
})

test('I14 of a draw and refunds that race, one is the ending, for good', async () => {
  world = await openDrawWorld()
  await world.toDraw()
  const refund = () =>
    world.db.transaction(async (tx) => {
      const event = (await lockOpenEvent(tx)) ?? expect.fail('no event')
      return beginRefundMode(tx, event, 'ledger')
    })
  await Promise.allSettled([0, 1, 2, 3].flatMap(() => [refund(), world.draw()]))
  const rows = await world.db.select().from(endings)
  expect(rows).toHaveLength(1)
  expect(await world.db.select().from(draws)).toHaveLength(rows[0]?.kind === 'drawn' ? 1 : 0)
  expect((await world.event()).refundModeAt !== null).toBe(rows[0]?.kind === 'refunds')
  await expect(world.db.delete(endings)).rejects.toThrow()
})

test('a sale that the operator stopped ends in refunds', async () => {
  world = await openDrawWorld()
  const ahead = fromNow(3_600)
  await withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate: ahead, saleEnd: ahead }))
  await world.sell()
  await world.mine(3)
  await world.scan()
  await stopSale(world.db)
  await reach(3_700)
  await closeSale(world.deps)
  expect(await ending()).toMatchObject({ kind: 'refunds', reason: 'stopped' })
})
