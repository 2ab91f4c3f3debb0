import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { alice, envTerms, foldTo, operator } from '../../e2e/lab/ledger-story.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { until } from '../../e2e/lab/until.ts'
import { offerRefunds } from '../refund/offers.ts'
import { payments } from '../schema/index.ts'
import { applyEnvironment } from './environment.ts'
import { getOpenEvent } from './events.ts'

let own: TestDb
beforeEach(async () => {
  own = await testDb()
})
afterEach(() => own.close())

test('a refund that is handed out while the price changes stays a refund: its payment gets no ticket besides', async () => {
  const trail = await RefundTrail.open(own)
  const payment = await trail.pay(alice, 2_00)
  await trail.prepare('leftover')
  const ids = (await trail.rows()).map(({ row }) => row.id)
  const isWaiting = () =>
    own.db.execute(sql`select 1 from pg_locks where not granted`).then(({ length }) => length > 0)
  const { changing } = await own.db.transaction(async (tx) => {
    await offerRefunds(tx, { ids, wallet: operator, nonce: 0, transactions: 1 })
    const changing = applyEnvironment(own.db, { ...envTerms, ticketPrice: 10n ** 18n }, undefined)
    await until(isWaiting, 'the change waits')
    return { changing }
  })
  await changing
  await foldTo(own.db, trail.event, trail.height, [payment])
  expect(await own.db.select().from(payments)).toMatchObject([{ reason: 'underpaid', ticketCount: 0 }])
  expect((await getOpenEvent(own.db))?.ticketsSold).toBe(0)
})
