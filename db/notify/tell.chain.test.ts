import { asc, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toldActions } from '../../core/notify/kinds.ts'
import { noteBackupFailed, noteBackupMade } from '../../e2e/lab/backup-notes.ts'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { createAdmin } from '../admin/admins.ts'
import { openSession } from '../admin/sessions.ts'
import { stopNow } from '../event/sale.ts'
import type { Db } from '../index.ts'
import { deliveries, notifications, prizeActs } from '../schema/index.ts'
import { removeChannel, tell, tellAudited, tellWrongCode } from './tell.ts'

const database = forEachTest(usedDb)

const toldIn = async (db: Db) =>
  (await db.select().from(notifications).orderBy(asc(notifications.id))).map(
    ({ kind, eventNumber, facts }) => [kind, eventNumber, facts],
  )
const receivers = async () =>
  (await database.db.select().from(deliveries).orderBy(asc(deliveries.id))).map(({ channelId }) => channelId)

test('a draw is told once, to every channel', async () => {
  const world = await forTest(openDrawWorld())
  const channelId = await addWebhook(world.db, 'https://hook.example/')
  await world.sell()
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  await world.draw()
  expect(await toldIn(world.db)).toEqual([
    ['drawn', 1, { ticketsSold: '39', winningTicket: expect.stringMatching(/^\d+$/) }],
  ])
  expect(await world.db.select({ channelId: deliveries.channelId }).from(deliveries)).toEqual([{ channelId }])
})

test('what is told is one transaction with what happens, and is never changed', async () => {
  const { db } = database
  const event = await openEvent(db)
  await addWebhook(db, 'https://hook.example/')
  const undone = db.transaction(async (tx) => {
    await stopNow(tx, event)
    await tell(tx, 'wallet_changed', {})
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect([await toldIn(db), await receivers()]).toEqual([[], []])
  // As the worker, which has no right to a channel or to add a delivery itself.
  await database.dbOf('worker').transaction((tx) => stopNow(tx, event))
  expect(await toldIn(db)).toEqual([['refund_mode', 1, { reason: 'stopped' }]])
  expect(await receivers()).toHaveLength(1)
  await expect(db.execute(sql`update notifications set kind = 'drawn'`)).rejects.toThrow()
  await expect(db.execute(sql`delete from notifications`)).rejects.toThrow()
})

test('each trouble is told when it begins, and once: halts, terms, nodes, cover, claims', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`update events set halted_at = '2026-01-01T00:00:00Z'`)
  await db.execute(sql`update events set revision = revision + 1`)
  await db.execute(sql`update events set halted_at = null`)
  await db.execute(sql`update events set halted_at = '2026-01-02T00:00:00Z'`)
  await db.execute(sql`insert into changes (event_number, field) values (1, 'terms'), (1, 'winners')`)
  for (const state of ['waiting', 'paused', 'paused'])
    await db.execute(
      sql`update reports set state = ${state}, since = '2026-01-01T00:00:00Z' where name = 'nodes'`,
    )
  const sums = { held: `${10n ** 21n}`, required: `${2n * 10n ** 21n}` }
  const read = (state: string, at: string, since: string) =>
    db.execute(sql`
      insert into reports (name, state, since, at, facts)
      values ('solvency', ${state}, ${`2026-01-01T${since}Z`}, ${`2026-01-01T${at}Z`}, ${JSON.stringify(sums)}::text::jsonb)
      on conflict (name) do update set state = excluded.state, since = excluded.since, at = excluded.at`)
  await read('covered', '12:00:00', '10:00:00')
  await read('short', '12:09:59', '12:00:00')
  for (const at of ['12:30:00', '12:40:00', '12:50:00']) await read('short', at, '12:30:00')
  await read('unknown', '13:00:00', '12:50:00')
  const word = {
    eventNumber: 1,
    act: 'claimed',
    place: 2,
    wallet: '0xa',
    message: '',
    signature: '0x',
    proof: 'personal',
  } as const
  for (const nonce of ['1', '2']) await db.insert(prizeActs).values({ ...word, nonce, at: new Date(0) })
  expect(await toldIn(db)).toEqual([
    ['payments_trouble', 1, { reason: 'halted', ticketsSold: '0' }],
    ['payments_trouble', 1, { reason: 'halted', ticketsSold: '0' }],
    ['payments_trouble', 1, { reason: 'terms_taken_back' }],
    ['endpoints', null, {}],
    ['cover_short', null, { state: 'short', ...sums }],
    ['cover_short', null, { state: 'unknown', ...sums }],
    ['claimed', 1, { place: '2', wallet: '0xa' }],
  ])
})

test('every action of the table is told, with who did it and what it changed; one that changed nothing of it is not', async () => {
  const { db } = database
  for (const { action, kind, field } of toldActions) {
    await db.transaction(async (tx) => {
      const row = { actor: 'owner', action, clientAddress: '10.0.0.1' }
      const values = { name: 'Phone', ...(field && { [field]: ['a', 'b'] }) }
      await tellAudited(tx, { ...row, before: { ...values, ...(field && { [field]: null }) }, after: values })
      if (field) await tellAudited(tx, { ...row, before: values, after: values })
    })
    const facts = { username: 'owner', address: '10.0.0.1', action }
    const what = field ? { before: '', after: 'a, b' } : { about: 'Phone' }
    expect((await toldIn(db)).at(-1)).toEqual([kind, null, { ...facts, ...what }])
  }
  await tellAudited(db, { actor: 'owner', action: 'language' })
  expect(await toldIn(db)).toHaveLength(toldActions.length)
})

test('a login from a browser that was not there in thirty days is told; a program is known by its address', async () => {
  const { db } = database
  await createAdmin(db, { username: 'owner', passwordHash: 'x' })
  const [{ id: adminId } = { id: 0 }] = await db.execute<{ id: number }>(sql`select id from admins`)
  const api = database.dbOf('api')
  let logins = 0
  const login = (clientAddress: string, browserHash?: string) =>
    openSession(api, {
      tokenHash: `token ${logins++}`,
      adminId,
      clientAddress,
      passwordHash: 'x',
      browserHash,
    })
  await login('10.0.0.1', 'laptop')
  await login('10.0.0.2', 'laptop')
  await login('10.0.0.1', 'phone')
  await login('10.0.0.1')
  await login('10.0.0.1')
  await login('10.0.0.3')
  await db.execute(
    sql`update sessions set created_at = now() - interval '31 days' where browser_hash = 'phone'`,
  )
  await login('10.0.0.1', 'laptop')
  await login('10.0.0.4', 'phone')
  const told = (await toldIn(db)).map(([kind, , facts]) => [kind, (facts as { address: string }).address])
  expect(told).toEqual(['1', '1', '1', '3', '4'].map((last) => ['new_browser', `10.0.0.${last}`]))
})

test('wrong codes of an administrator are told once an hour', async () => {
  const { db } = database
  for (const at of ['10:00', '10:59', '11:00'])
    await tellWrongCode(db, 'owner', new Date(`2026-01-01T${at}:00Z`))
  await tellWrongCode(db, 'second', new Date('2026-01-01T11:00:00Z'))
  expect((await toldIn(db)).map(([, , facts]) => facts)).toEqual(
    ['owner', 'owner', 'second'].map((username) => ({ username })),
  )
})

test('a channel is told of its own removal and of nothing after it', async () => {
  const { db } = database
  const [gone, left] = [
    await addWebhook(db, 'https://a.example/'),
    await addWebhook(db, 'https://b.example/'),
  ]
  await database.dbOf('api').transaction(async (tx) => {
    expect(await removeChannel(tx, gone)).toBe('of this test')
    await tellAudited(tx, { actor: 'thief', action: 'channel.remove', before: { name: 'of this test' } })
  })
  await tell(db, 'wallet_changed', {})
  expect(await receivers()).toEqual([gone, left, left])
  expect(await removeChannel(db, gone)).toBeUndefined()
})

test('the backup service may tell that it failed, and write nothing else; that there is one is told to nobody', async () => {
  const { db } = database
  await addWebhook(db, 'https://hook.example/')
  const backup = database.dbOf('backup')
  for (const at of ['10:59', '10:59', '11:00'])
    await noteBackupFailed(backup, 'make', new Date(`2026-01-01T${at}:00Z`))
  await noteBackupMade(backup, { name: 'x', at: '2026-01-01T11:00:00Z', isOffSite: true })
  expect(await receivers()).toHaveLength(2)
  await expect(backup.execute(sql`delete from deliveries`)).rejects.toThrow()
  await expect(backup.execute(sql`insert into channels (name) values ('x')`)).rejects.toThrow()
  // Said before it happens, it would not be said when it does.
  await expect(tell(backup, 'drawn', {}, '1')).rejects.toThrow()
})

test('a raffle and a login go on where nothing can be told', async () => {
  const { db } = database
  const event = await openEvent(db)
  await addWebhook(db, 'https://hook.example/')
  await createAdmin(db, { username: 'owner', passwordHash: 'x' })
  await db.execute(sql`alter table deliveries add constraint broken check (false) not valid`)
  await database.dbOf('worker').transaction((tx) => stopNow(tx, event))
  await db.execute(sql`update events set halted_at = now()`)
  const [{ id: adminId } = { id: 0 }] = await db.execute<{ id: number }>(sql`select id from admins`)
  const session = { tokenHash: 'x', adminId, clientAddress: '10.0.0.1', passwordHash: 'x' }
  expect(await openSession(database.dbOf('api'), session)).toBe(true)
  expect(await toldIn(db)).toEqual([])
})
