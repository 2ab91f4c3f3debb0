import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import type { ChannelKind, ChannelSettings } from '../../core/notify/kinds.ts'
import { channelRow } from '../../core/server/secret-box.ts'
import { addChannel } from '../../db/notify/channels.ts'
import { listDeliveries } from '../../db/notify/deliveries.ts'
import { noteBackupFailed } from '../../db/notify/outside.ts'
import { notifications } from '../../db/schema/index.ts'
import { channelBox, signingKey } from '../../e2e/lab/channels.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { makeCertificate, startMailServer, startReceiver } from '../../e2e/lab/receivers.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { type SendDeps, sendNotification } from './send.ts'

const tls = makeCertificate(['hook.example', 'mail.example'])
const database = forEachTest(testDb)
const daySeconds = 86_400
const token = `123456:${'T'.repeat(35)}`

/** As if so much time had passed for every row. */
const pass = (seconds: number) =>
  database.db.execute(sql`
    update deliveries set next_try_at = next_try_at - ${`${seconds} seconds`}::interval,
      first_tried_at = first_tried_at - ${`${seconds} seconds`}::interval`)

/** Seconds to the next try of any message; undefined when none waits. */
async function toNextTry(): Promise<number | undefined> {
  const [row] = await database.db.execute<{ wait: string | null }>(
    sql`select extract(epoch from min(next_try_at) - now()) as wait from deliveries where state = 'waiting'`,
  )
  // With those that failed a moment later.
  return row?.wait == null ? undefined : Math.max(0, Number(row.wait)) + 0.5
}

async function addOne<K extends ChannelKind>(kind: K, settings: ChannelSettings[K], secret: string) {
  await addChannel(
    database.db,
    { kind, name: kind, language: 'en', settings, events: ['backup_failed'], enabled: true },
    (id) => channelBox.seal(Buffer.from(secret), channelRow(id)),
  )
}

/** Every receiver on a port of its own, where it can go away and come back. */
async function openReceivers() {
  const [hook, mail] = await Promise.all([startReceiver(tls), startMailServer(tls)])
  const ports = { hook: hook.port, mail: mail.port }
  await addOne('webhook', { url: `https://hook.example:${ports.hook}/hook` }, signingKey)
  await addOne('telegram', { chatId: '5' }, token)
  const from = 'raffle@raffle.example'
  const mailbox = { host: 'mail.example', port: ports.mail, user: 'raffle', from, to: ['a@example.org'] }
  await addOne('email', { ...mailbox, security: 'starttls' }, 'mail pass')
  const deps: SendDeps = {
    ...{ db: database.dbOf('worker'), log: pino({ level: 'silent' }), box: channelBox, siteUrl: undefined },
    reach: {
      ...{ isLocal: true, ca: tls.cert, resolve: async () => ['127.0.0.1'], withinMs: 5_000 },
      base: `https://hook.example:${ports.hook}`,
    },
  }
  return { deps, ports, goAway: () => Promise.all([hook.close(), mail.close()]) }
}

test('Q8: a day without any receiver loses nothing, and at their return all follows at once, oldest first, three at a time', async () => {
  const { deps, ports, goAway } = await openReceivers()
  await goAway()
  let tries = 0
  const turn = () =>
    enqueueDeliveries({ db: deps.db, jobs: { enqueueMany: async () => false } }, async (id) => {
      tries += 1
      await sendNotification(deps, { id })
    })
  const happened = 8
  const everySeconds = daySeconds / happened
  let passed = 0
  for (let n = 1; n <= happened; n++) {
    await noteBackupFailed(database.db, 'make', new Date(n * 3_600_000))
    while (passed < n * everySeconds) {
      await turn()
      const wait = Math.min((await toNextTry()) ?? everySeconds, n * everySeconds - passed + 0.001)
      await pass(wait)
      passed += wait
    }
  }
  expect((await listDeliveries(database.db, {})).map(({ state }) => state)).toEqual(
    Array.from({ length: 3 * happened }, () => 'waiting'),
  )
  // A dozen tries in the first hour of a message, then one an hour: no receiver is hammered while it is down.
  const hoursWaited = Array.from({ length: happened }, (_, n) => 24 - (24 / happened) * n)
  expect(tries).toBeLessThan(3 * hoursWaited.reduce((sum, hours) => sum + 13 + hours, 0))

  const [hook, mail] = await Promise.all([
    forTest(startReceiver(tls, ports.hook)),
    forTest(startMailServer(tls, { port: ports.mail })),
  ])
  let now = 0
  let most = 0
  hook.answer = (_, response) => {
    now += 1
    most = Math.max(most, now)
    setTimeout(() => {
      now -= 1
      response.end()
    }, 20)
  }
  // Until the first try that was due anyway; from there on no more time passes.
  while ((await listDeliveries(database.db, { state: 'sent' })).length < 3) {
    await pass((await toNextTry()) ?? 0)
    await turn()
  }
  for (let n = 0; n < happened; n++) await turn()
  expect(await listDeliveries(database.db, { state: 'waiting' })).toEqual([])
  expect(most).toBeLessThanOrEqual(6)

  const told = await database.db.select().from(notifications).orderBy(notifications.id)
  const keys = told.map(({ key }) => key)
  const received = {
    webhook: hook.received.flatMap(({ headers }) => headers['webhook-id'] ?? []),
    email: mail.mails.map(({ text }) => /Message-ID: <([^@]+)@/.exec(text)?.[1] ?? ''),
  }
  for (const [channel, got] of Object.entries(received)) {
    expect([channel, got.toSorted()]).toEqual([channel, keys.toSorted()])
    // The probe that found the receiver was any of them; three at once may overtake each other.
    for (const [at, key] of got.slice(3).entries()) {
      const behind = got.slice(3 + at).filter((other) => keys.indexOf(other) < keys.indexOf(key))
      expect([channel, at, behind.length]).toEqual([channel, at, Math.min(behind.length, 2)])
    }
  }
  expect(hook.received.filter(({ path }) => path.startsWith('/bot'))).toHaveLength(happened)
}, 180_000)
