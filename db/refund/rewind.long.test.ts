import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { oweTwoPayers, rowsOf } from '../../e2e/lab/two-payers.ts'
import { reconcile } from './reconcile.ts'
import { getWatchCursor, rewindWatch, type WatchCursor } from './watch.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
beforeEach(() => oweTwoPayers(trail))
const { rowOf, transfers, call } = rowsOf(trail)

test('a payment of the register that was never offered for its row settles it again after a reorg', async () => {
  await noteEntry(trail.db, 'paid', {
    ...{ wallet: operator, debtor: bob, cents: 100, token: trail.event.token },
  })
  await trail.db.transaction((tx) => reconcile(tx, [bob]))
  expect(await rowOf(bob)).toMatchObject({ state: 'settled', offeredAt: null })
  const cursor = (await getWatchCursor(trail.db)) as WatchCursor
  expect(await rewindWatch(trail.db, cursor, cursor)).toBe(1)
  await trail.watch()
  expect(await rowOf(bob)).toMatchObject({ state: 'sent', offeredWallet: operator })
  expect(await transfers(operator, bob, 0)).toBe(0)
  await trail.db.execute(sql`update operator_transfers set is_gone = false`)
  await trail.db.execute(sql`update register_entries set is_gone = false`)
  await trail.watch()
  expect(await rowOf(bob)).toMatchObject({ state: 'settled', offeredAt: null })
})

test('one that a reorg took for good is called for again at once', async () => {
  await noteEntry(trail.db, 'paid', {
    ...{ wallet: operator, debtor: bob, cents: 100, token: trail.event.token },
  })
  await trail.db.transaction((tx) => reconcile(tx, [bob]))
  const cursor = (await getWatchCursor(trail.db)) as WatchCursor
  await rewindWatch(trail.db, cursor, cursor)
  await trail.watch()
  expect((await call(operator, bob)).register?.debtors).toMatchObject([{ total: `${unitsOf(100)}` }])
})
