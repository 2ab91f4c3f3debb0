import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { markFailed, markSent, takeDelivery } from '../../db/notify/deliveries.ts'
import { noteBackupFailed } from '../../db/notify/outside.ts'
import { openAdminSession, owner } from '../../e2e/lab/admin-api.ts'
import { signingKey } from '../../e2e/lab/channels.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'

const adminApi = forEachTest(openAdminSession)

const webhook = {
  ...{ kind: 'webhook', name: ' ops ', language: 'en', events: ['drawn', 'backup_failed'], enabled: true },
  webhook: { url: 'https://hook.example/in?token=abc' },
  secret: signingKey,
}
const mail = {
  ...{ kind: 'email', name: 'mail', language: 'ko', events: ['halted'], enabled: true },
  email: {
    ...{ host: 'mail.example', port: 465, security: 'tls', user: 'u', from: 'a@raffle.example' },
    to: ['b@example.org'],
  },
  secret: 'mail password',
}
const add = (body: object = webhook) => adminApi.ask('POST', '/api/admin/channels', body)
const list = async () => (await adminApi.ask('GET', '/api/admin/channels')).body
const stale = () => adminApi.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
const deliveriesOf = async (query = '') => (await adminApi.ask('GET', `/api/admin/deliveries${query}`)).body
const fail = async () => {
  await noteBackupFailed(adminApi.db, 'make', fromNow(0))
  const [{ id }] = await deliveriesOf()
  return id as number
}

test('a channel is added, told without its secret, changed and removed; each is audited', async () => {
  const added = await add()
  expect(added.status).toBe(200)
  const { id } = added.body
  const told = {
    ...{
      id,
      kind: 'webhook',
      name: 'ops',
      language: 'en',
      events: ['drawn', 'backup_failed'],
      enabled: true,
    },
    ...{ webhook: webhook.webhook, telegram: null, email: null, hasSecret: true, revision: 1 },
    ...{ waiting: 0, givenUp: 0 },
  }
  expect(added.body).toEqual(told)
  expect(await list()).toEqual([told])
  const { kind: _, secret: __, ...same } = webhook
  const changed = await adminApi.ask('PUT', `/api/admin/channels/${id}`, {
    ...same,
    ...{ events: ['halted', 'drawn', 'drawn'], enabled: false, revision: 1 },
  })
  expect(changed.body).toMatchObject({
    events: ['drawn', 'halted'],
    enabled: false,
    revision: 2,
    hasSecret: true,
  })
  const late = await adminApi.ask('PUT', `/api/admin/channels/${id}`, { ...same, revision: 1 })
  expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT'])
  expect((await adminApi.ask('DELETE', `/api/admin/channels/${id}`)).body).toEqual({ removed: true })
  expect(await list()).toEqual([])
  expect((await adminApi.ask('DELETE', `/api/admin/channels/${id}`)).body.code).toBe('NOT_FOUND')
  const rows = await adminApi.db.execute<{ text: string; action: string; outcome: string }>(
    sql`select action, outcome, coalesce(before::text, '') || coalesce(after::text, '') as text from audit
      where action like 'channel.%' order by id`,
  )
  expect(rows.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['channel.add', '200'],
    ['channel.change', '200'],
    ['channel.change', '409'],
    ['channel.remove', '200'],
    ['channel.remove', '404'],
  ])
  expect(rows.map(({ text }) => text).join()).not.toMatch(/whsec_|token=abc/)
  const [row] = await adminApi.db.execute(sql`select secret, settings from channels`)
  expect(row).toEqual({ secret: null, settings: {} })
})

test('the secret lies encrypted, and in no answer', async () => {
  await add()
  await add(mail)
  const stored = await adminApi.db.execute<{ secret: Uint8Array }>(sql`select secret from channels`)
  for (const { secret } of stored) expect(`${Buffer.from(secret)}`).not.toMatch(/whsec_|password/)
  expect(JSON.stringify(await list())).not.toMatch(/whsec_|mail password/)
})

test('changes need a password of the last ten minutes, and all of it a session', async () => {
  const { id } = (await add()).body
  await stale()
  for (const [method, path, body] of [
    ['POST', '/api/admin/channels', webhook],
    ['PUT', `/api/admin/channels/${id}`, { ...webhook, kind: undefined, revision: 1 }],
    ['DELETE', `/api/admin/channels/${id}`, undefined],
  ] as const)
    expect((await adminApi.ask(method, path, body)).body.code).toBe('REAUTH_REQUIRED')
  for (const [method, path] of [
    ['GET', '/api/admin/channels'],
    ['POST', `/api/admin/channels/${id}/test`],
    ['GET', '/api/admin/deliveries'],
    ['POST', '/api/admin/deliveries/1/retry'],
  ] as const)
    expect((await adminApi.call(method, path)).status).toBe(401)
  expect(await list()).toHaveLength(1)
})

const wrong: [field: string, body: object][] = [
  ['secret', { ...webhook, secret: undefined }],
  ['secret', { ...webhook, secret: 'whsec_c2hvcnQ=' }],
  ['secret', { ...webhook, secret: signingKey.replace('whsec_', '') }],
  ['webhook', { ...webhook, webhook: undefined }],
  ['webhook', { ...webhook, webhook: { url: 'http://hook.example/' } }],
  ['webhook', { ...webhook, webhook: { url: 'https://user:pass@hook.example/' } }],
  ['telegram', { ...webhook, telegram: { chatId: '5' } }],
  ['events', { ...webhook, events: ['paid'] }],
  ['kind', { ...webhook, kind: 'pager' }],
  ['language', { ...webhook, language: 'fr' }],
  ['name', { ...webhook, name: '  ' }],
  ['email', { ...mail, email: { ...mail.email, port: 6379 } }],
  ['email', { ...mail, email: { ...mail.email, from: 'a@raffle.example\r\nBcc: x@y.z' } }],
  ['email', { ...mail, email: { ...mail.email, to: [] } }],
  ['email', { ...mail, email: { ...mail.email, to: ['a@b.c, d@e.f'] } }],
  ['email', { ...mail, email: { ...mail.email, host: 'mail.example/x' } }],
  ['telegram', { ...webhook, kind: 'telegram', webhook: undefined, telegram: { chatId: 'x y' } }],
  [
    'secret',
    { ...webhook, kind: 'telegram', webhook: undefined, telegram: { chatId: '-100' }, secret: 'no token' },
  ],
]

test('what is wrong is refused, with its field, and changes nothing', async () => {
  for (const [index, [field, body]] of wrong.entries()) {
    const answer = await add(JSON.parse(JSON.stringify(body)))
    expect([index, answer.status, answer.body.field]).toEqual([index, 422, field])
  }
  expect(await list()).toEqual([])
})

test('whoever does not change channels is told the host of a webhook, and not what lets one in', async () => {
  await add()
  for (const role of ['operator', 'auditor'] as const) {
    await adminApi.addAdmin(role, owner.password, role)
    const ask = adminApi.as(await adminApi.login({ username: role }))
    const { body } = await ask('GET', '/api/admin/channels')
    expect(body).toMatchObject([{ webhook: { url: 'https://hook.example/…' } }])
  }
  expect(await list()).toMatchObject([{ webhook: webhook.webhook }])
})

test('a password does not go to a mail server that it was not entered for', async () => {
  const { id } = (await add(mail)).body
  const { kind: _, secret, ...rest } = mail
  const put = (email: object, more = {}) =>
    adminApi.ask('PUT', `/api/admin/channels/${id}`, { ...rest, email: { ...mail.email, ...email }, ...more })
  expect((await put({ host: 'evil.example' }, { revision: 1 })).body.field).toBe('secret')
  expect((await put({ to: ['c@example.org'] }, { revision: 1 })).status).toBe(200)
  expect((await put({ host: 'other.example' }, { revision: 2, secret })).status).toBe(200)
  // Without a login none is kept.
  expect((await put({ user: null }, { revision: 3 })).body).toMatchObject({ hasSecret: false, revision: 4 })
})

test('a test answers what became of it, or that no worker has sent it yet', async () => {
  const { id } = (await add()).body
  const worker = adminApi.dbOf('worker')
  const answer = adminApi.ask('POST', `/api/admin/channels/${id}/test`)
  const taken = await (async () => {
    for (;;) {
      const [row] = await adminApi.db.execute<{ id: number }>(sql`select id::int from deliveries`)
      if (row) return takeDelivery(worker, row.id)
    }
  })()
  if (taken) await markFailed(worker, taken, 'timeout')
  expect((await answer).body).toMatchObject({
    ...{ kind: 'test', channelId: id, state: 'given_up', problem: 'timeout', attempts: 1 },
  })
  // Who has made it has been told; nothing of an event was given up.
  expect((await list())[0]).toMatchObject({ waiting: 0, givenUp: 0 })
  expect((await adminApi.ask('POST', '/api/admin/channels/99/test')).body.code).toBe('NOT_FOUND')
})

test('deliveries are listed page by page, by channel and state, and tried again', async () => {
  const { id: channel } = (await add()).body
  const id = await fail()
  const worker = adminApi.dbOf('worker')
  const taken = await takeDelivery(worker, id)
  if (taken) await markFailed(worker, taken, 'redirect')
  const row = {
    ...{ id, channelId: channel, channelName: 'ops', channelKind: 'webhook', kind: 'backup_failed' },
    ...{ eventNumber: null, state: 'waiting', attempts: 1, problem: 'redirect', sentAt: null },
  }
  expect(await deliveriesOf(`?channel=${channel}&state=waiting`)).toMatchObject([row])
  expect(await deliveriesOf('?state=sent')).toEqual([])
  expect(await deliveriesOf(`?cursor=${id}`)).toEqual([])
  expect((await list())[0]).toMatchObject({ waiting: 1, givenUp: 0 })
  const retried = await adminApi.ask('POST', `/api/admin/deliveries/${id}/retry`)
  expect(retried.body).toMatchObject({ state: 'waiting', attempts: 0, problem: null })
  await markSent(worker, id)
  const again = await adminApi.ask('POST', `/api/admin/deliveries/${id}/retry`)
  expect([again.status, again.body.code]).toEqual([409, 'ALREADY_PROCESSED'])
  expect((await adminApi.ask('POST', '/api/admin/deliveries/77/retry')).body.code).toBe('NOT_FOUND')
})

test('with its channel goes what was not sent', async () => {
  const { id: channel } = (await add()).body
  const id = await fail()
  await adminApi.ask('DELETE', `/api/admin/channels/${channel}`)
  expect(await deliveriesOf()).toMatchObject([{ id, state: 'dropped', channelName: 'ops' }])
  expect((await adminApi.ask('POST', `/api/admin/deliveries/${id}/retry`)).body.code).toBe(
    'ALREADY_PROCESSED',
  )
})
