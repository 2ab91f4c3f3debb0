import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { alice, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { claimPayment } from './claims.ts'
import { scanPace } from './fold.ts'

const own = forEachTest(usedDb)
const event = forEachTest(() => openEvent(own.db))

const pace = () => scanPace(own.db)
/** As if this event had been opened so long ago. */
const openedAgo = (interval: string) =>
  withOtherPast(own.db, (tx) => tx.execute(sql`update events set sale_start = now() - ${interval}::interval`))
const setDates = (saleEnd: string, drawDate: string) =>
  withOtherPast(own.db, (tx) =>
    tx.execute(
      sql`update events set sale_end = now() + ${saleEnd}::interval, draw_date = now() + ${drawDate}::interval`,
    ),
  )

test('nothing was sold for an hour and no date is set: asleep', async () => {
  expect(await pace()).toBe('idle')
  await openedAgo('61 minutes')
  expect(await pace()).toBe('asleep')
  await setDates('1 day', '2 days')
  expect(await pace()).toBe('idle')
})

test('a ticket keeps it awake for an hour, a payment without one does not', async () => {
  await openedAgo('3 hours')
  await foldTo(own.db, event, 20, [paid(event, { block: 10, cents: 2_00 })])
  expect(await pace()).toBe('asleep')
  await foldTo(own.db, event, 30, [paid(event, { block: 25, cents: 3_00 })])
  expect(await pace()).toBe('idle')
  await own.db.execute(sql`update payments set block_time = block_time - interval '2 hours'`)
  expect(await pace()).toBe('asleep')
})

test('a buyer who has posted a hash is waited on, an invented hash for a minute', async () => {
  await openedAgo('3 hours')
  const hints = { walletAddress: alice, quantity: null, amount: null }
  await claimPayment(own.db, { transactionHash: `0x${'a1'.repeat(32)}`, ...hints })
  expect(await pace()).toBe('busy')
  await own.db.execute(sql`update claims set created_at = now() - interval '2 minutes'`)
  expect(await pace()).toBe('asleep')
  await own.db.execute(sql`update claims set status = 'confirming'`)
  expect(await pace()).toBe('busy')
})

test.each([
  ['29 seconds', '1 day', false, 'busy'],
  ['-1 hour', '1 day', false, 'busy'],
  ['-1 hour', '1 day', true, 'idle'],
  ['-1 day', '29 seconds', true, 'busy'],
  ['-1 day', '-5 minutes', true, 'busy'],
  ['-1 day', '-11 minutes', true, 'idle'],
] as const)('sale end in %s, draw in %s, frozen %s: %s', async (saleEnd, drawDate, isFrozen, expected) => {
  await setDates(saleEnd, drawDate)
  if (isFrozen)
    await own.db.execute(sql`update events set frozen_at = now(), ledger_sha256 = '0x', ledger_lines = 0`)
  expect(await pace()).toBe(expected)
})

test('in refund mode it is idle', async () => {
  await setDates('29 seconds', '1 day')
  await own.db.execute(sql`insert into endings (event_number, kind, reason) values (1, 'refunds', 'minimum')`)
  expect(await pace()).toBe('idle')
})
