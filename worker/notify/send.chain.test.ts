import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { noticeKinds, retryAfterSeconds } from '../../core/notify/kinds.ts'
import { readClock } from '../../db/clock.ts'
import { addChannel } from '../../db/notify/channels.ts'
import {
  addTest,
  dueDeliveries,
  listDeliveries,
  oldestUnsentSeconds,
  retryDelivery,
} from '../../db/notify/deliveries.ts'
import { noteBackupFailed } from '../../db/notify/outside.ts'
import { notifications } from '../../db/schema/index.ts'
import { addWebhook, channelBox } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { forEachTest, forFile, forTest } from '../../e2e/lab/opened.ts'
import { makeCertificate, startReceiver } from '../../e2e/lab/receivers.ts'
import { until } from '../../e2e/lab/until.ts'
import type { Deps } from '../deps.ts'
import { watchRefunds } from '../refund/refunds.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { type SendDeps, sendNotification } from './send.ts'

const tls = makeCertificate(['hook.example'])
const receiver = await forFile(startReceiver(tls))
const database = forEachTest(testDb)
/** Of whoever sends: nothing times out before the test lets it. */
let clock: HandClock
beforeEach(() => {
  clock = handClock()
})
const url = `https://hook.example:${receiver.port}/`

const sending = (change: Partial<SendDeps> = {}): SendDeps => ({
  db: database.dbOf('worker'),
  log: pino({ level: 'silent' }),
  box: channelBox,
  siteUrl: undefined,
  reach: { isLocal: true, ca: tls.cert, resolve: async () => ['127.0.0.1'], clock },
  ...change,
})
const answering = (status: number) => {
  receiver.received.length = 0
  receiver.answer = (_, response) => response.writeHead(status).end()
}
let hours = 0
/** Something that is told, each time anew. */
const happen = async () => {
  hours += 1
  await noteBackupFailed(database.db, 'make', new Date(hours * 3_600_000))
}
/** As if so much time had passed for every row. */
const pass = (seconds: number) =>
  database.db.execute(sql`
    update deliveries set next_try_at = next_try_at - ${`${seconds} seconds`}::interval,
      first_tried_at = first_tried_at - ${`${seconds} seconds`}::interval`)
/** One turn of a worker without a queue. */
const turn = (deps = sending()) =>
  enqueueDeliveries({ db: deps.db, jobs: { enqueueMany: async () => false } }, (id) =>
    sendNotification(deps, { id }),
  )
const rows = () => listDeliveries(database.db, {})
const keys = async () =>
  (await database.db.select({ key: notifications.key }).from(notifications)).map((n) => n.key)

test('a message that was received is not sent again, by however many workers', async () => {
  answering(200)
  await addWebhook(database.db, url)
  await happen()
  const [id = 0] = await dueDeliveries(database.db, 9)
  await Promise.all(Array.from({ length: 8 }, () => sendNotification(sending(), { id })))
  await turn()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(await keys())
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, problem: null, nextTryAt: null }])
})

test('Q8: a receiver that fails is tried after 1, 2, 4 seconds and so on, an hour at most, for three days, then given up', async () => {
  expect([1, 2, 3, 12, 13, 500].map(retryAfterSeconds)).toEqual([1, 2, 4, 2_048, 3_600, 3_600])
  answering(500)
  await addWebhook(database.db, url)
  await happen()
  let waited = 0
  for (;;) {
    const before = await readClock(database.db)
    await turn()
    const [row] = await database.db.execute<{ state: string; next: string; attempts: number }>(
      sql`select state, extract(epoch from next_try_at) as next, attempts from deliveries`,
    )
    if (row?.state !== 'waiting') break
    const wait = retryAfterSeconds(row.attempts)
    expect(Number(row.next) - wait).toBeGreaterThanOrEqual(before)
    expect(Number(row.next) - wait).toBeLessThanOrEqual(await readClock(database.db))
    // The hours of two and a half days are all alike.
    const more = row.attempts === 14 ? 60 * 3_600 : 0
    waited += wait + more
    await pass(wait + more + 0.001)
  }
  expect(waited).toBeGreaterThanOrEqual(3 * 86_400)
  expect(waited).toBeLessThan(3 * 86_400 + 3_600)
  expect(await rows()).toMatchObject([{ state: 'given_up', problem: 'status_5xx' }])
  await pass(86_400)
  const before = receiver.received.length
  await turn()
  expect(receiver.received).toHaveLength(before)
  // Told again: an administrator has mended the receiver.
  answering(200)
  const [{ id } = { id: 0 }] = await rows()
  expect(await retryDelivery(database.dbOf('api'), id)).toBe(true)
  await turn()
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1 }])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(await keys()),
  )
  expect(await retryDelivery(database.dbOf('api'), id)).toBe(false)
})

test('I41: wherever a worker dies, the message arrives, and every copy has the same key', async () => {
  answering(200)
  await addWebhook(database.db, url)
  await happen()
  for (let step = 0; step < 6; step++) {
    await database.db.execute(
      sql`update deliveries set state = 'waiting', sent_at = null, next_try_at = now() - interval '1 second'`,
    )
    const [id = 0] = await dueDeliveries(database.db, 9)
    const dying = killedAt({ ...sending(), chain: {} } as unknown as Deps, step)
    await sendNotification({ ...sending(), db: dying.db }, { id }).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    await turn()
    const isHeld = (await rows())[0]?.state === 'waiting'
    // Nobody else sends it while the dead worker could still be at it; then another one does.
    if (isHeld) await pass(31)
    await turn()
    expect([step, (await rows())[0]?.state]).toEqual([step, 'sent'])
  }
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBeGreaterThan(6)
  expect([...new Set(ids)]).toEqual(await keys())
})

test('Q8: one receiver that hangs does not keep messages from another', async () => {
  receiver.received.length = 0
  receiver.answer = ({ path }, response) => {
    if (path === '/quick') response.end()
  }
  await addWebhook(database.db, `${url}hangs`)
  await addWebhook(database.db, `${url}quick`)
  await happen()
  const sent = turn()
  await until(async () => (await rows()).some(({ state }) => state === 'sent'), 'the other message')
  clock.advance(5_000)
  await sent
  expect((await rows()).map(({ state, problem }) => [state, problem])).toEqual([
    ['sent', null],
    ['waiting', 'timeout'],
  ])
})

test('a receiver that hangs keeps three sends busy and no more, and its messages go on when it answers', async () => {
  receiver.received.length = 0
  receiver.answer = ({ path }, response) => {
    if (path === '/quick') response.end()
  }
  await addWebhook(database.db, `${url}hangs`)
  await addWebhook(database.db, `${url}quick`)
  for (let n = 0; n < 6; n++) await happen()
  const hanging = turn()
  const sent = async () => (await rows()).filter(({ state }) => state === 'sent').length
  await until(async () => (await sent()) === 3, 'three messages received')
  // The three that hang are being sent, so only the other channel has more.
  await turn()
  expect(receiver.received.map(({ path }) => path).sort()).toEqual([
    ...Array.from({ length: 3 }, () => '/hangs'),
    ...Array.from({ length: 6 }, () => '/quick'),
  ])
  answering(200)
  clock.advance(5_000)
  await hanging
  await pass(2)
  for (let n = 0; n < 3; n++) await turn()
  expect((await rows()).map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'sent'))
})

test('without SECRET_KEY, or with another, a message waits and says why', async () => {
  answering(200)
  await addWebhook(database.db, url)
  await happen()
  await turn(sending({ box: undefined }))
  expect(await rows()).toMatchObject([{ state: 'waiting', problem: 'secret_unreadable' }])
  expect(receiver.received).toEqual([])
  await pass(2)
  await turn()
  expect(await rows()).toMatchObject([{ state: 'sent', problem: null }])
})

test('a disabled channel keeps what waits, and is not counted as late', async () => {
  answering(200)
  const id = await addWebhook(database.db, url)
  await happen()
  await database.db.execute(sql`alter table notifications disable trigger user`)
  await database.db.execute(sql`update notifications set at = now() - interval '1 hour'`)
  expect(await oldestUnsentSeconds(database.db)).toBeGreaterThan(3_599)
  await database.db.execute(sql`update channels set enabled = false where id = ${id}`)
  expect(await oldestUnsentSeconds(database.db)).toBe(0)
  await turn()
  expect(receiver.received).toEqual([])
  await database.db.execute(sql`update channels set enabled = true where id = ${id}`)
  await turn()
  expect(receiver.received).toHaveLength(1)
})

test('a test is tried once', async () => {
  answering(500)
  const id = await addWebhook(database.db, url, { events: [] })
  const delivery = await addTest(database.dbOf('api'), id)
  await sendNotification(sending(), { id: delivery })
  expect(await rows()).toMatchObject([
    { kind: 'test', state: 'given_up', problem: 'status_5xx', attempts: 1 },
  ])
})

test('every kind of message goes to Telegram in the channel’s language, and holds no token', async () => {
  answering(200)
  const token = `123456:${'T'.repeat(35)}`
  await addChannel(
    database.db,
    {
      ...{ kind: 'telegram', name: 'chat', language: 'ko', settings: { chatId: '5' } },
      ...{ events: [...noticeKinds], enabled: true },
    },
    (id) => channelBox.seal(Buffer.from(token), `channel ${id}`),
  )
  const facts = {
    ...{
      ticketsSold: 39,
      minTickets: 10,
      winningTicket: 4,
      winners: 2,
      place: 1,
      rows: 7,
      reason: 'minimum',
    },
    ...{ units: `${10n ** 19n}`, held: '0', required: `${10n ** 18n}`, step: 'send', username: 'owner' },
    ...{ address: '10.0.0.1', ledgerSha256: '0xab', transactionHash: '0xcd', wallet: '0xef' },
  }
  for (const kind of noticeKinds)
    await database.db.insert(notifications).values({ kind, subject: 'x', eventNumber: 3, facts })
  const deps = sending({ reach: { ...sending().reach, base: url.slice(0, -1) } })
  while ((await dueDeliveries(database.db, 1)).length > 0) await turn(deps)
  expect(receiver.received).toHaveLength(noticeKinds.length)
  for (const { body, path } of receiver.received) {
    expect(path).toBe(`/bot${token}/sendMessage`)
    const { text } = JSON.parse(body) as { text: string }
    expect(text).toMatch(/^이벤트 3회: .+\n.+/)
    expect(text).not.toMatch(/undefined|NaN|TTTT/)
  }
})

test('an anchor is good news where it is the terms or the frozen list, and a warning where it is anything else', async () => {
  answering(200)
  const world = await forTest(openDrawWorld())
  await addWebhook(world.db, url, { events: ['anchored'] })
  await world.sell()
  await world.endSale()
  const commitment = await world.commitment()
  await world.sendAnchor(`0x${'ab'.repeat(32)}`, { at: 205 })
  await world.sendAnchor(commitment, { at: 210 })
  await world.reachDraw()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  const deps = sending({ db: world.deps.db, siteUrl: 'https://raffle.example' })
  await turn(deps)
  const told = receiver.received
    .map(({ body }) => JSON.parse(body).data as Record<string, string>)
    .sort((a, b) => (a.list === 'other' ? -1 : 1) - (b.list === 'other' ? -1 : 1))
  expect(told.map(({ commitment: what, list, title, link }) => [what, list, title, link])).toEqual([
    [
      `0x${'ab'.repeat(32)}`,
      'other',
      'Event 1: look into it: something else than terms or ledger is anchored on chain',
      'https://raffle.example/admin',
    ],
    [commitment, 'frozen', 'Event 1: terms or ledger are anchored on chain', 'https://raffle.example/'],
  ])
  expect(told[0]?.text).toContain('somebody else uses the key')
})

test('every try is counted by its channel, received or why not', async () => {
  const id = await addWebhook(database.db, url)
  await happen()
  const tries: unknown[] = []
  const onAttempt: SendDeps['onAttempt'] = (channel, outcome) =>
    tries.push([channel.id, channel.kind, outcome])
  answering(503)
  await turn(sending({ onAttempt }))
  answering(200)
  await pass(2)
  await turn(sending({ onAttempt }))
  expect(tries).toEqual([
    [id, 'webhook', 'status_5xx'],
    [id, 'webhook', 'sent'],
  ])
})
