import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { dueDraws } from '../../db/draw/facts.ts'
import { addWorkerRequest, getAnswer } from '../../db/draw/worker-requests.ts'
import { stopSale } from '../../db/event/sale.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { takeBack } from '../../db/payment/refold.ts'
import { enterRefundMode } from '../../db/refund/mode.ts'
import { draws, endings, events, owedPayments } from '../../db/schema/index.ts'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import type { Chain } from '../chain/index.ts'
import { closeSale } from '../payment/close-sale.ts'

const day = 86_400
const drawBy = drawAt + 7 * day

let world: DrawWorld
afterEach(() => world?.close())

const outcome = async () => (await world.db.select().from(endings))[0]

async function readyToDraw(options: Parameters<typeof openDrawWorld>[0] = {}): Promise<void> {
  world = await openDrawWorld(options)
  await world.toDraw()
}

/** A block at this second of the story is final and read. */
async function reach(second: number): Promise<void> {
  await world.mineAt(second)
  await world.mine(3)
  await world.scan()
}

describe('an event without an outcome', () => {
  test.each([
    ['whose draw nobody starts', null],
    ['whose draw nobody starts and that was halted', fromNow(0)],
  ])('%s is refunded seven days after its draw date, not before, and never drawn', async (_, haltedAt) => {
    await readyToDraw({ autoDraw: false })
    await world.db.update(events).set({ haltedAt })
    await reach(drawBy - 10)
    await world.draw()
    expect([await dueDraws(world.db), await outcome()]).toEqual([[], undefined])
    await reach(drawBy)
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
    expect((await world.event()).refundModeAt).toBeInstanceOf(Date)
    await world.db.update(events).set({ haltedAt: null })
    const call = await addWorkerRequest(world.db, { kind: 'draw', eventNumber: 1, waitMs: 60_000 })
    await world.draw()
    expect(await getAnswer(world.db, call)).toMatchObject({ code: 'REFUND_MODE' })
    expect([await dueDraws(world.db), await world.db.select().from(draws)]).toEqual([[], []])
  })

  test('is refunded by the clock of the database after an hour in which no block could be read', async () => {
    await readyToDraw({ autoDraw: false })
    // The chain is an hour behind: its last block lies before the deadline, the clock of the database behind it.
    const drawDate = fromNow(-7 * day - 600)
    await withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate }))
    const silent = async () => Promise.reject(new RaffleError('RPC_UNAVAILABLE', 'Nobody answers.'))
    const chain: Chain = { ...world.deps.chain, finalized: silent }
    await world.draw({ chain }).catch(() => undefined)
    expect(await outcome()).toBeUndefined()
    await world.db.execute(sql`update scan_cursor set updated_at = now() - interval '61 minutes'`)
    await world.draw({ chain })
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
  })

  test('is not refunded by a clock that jumped ahead while the chain goes on', async () => {
    await readyToDraw({ autoDraw: false })
    const drawDate = fromNow(-7 * day - 600)
    await withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate }))
    // By the clock nobody has read a block for an hour, but the chain answers, and its time lies before the deadline.
    await world.db.execute(sql`update scan_cursor set updated_at = now() - interval '61 minutes'`)
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect(await outcome()).toBeUndefined()
    const chain: Chain = {
      ...world.deps.chain,
      health: () => ({ ...world.deps.chain.health(), isStalled: true }),
    }
    await world.draw({ chain })
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
  })

  test('without a draw date ends 180 days after its first ticket, and its money can be given back', async () => {
    world = await openDrawWorld()
    await withOtherPast(world.db, (tx) =>
      tx.update(events).set({ drawDate: null, saleEnd: null, firstDrawDate: null }),
    )
    await world.sell()
    await reach(10 + 180 * day - 10)
    await world.draw()
    expect(await outcome()).toBeUndefined()
    await reach(10 + 180 * day)
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'overdue' })
    await reach(10 + 180 * day + 20)
    await closeSale(world.deps)
    expect(await world.db.select().from(owedPayments)).toHaveLength(3)
  })

  test('that sold nothing is simply over', async () => {
    world = await openDrawWorld({ autoDraw: false })
    await world.endSale()
    await reach(drawBy)
    await world.draw()
    expect([await dueDraws(world.db), await outcome()]).toEqual([[], undefined])
  })
})

test('I14 of a draw and a deadline that race, one is the outcome', async () => {
  await readyToDraw()
  const deadline = world.start + drawBy
  await Promise.allSettled([
    ...Array.from({ length: 4 }, () => enterRefundMode(world.db, 1, deadline)),
    ...Array.from({ length: 4 }, () => world.draw()),
  ])
  const rows = await world.db.select().from(endings)
  expect(rows).toHaveLength(1)
  expect(await world.db.select().from(draws)).toHaveLength(rows[0]?.kind === 'drawn' ? 1 : 0)
  expect((await world.event()).refundModeAt !== null).toBe(rows[0]?.kind === 'refunds')
  await expect(world.db.delete(endings)).rejects.toThrow()
})

describe('the cause of refund mode is stored', () => {
  test('too few tickets', async () => {
    await readyToDraw({ minTickets: 40 })
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'minimum' })
  })

  test('a sale that the operator stopped', async () => {
    world = await openDrawWorld()
    const ahead = fromNow(3_600)
    await withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate: ahead, saleEnd: ahead }))
    await world.sell()
    await world.mine(3)
    await world.scan()
    await stopSale(world.db)
    await reach(3_700)
    await closeSale(world.deps)
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'stopped' })
  })

  test('a list that turned out wrong after the draw date', async () => {
    await readyToDraw({ autoDraw: false })
    const cursor = (await getScanCursor(world.db)) as ScanCursor
    await takeBack(world.db, cursor, undefined, { text: 'a payment had been missed', isHole: true })
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'ledger' })
  })
})
