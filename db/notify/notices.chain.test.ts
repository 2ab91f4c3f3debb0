import { asc, sql } from 'drizzle-orm'
import { type Address, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { alice, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'
import { sweep } from '../../worker/sweep.ts'
import { createAdmin } from '../admin/admins.ts'
import { openSession } from '../admin/sessions.ts'
import { beginRefundMode } from '../event/outcome.ts'
import type { Db } from '../index.ts'
import { deliveries, notifications, prizeClaims, registerPayments } from '../schema/index.ts'
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
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
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

test('every halt is told, and once for each time what is held is too little, or unknown, for ten minutes', async () => {
  const { db } = database
  await openEvent(db)
  await db.execute(sql`update events set halted_at = '2026-01-01T00:00:00Z'`)
  await db.execute(sql`update events set revision = revision + 1`)
  await db.execute(sql`update events set halted_at = null`)
  await db.execute(sql`update events set halted_at = '2026-01-02T00:00:00Z'`)
  const told = { held: `${10n ** 21n}`, required: `${2n * 10n ** 21n}` }
  const read = (state: string, at: string, since: string) =>
    db.execute(sql`
      insert into solvency (id, state, since, read_at, height, block_time, held, required)
      values (1, ${state}, ${`2026-01-01T${since}Z`}, ${`2026-01-01T${at}Z`}, 5, now(), ${told.held}, ${told.required})
      on conflict (id) do update set state = excluded.state, since = excluded.since, read_at = excluded.read_at`)
  await read('covered', '12:00:00', '10:00:00')
  await read('short', '12:09:59', '12:00:00')
  await read('covered', '12:20:00', '12:10:00')
  for (const at of ['12:30:00', '12:40:00', '12:50:00']) await read('short', at, '12:30:00')
  await read('unknown', '13:00:00', '12:50:00')
  expect(await toldIn(db)).toEqual([
    ['halted', 1, { ticketsSold: 0 }],
    ['halted', 1, { ticketsSold: 0 }],
    ['cover_short', null, { state: 'short', ...told }],
    ['cover_short', null, { state: 'unknown', ...told }],
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

test('that all of an event is paid back is told once, when nobody with a ticket is owed anything', async () => {
  const { db } = database
  const event = await openEvent(db)
  const dust = paid(event, { block: 3, cents: 1, payer: `0x${'d0'.repeat(20)}` })
  await foldTo(db, event, 5, [
    paid(event, { block: 1, cents: 3_00 }),
    paid(event, { block: 2, cents: 6_00, payer: bob }),
    dust,
  ])
  await db.transaction((tx) => beginRefundMode(tx, event, 'minimum'))
  const worker = database.dbOf('worker')
  const pay = (debtor: Address, units: bigint) =>
    worker.insert(registerPayments).values({
      ...{
        transactionHash: keccak256(debtor),
        wallet: operator,
        debtor,
        token: event.token,
        units,
        total: units,
      },
      ...{ blockNumber: 9n, blockHash: keccak256('0x09'), blockTime: event.saleStart },
      ...{ transactionIndex: 0, firstLogIndex: 0 },
    })
  const done = async () => (await toldIn(db)).filter(([kind]) => kind === 'refunds_done')
  await pay(alice, unitsOf(3_00))
  await noteRefundsDone(worker)
  expect(await done()).toEqual([])
  await pay(bob, unitsOf(6_00))
  await noteRefundsDone(worker)
  await noteRefundsDone(worker)
  expect(await done()).toEqual([['refunds_done', 1, { payers: 2, units: `${unitsOf(9_00)}` }]])
})

test('a claim is told with its place', async () => {
  const { db } = database
  await openEvent(db)
  const word = {
    eventNumber: 1,
    place: 2,
    wallet: '0xa',
    message: '',
    signature: '0x',
    proof: 'personal',
  } as const
  // Told once, however often he claims.
  for (const nonce of ['1', '2']) await db.insert(prizeClaims).values({ ...word, nonce, at: new Date(0) })
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
  expect(await db.execute(sql`select kind from endings`)).toMatchObject([{ kind: 'refunds' }])
  expect(await toldIn(db)).toEqual([])
})
