import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { payments } from '../schema/index.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const later = `0x${'70'.repeat(20)}` as const

/** The event is sold in another token from now on; what was paid before is on record. */
async function replaceToken(): Promise<void> {
  await trail.db.execute(sql`update events set token = ${later}`)
  await trail.watch()
  await trail.db.execute(sql`update refund_backlogs set unread_to = null`)
}

test('money in a token that the event has no more has rows of its own, which no plain transfer is offered for', async () => {
  const { token } = trail.event
  await trail.pay(alice, 200)
  await replaceToken()
  expect(await trail.db.select().from(payments)).toMatchObject([{ token }])
  await trail.pay(alice, 100)
  await trail.prepare('leftover')
  expect((await trail.rows()).map(({ row }) => row.amount)).toEqual([100, 200])
  expect(await trail.offer()).toMatchObject([{ to: alice, units: unitsOf(100) }])
  // The token of the trail's transfers is the former one: nothing of it pays the row in the new one.
  await trail.mine()
  expect((await trail.rows()).map(({ row, toSend }) => [row.amount, toSend.amount])).toEqual([
    [100, 100],
    [200, 100],
  ])
})

test('in refund mode it does not go into the batch of the event', async () => {
  await trail.pay(alice, 200)
  await replaceToken()
  await trail.pay(alice, 100)
  await trail.enterRefundMode()
  await trail.prepare('event')
  expect((await trail.rows()).map(({ row }) => row.amount)).toEqual([100])
  await trail.prepare('leftover')
  expect((await trail.rows()).map(({ row }) => row.amount)).toEqual([200, 100])
})
