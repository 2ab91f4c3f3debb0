import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { beginRefundMode } from '../../db/event/sale.ts'
import { updateEvent } from '../../db/event/update.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { inFuture, rules } from '../../e2e/lab/event-form.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const admin = forEachTest(() => openAdminSession())
const shut = (since: string | null) =>
  admin.db.execute(sql`update house set shut_since = ${since}::timestamptz, version = version + 1`)
const codeOf = async (call: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await call
  return body.code ?? status
}

test('after a restore each door is shut, and opens again; what was paid is credited all the same', async () => {
  const { db, event, ask, deps } = admin
  const purchase = () => ask('POST', '/api/tickets/purchase', { transactionHash: `0x${'ab'.repeat(32)}` })
  const doors = () =>
    Promise.all([
      codeOf(purchase()),
      codeOf(ask('PATCH', '/api/admin/raffle/config', { drawDate: inFuture(3_600).toISOString() })),
      codeOf(ask('POST', '/api/admin/raffle/open-next', { version: 1 })),
      codeOf(ask('POST', '/api/admin/blockchain/draw')),
      codeOf(
        ask('POST', '/api/admin/raffle/execute-refund', { refundInfo: { totalTickets: 0, totalAmount: 0 } }),
      ),
    ])
  await shut('2026-01-01')
  await deps.state.refresh()
  expect((await ask('GET', '/api/raffle/config')).body.salesPaused).toBe(true)
  expect(await doors()).toEqual(Array(5).fill('HOUSE_SHUT'))
  await foldTo(db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
  expect((await ask('GET', '/api/raffle/stats')).status).toBe(200)
  await shut(null)
  await deps.state.refresh()
  const [sale, date, next, draw, refund] = await doors()
  expect([sale, date]).toEqual([202, 200])
  expect([next, draw, refund]).not.toContain('HOUSE_SHUT')
})

test('after a restore no list is frozen and no event ends', async () => {
  const { db, event } = admin
  await updateEvent(db, { drawDate: inFuture(60) }, rules)
  await db.update(events).set({ saleStart: inFuture(-30), drawDate: inFuture(9), saleEnd: inFuture(-1) })
  await foldTo(db, event, 15, [paid(event, { block: 1, cents: 3_00 })])
  await shut('2026-01-01')
  expect(await freezeLedger(db)).toBeUndefined()
  await expect(beginRefundMode(db, event, 'stopped')).rejects.toMatchObject({ code: 'HOUSE_SHUT' })
  await shut(null)
  expect(await freezeLedger(db)).toMatchObject({ eventNumber: 1 })
})
