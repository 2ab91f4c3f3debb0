import { asc, sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { noticeKinds } from '../../core/notify/kinds.ts'
import { noticeText } from '../../core/notify/text.ts'
import { openWorker } from '../../core/server/queue.ts'
import { addTest, listChannels, oldestUnsentSeconds, tell } from '../../db/notify/tell.ts'
import { deliveries, notifications } from '../../db/schema/index.ts'
import { addWebhook, channelBox } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { forEachTest, forFile, forTest } from '../../e2e/lab/opened.ts'
import { enqueueUntilAdded, openJobs } from '../../e2e/lab/queue-listener.ts'
import { makeCertificate, startReceiver } from '../../e2e/lab/receivers.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import type { Deps } from '../deps.ts'
import { ringDeliveries, type SendDeps, sendNotification } from './send.ts'

const tls = makeCertificate(['hook.example'])
const receiver = await forFile(startReceiver(tls))
const database = forEachTest(testDb)
const url = `https://hook.example:${receiver.port}/`

const sending = (change: Partial<SendDeps> = {}): SendDeps => ({
  db: database.dbOf('worker'),
  log: pino({ level: 'silent' }),
  box: channelBox,
  siteUrl: undefined,
  later: new Map(),
  reach: { isLocal: true, ca: tls.cert, resolve: async () => ['127.0.0.1'], clock: patient },
  ...change,
})
const answering = (...statuses: number[]) => {
  receiver.received.length = 0
  receiver.answer = (_, response) =>
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end()
}
const happen = () => tell(database.db, 'wallet_changed', { username: 'owner' })
const rows = async () =>
  (await database.db.select().from(deliveries).orderBy(asc(deliveries.id))).map(({ id, state, problem }) => ({
    id,
    state,
    problem,
  }))
const keys = async () =>
  (await database.db.select({ key: notifications.key }).from(notifications)).map(({ key }) => key)
const receivedKeys = () => receiver.received.map(({ headers }) => headers['webhook-id'])
/** Its try fails, and is to be made again. */
const fails = (id: number, deps = sending()) => expect(sendNotification(deps, { id })).rejects.toThrow()
/** As if all of it had happened so long ago. */
const pass = async (time: string) => {
  await database.db.execute(sql`alter table notifications disable trigger user`)
  await database.db.execute(sql`update notifications set at = at - ${time}::interval`)
}

test('the queue brings a message, tries again where it was not received, and sends what was received no more', async () => {
  answering(500, 503, 200)
  await addWebhook(database.db, url)
  await happen()
  const place = { redisUrl: undefined, databaseUrl: database.urlOf('worker') }
  const jobs = openJobs(place)
  const work = (_: string, payload: unknown) => sendNotification(sending(), payload as { id: number })
  const worker = await forTest(
    openWorker('notify', place, work, { concurrency: 8, onError: () => undefined }),
  )
  await worker.ready()
  // Rung as often as one likes, by many workers.
  const ring = () => ringDeliveries({ db: sending().db, jobs }, true)
  await enqueueUntilAdded(async () => {
    await ring()
    return receiver.received.length > 0
  })
  while (receiver.received.length < 3) {
    await ring()
    await receiver.until(receiver.received.length + 1)
  }
  await expect.poll(rows, { timeout: 5_000 }).toMatchObject([{ state: 'sent', problem: null }])
  await ring()
  expect(receivedKeys()).toEqual(Array.from({ length: 3 }, () => receivedKeys()[0]))
  expect([...new Set(receivedKeys())]).toEqual(await keys())
}, 30_000)

test('I41: wherever a worker dies, the message arrives, and every copy has the same key', async () => {
  answering(200)
  await addWebhook(database.db, url)
  await happen()
  const [{ id } = { id: 0 }] = await rows()
  for (let step = 0; step < 3; step++) {
    await database.db.execute(sql`update deliveries set state = 'waiting', tried_at = null`)
    const dying = killedAt({ ...sending(), chain: {} } as unknown as Deps, step)
    await sendNotification(sending({ db: dying.db }), { id }).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    await sendNotification(sending(), { id })
    expect([step, (await rows())[0]?.state]).toEqual([step, 'sent'])
  }
  expect(receiver.received.length).toBeGreaterThan(3)
  expect([...new Set(receivedKeys())]).toEqual(await keys())
})

test('a channel that fails shows why until it is reached, and others get theirs', async () => {
  receiver.received.length = 0
  receiver.answer = ({ path }, response) => response.writeHead(path === '/down' ? 503 : 200).end()
  await addWebhook(database.db, `${url}down`)
  await addWebhook(database.db, `${url}up`)
  await happen()
  await pass('1 hour')
  const [down, up] = await rows()
  await fails(down?.id ?? 0)
  await sendNotification(sending(), { id: up?.id ?? 0 })
  const shown = async () =>
    (await listChannels(database.db)).map(({ waiting, problem }) => [waiting, problem])
  expect(await shown()).toEqual([
    [1, 'status_5xx'],
    [0, null],
  ])
  expect(await oldestUnsentSeconds(database.db)).toBeGreaterThan(3_599)
  answering(200)
  await sendNotification(sending(), { id: down?.id ?? 0 })
  expect(await shown()).toEqual([
    [0, null],
    [0, null],
  ])
  expect(await oldestUnsentSeconds(database.db)).toBe(0)
})

test('a receiver that asks for time is not asked again before it', async () => {
  receiver.received.length = 0
  receiver.answer = (_, response) => response.writeHead(429, { 'retry-after': '35' }).end()
  await addWebhook(database.db, url)
  await happen()
  const [{ id } = { id: 0 }] = await rows()
  const deps = sending()
  for (const _ of [1, 2, 3]) await fails(id, deps)
  expect([receiver.received.length, await rows()]).toMatchObject([1, [{ problem: 'throttled' }]])
  deps.later.clear()
  answering(200)
  await sendNotification(deps, { id })
  expect(await rows()).toMatchObject([{ state: 'sent' }])
})

test('after a day a message is given up, and a test after its one try', async () => {
  answering(500)
  const channel = await addWebhook(database.db, url)
  await happen()
  const test = await addTest(database.dbOf('api'), channel)
  await sendNotification(sending(), { id: test })
  const [{ id } = { id: 0 }] = await rows()
  await fails(id)
  await pass('1 day')
  await sendNotification(sending(), { id })
  await sendNotification(sending(), { id })
  expect((await rows()).map(({ state }) => state)).toEqual(['given_up', 'given_up'])
  expect(receiver.received).toHaveLength(3)
})

test('without SECRET_KEY, or with another, a message waits and says why', async () => {
  answering(200)
  await addWebhook(database.db, url)
  await happen()
  const [{ id } = { id: 0 }] = await rows()
  await fails(id, sending({ box: undefined }))
  expect([await rows(), receiver.received]).toMatchObject([[{ problem: 'secret_unreadable' }], []])
  await sendNotification(sending(), { id })
  expect(await rows()).toMatchObject([{ state: 'sent', problem: null }])
})

test('every kind is told in both languages, with its values', () => {
  const facts = {
    ...{ ticketsSold: '39', winningTicket: '4', place: '1', reason: 'minimum', held: '0', step: 'send' },
    ...{
      required: `${10n ** 18n}`,
      username: 'owner',
      address: '10.0.0.1',
      wallet: '0xef',
      action: 'passkey.add',
    },
    about: 'Phone',
  }
  for (const kind of [...noticeKinds, 'test'] as const)
    for (const language of ['ko', 'en'] as const) {
      const { title, text } = noticeText({ kind, eventNumber: 3, facts }, language)
      expect(title).toMatch(language === 'ko' ? /^이벤트 3회: .*[가-힣]/ : /^Event 3: [^가-힣]+$/)
      expect(`${title} ${text}`).not.toMatch(/undefined|NaN|null|\.\./)
    }
})
