import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import type { Db } from '../index.ts'
import { notifications } from '../schema/index.ts'
import { removeChannel } from './channels.ts'
import { dueDeliveries, listDeliveries } from './deliveries.ts'
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
