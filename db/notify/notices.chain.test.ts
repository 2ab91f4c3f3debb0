import { asc, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { sweep } from '../../worker/sweep.ts'
import { createAdmin } from '../admin/admins.ts'
import { openSession } from '../admin/sessions.ts'
import { beginRefundMode } from '../event/outcome.ts'
import type { Db } from '../index.ts'
import { deliveries, notifications } from '../schema/index.ts'
import { lockChannel } from './channels.ts'
import { noteRefundsDone, noteSaleEnd } from './notices.ts'
import { noteBackupFailed } from './outside.ts'

const database = forEachTest(testDb)
const noQueue = { enqueue: async () => false, enqueueMany: async () => false }

const toldIn = async (db: Db) =>
  (await db.select().from(notifications).orderBy(asc(notifications.id))).map(
    ({ kind, eventNumber, facts }) => [kind, eventNumber, facts],
  )

test('a raffle tells of its first payment, its minimum, its end, its ledger, its anchor and its draw, each once', async () => {
  const world = await forTest(openDrawWorld())
  const { db } = world
  const channelId = await addWebhook(db, 'https://hook.example/')
  await world.sell()
  await world.endSale()
  await sweep({ db: world.deps.db, jobs: noQueue })
  await sweep({ db: world.deps.db, jobs: noQueue })
  const hash = await world.sendAnchor(await world.commitment(), { at: 210 })
  await world.reachDraw()
  await world.draw()
  await world.draw()
  const { ledgerSha256 } = await world.event()
  const told = await toldIn(db)
  expect(told.slice(0, 5)).toEqual([
    ['first_payment', 1, { ticketsSold: expect.any(Number) }],
    ['minimum_reached', 1, { minTickets: 10, ticketsSold: expect.any(Number) }],
    ['frozen', 1, { ledgerSha256, ticketsSold: 39 }],
    ['sale_ended', 1, { ticketsSold: 39 }],
    [
      'anchored',
      1,
      { transactionHash: hash, commitment: await world.commitment(), wallet: expect.any(String) },
    ],
  ])
  expect(told.slice(5)).toEqual([
    [
      'drawn',
      1,
      { ticketsSold: 39, winners: 1, winningTicket: expect.any(Number), wallet: expect.any(String) },
    ],
  ])
  expect(await db.select({ channelId: deliveries.channelId }).from(deliveries)).toEqual(
    told.map(() => ({ channelId })),
  )
})

test('what is told is one transaction with what happens: undone together', async () => {
  const { db } = database
  const event = await openEvent(db)
  await addWebhook(db, 'https://hook.example/')
  const undone = db.transaction(async (tx) => {
    await beginRefundMode(tx, event, 'stopped')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await toldIn(db)).toEqual([])
  // As the worker, which has no right to a channel or to add a delivery itself.
  await database.dbOf('worker').transaction((tx) => beginRefundMode(tx, event, 'stopped'))
  expect(await toldIn(db)).toEqual([['refund_mode', 1, { reason: 'stopped' }]])
  expect(await db.select().from(deliveries)).toHaveLength(1)
})

test('only channels that are on and have chosen it get a message', async () => {
  const { db } = database
  const event = await openEvent(db)
  const wanting = await addWebhook(db, 'https://a.example/', { events: ['refund_mode', 'halted'] })
  await addWebhook(db, 'https://b.example/', { events: ['drawn'] })
  await addWebhook(db, 'https://c.example/', { enabled: false })
  await db.transaction((tx) => beginRefundMode(tx, event, 'minimum'))
  expect(await db.select({ channel: deliveries.channelId }).from(deliveries)).toEqual([{ channel: wanting }])
})

test('every halt is told, and a cover that comes and goes once an hour', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`update events set halted_at = '2026-01-01T00:00:00Z'`)
  await db.execute(sql`update events set revision = revision + 1`)
  await db.execute(sql`update events set halted_at = null`)
  await db.execute(sql`update events set halted_at = '2026-01-02T00:00:00Z'`)
  const reckon = (state: string) =>
    db.execute(sql`
      insert into solvency (event_number, height, facts, dust, reckoned_at)
      values (1, 5, ${JSON.stringify({ state, held: '1', required: '3' })}::jsonb, 0, '2026-01-01T10:30:00Z')
      on conflict (event_number) do update set facts = excluded.facts, reckoned_at = excluded.reckoned_at`)
  for (const state of ['covered', 'short', 'short', 'unknown', 'short']) await reckon(state)
  expect(await toldIn(db)).toEqual([
    ['halted', 1, { ticketsSold: 0 }],
    ['halted', 1, { ticketsSold: 0 }],
    ['cover_short', 1, { held: '1', required: '3' }],
  ])
})

test('a login from an address that was not there in thirty days is told, an IPv6 /64 being one', async () => {
  const { db } = database
  const { id: adminId } = await createAdmin(db, { username: 'owner', passwordHash: 'x' }).then(async () => {
    const [row] = await db.execute<{ id: number }>(sql`select id from admins where username = 'owner'`)
    return row as { id: number }
  })
  const api = database.dbOf('api')
  let logins = 0
  const login = (clientAddress: string) =>
    openSession(api, { tokenHash: `token ${logins++}`, adminId, clientAddress, passwordHash: 'x' })
  for (const address of [
    '10.0.0.1',
    '10.0.0.1',
    '2001:db8:1:2::5',
    '2001:db8:1:2:9::7',
    '2001:db8:1:3::5',
    'unknown',
  ])
    expect(await login(address)).toBe(true)
  await db.execute(
    sql`update sessions set created_at = now() - interval '31 days' where client_address = '10.0.0.1'`,
  )
  await login('10.0.0.9')
  await login('10.0.0.1')
  const told = (await toldIn(db)).map(([kind, , facts]) => [kind, (facts as { address: string }).address])
  expect(told).toEqual(
    ['10.0.0.1', '2001:db8:1:2::5', '2001:db8:1:3::5', 'unknown', '10.0.0.9', '10.0.0.1'].map((address) => [
      'new_address',
      address,
    ]),
  )
})

test('a batch of refunds is done when every row but dust is settled, and again when it has grown', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`insert into refund_batches (kind, event_number) values ('event', 1)`)
  const row = (payer: string, state: string, hold: string | null = null) =>
    db.execute(sql`
      insert into refund_rows (batch_id, payer, recipient, units, state, hold)
      values (1, ${payer}, ${payer}, 5, ${state}, ${hold})`)
  await row('0xa', 'settled')
  await row('0xb', 'sent')
  await row('0xc', 'planned', 'dust')
  const worker = database.dbOf('worker')
  await noteRefundsDone(worker)
  expect(await toldIn(db)).toEqual([])
  await db.execute(sql`update refund_rows set state = 'settled' where payer = '0xb'`)
  await noteRefundsDone(worker)
  await noteRefundsDone(worker)
  await row('0xd', 'settled')
  await noteRefundsDone(worker)
  expect(await toldIn(db)).toEqual([
    ['refund_batch_done', 1, { rows: 2, units: '10' }],
    ['refund_batch_done', 1, { rows: 3, units: '15' }],
  ])
})

test('a claim is told with its place', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`
    insert into prize_steps (event_number, place, step, at, wallet) values
    (1, 2, 'drawn', now(), '0xa'), (1, 2, 'claimed', now(), '0xa')`)
  expect(await toldIn(db)).toEqual([['claimed', 1, { place: 2, wallet: '0xa' }]])
})

test('the backup service may tell that it failed, and write nothing else', async () => {
  const { db } = database
  await openEvent(db)
  await addWebhook(db, 'https://hook.example/')
  const backup = database.dbOf('backup')
  const at = new Date('2026-01-01T10:59:00Z')
  await noteBackupFailed(backup, 'make', at)
  await noteBackupFailed(backup, 'make', at)
  await noteBackupFailed(backup, 'make', new Date('2026-01-01T11:00:00Z'))
  expect(await toldIn(db)).toEqual(Array.from({ length: 2 }, () => ['backup_failed', null, { step: 'make' }]))
  expect(await db.select().from(deliveries)).toHaveLength(2)
  await expect(backup.execute(sql`delete from deliveries`)).rejects.toThrow()
  await expect(backup.execute(sql`insert into channels (name) values ('x')`)).rejects.toThrow()
})

test('a sale that was stopped is told as refund mode, and one whose end lies ahead is not told', async () => {
  const { db } = database
  await openEvent(db)
  await noteSaleEnd(database.dbOf('worker'))
  expect(await toldIn(db)).toEqual([])
})

test('what was told cannot be changed or taken back', async () => {
  const { db } = database
  await noteBackupFailed(db, 'make', new Date('2026-01-01T10:59:00Z'))
  await expect(db.execute(sql`update notifications set kind = 'drawn'`)).rejects.toThrow()
  await expect(db.execute(sql`delete from notifications`)).rejects.toThrow()
})

test('a raffle does not wait for an administrator who changes a channel', async () => {
  const { db } = database
  const event = await openEvent(db)
  const id = await addWebhook(db, 'https://hook.example/')
  const worker = database.dbOf('worker')
  await database.dbOf('api').transaction(async (admin) => {
    await lockChannel(admin, id)
    await worker.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '2s'`)
      await beginRefundMode(tx, event, 'stopped')
    })
  })
  expect(await toldIn(db)).toEqual([['refund_mode', 1, { reason: 'stopped' }]])
  expect(await db.select().from(deliveries)).toHaveLength(1)
})

test('a raffle and a login go on where nothing can be told', async () => {
  const { db } = database
  const event = await openEvent(db)
  await addWebhook(db, 'https://hook.example/')
  await createAdmin(db, { username: 'owner', passwordHash: 'x' })
  await db.execute(sql`alter table deliveries add constraint broken check (false) not valid`)
  const worker = database.dbOf('worker')
  await worker.transaction((tx) => beginRefundMode(tx, event, 'stopped'))
  await db.execute(sql`update events set halted_at = now()`)
  const [{ id: adminId } = { id: 0 }] = await db.execute<{ id: number }>(sql`select id from admins`)
  const session = { tokenHash: 'x', adminId, clientAddress: '10.0.0.1', passwordHash: 'x' }
  expect(await openSession(database.dbOf('api'), session)).toBe(true)
  expect(await db.execute(sql`select kind from outcomes`)).toMatchObject([{ kind: 'refund' }])
  expect(await toldIn(db)).toEqual([])
})
