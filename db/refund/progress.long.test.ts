import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { loadPublicFacts } from '../event/public.ts'
import { noteRefundProgress } from './progress.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const carol: Address = `0x${'ca'.repeat(20)}`

async function told() {
  await noteRefundProgress(trail.db)
  const found = await loadPublicFacts(trail.db)
  return { version: found?.facts.version, refunds: found?.facts.refunds }
}
const counts = async () => (await told()).refunds?.map(({ days, paid, open }) => ({ days, paid, open }))

test('the public counter begins with refund mode and is gone when everybody is paid', async () => {
  await trail.pay(alice, 600)
  await trail.pay(alice, 200)
  await trail.pay(bob, 900)
  expect(await counts()).toEqual([])
  // What was given back before refund mode is paid, though nothing has been prepared.
  await trail.prepare('leftover')
  await trail.offer()
  await trail.mine()
  await trail.enterRefundMode()
  expect((await told()).refunds).toEqual([
    { eventNumber: 1, since: expect.any(String), days: 0, paid: 0, open: 2 },
  ])
  await trail.prepare('event')
  await trail.offer()
  expect(await counts()).toEqual([{ days: 0, paid: 0, open: 2 }])
  await trail.mine()
  expect(await counts()).toEqual([])
})

test('a day that passes and a refund that arrives make a new version, and nothing else does', async () => {
  await trail.pay(alice, 600)
  await trail.pay(bob, 900)
  await trail.enterRefundMode()
  await trail.prepare('event')
  const before = await told()
  expect(await told()).toEqual(before)
  await trail.db.execute(sql`update events set refund_mode_at = now() - interval '3 days 1 hour'`)
  expect(await told()).toMatchObject({ version: (before.version ?? 0) + 1, refunds: [{ days: 3, open: 2 }] })
  trail.byHand(alice, 600)
  await trail.mine()
  expect(await told()).toMatchObject({
    version: (before.version ?? 0) + 2,
    refunds: [{ days: 3, paid: 1, open: 1 }],
  })
})

test('an archived event stays until all are paid, and comes back if one is open again', async () => {
  await trail.pay(alice, 600)
  await trail.enterRefundMode()
  await trail.prepare('event')
  const [sent] = await trail.offer()
  await trail.mine()
  expect(await counts()).toEqual([])
  await trail.db.execute(
    sql`update operator_transfers set is_gone = true where transaction_hash = ${sent?.hash ?? ''}`,
  )
  await trail.db.execute(sql`update refund_rows set state = 'planned'`)
  await trail.db.execute(sql`update events set archived_at = now()`)
  await noteRefundProgress(trail.db)
  expect(await trail.db.execute(sql`select paid, open from refund_progress`)).toMatchObject([
    { paid: 0, open: 1 },
  ])
})

test('what is too small to be sent by itself keeps nobody waiting, unless it is released', async () => {
  await trail.pay(alice, 600)
  await trail.pay(carol, 5)
  await trail.enterRefundMode()
  await trail.prepare('event')
  await trail.db.execute(sql`update refund_rows set hold = 'dust' where payer = ${carol}`)
  expect(await counts()).toEqual([{ days: 0, paid: 0, open: 1 }])
  await trail.db.execute(sql`update refund_rows set released_at = now() where payer = ${carol}`)
  expect(await counts()).toEqual([{ days: 0, paid: 0, open: 2 }])
})
