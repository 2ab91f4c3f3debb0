import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { sweep } from '../../worker/sweep.ts'
import type { Db } from '../index.ts'
import { notifications } from '../schema/index.ts'
import { removeChannel } from './channels.ts'
import { dueDeliveries, listDeliveries } from './deliveries.ts'
import { refundRowChanges } from './notices.ts'
import { noteBackupFailed } from './outside.ts'
import { dropDeliveries, dropOrphans, purgeDeliveries } from './tidy.ts'

const database = forEachTest(testDb)
let hours = 0
const happen = (db: Db) => noteBackupFailed(db, 'make', new Date(++hours * 3_600_000))
const states = async () => (await listDeliveries(database.db, {})).map(({ state }) => state)

test('what was on its way to a channel while it was removed is dropped, and not waited for', async () => {
  const { db } = database
  const [kept, removed] = [
    await addWebhook(db, 'https://a.example/'),
    await addWebhook(db, 'https://b.example/'),
  ]
  const worker = database.dbOf('worker')
  await worker.transaction(async (tx) => {
    await happen(tx)
    // The administrator cannot see the message yet.
    await database.dbOf('api').transaction(async (admin) => {
      await removeChannel(admin, removed)
      await dropDeliveries(admin, removed)
    })
  })
  expect(await states()).toEqual(['waiting', 'waiting'])
  await dropOrphans(worker)
  const left = await listDeliveries(db, {})
  expect(left.map(({ channelId, state }) => [channelId, state])).toEqual([
    [removed, 'dropped'],
    [kept, 'waiting'],
  ])
  expect(await dueDeliveries(worker, 9)).toHaveLength(1)
})

test('what was sent or dropped a season ago is forgotten, what is unsent never, and nothing is told again', async () => {
  const { db } = database
  await addWebhook(db, 'https://a.example/')
  const ways = ['sent', 'dropped', 'waiting', 'given_up', 'sent'] as const
  for (const state of ways) {
    await happen(db)
    await db.execute(sql`
      update deliveries set state = ${state}, sent_at = ${state === 'sent' ? sql`now()` : null}
      where id = (select max(id) from deliveries)`)
  }
  await db.execute(sql`alter table notifications disable trigger user`)
  await db.execute(sql`
    update notifications set at = now() - case when id = (select max(id) from notifications)
      then interval '89 days' else interval '91 days' end`)
  await db.execute(sql`alter table notifications enable trigger user`)
  const worker = database.dbOf('worker')
  await purgeDeliveries(worker)
  await purgeDeliveries(worker)
  expect(await states()).toEqual(['sent', 'given_up', 'waiting'])
  expect(await db.select().from(notifications)).toHaveLength(ways.length)
  hours -= 1
  await happen(db)
  expect(await states()).toHaveLength(3)
})

test('a sweep counts refund rows when one has changed, and not at every turn', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`insert into refund_batches (kind, event_number) values ('event', 1)`)
  const worker = database.dbOf('worker')
  const told = async () => (await db.select().from(notifications)).map(({ kind }) => kind)
  const tenMinutes = 600_000
  let now = Date.UTC(2026, 0, 1, 12)
  /** The next turn at which finished batches are looked for. */
  const turn = async () => {
    now += 10_000
    const jobs = { enqueue: async () => false, enqueueMany: async () => false }
    await sweep({ db: worker, jobs, now: () => now })
  }
  await turn()
  const before = await refundRowChanges(worker)
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into refund_rows (batch_id, payer, recipient, units, state) values (1, '0xa', '0xa', 5, 'settled')`)
    await tx.execute(sql`select pg_stat_force_next_flush()`)
  })
  await expect.poll(() => refundRowChanges(worker)).toBeGreaterThan(before)
  await turn()
  expect(await told()).toEqual(['refund_batch_done'])
  // Forgotten by force: a turn that counted would tell it again.
  await db.execute(sql`alter table notifications disable trigger user`)
  await db.execute(sql`delete from notifications`)
  await turn()
  expect(await told()).toEqual([])
  now += tenMinutes
  await turn()
  expect(await told()).toEqual(['refund_batch_done'])
})
