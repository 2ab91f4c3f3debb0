import { afterEach, expect, test } from 'vitest'
import { getOpenEvent } from '../../db/event/events.ts'
import { events, payments } from '../../db/schema/index.ts'
import { mine, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { stateNow } from '../../e2e/lab/public-state.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'

let world: DrawWorld
afterEach(() => world?.close())

const aheadBy = 60

test('with the clock of the database ahead the page does not sell, and what is paid meanwhile is on record', async () => {
  world = await openDrawWorld()
  const saleStart = new Date((world.start + aheadBy) * 1000)
  const far = daysFromNow(1)
  await withOtherPast(world.db, (tx) => tx.update(events).set({ saleStart, saleEnd: far, drawDate: far }))
  await world.mineAt(0)
  await world.mine(3)
  await world.scan()
  const before = await stateNow(world.db)
  expect(before.config.isSoon).toBe(true)
  await world.pay(1, 3_00, aheadBy - 20)
  await world.mine(3)
  await world.scan()
  expect(await world.db.select().from(payments)).toMatchObject([{ status: 'rejected', reason: 'early' }])
  expect((await getOpenEvent(world.db))?.openedAt).toBeNull()
  await setNextTime(world.url, world.start + aheadBy)
  await mine(world.url)
  await world.scan()
  const after = await stateNow(world.db)
  expect([after.config.isSoon, after.version > before.version]).toEqual([false, true])
  await world.pay(1, 3_00, aheadBy + 5)
  await world.mine(3)
  await world.scan()
  expect((await getOpenEvent(world.db))?.ticketsSold).toBe(1)
})
