import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toldActions } from '../../core/notify/kinds.ts'
import { markFailed } from '../../db/notify/tell.ts'
import { openAdminSession, owner, wrongCodes } from '../../e2e/lab/admin-api.ts'
import { signingKey } from '../../e2e/lab/channels.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { runAdmin } from '../../infra/cli/admin.ts'

const adminApi = forEachTest(openAdminSession)
const path = '/api/admin/channels'

const hook = {
  ...{ name: ' ops ', language: 'en' },
  webhook: { url: 'https://hook.example/bot1:secret/sendMessage?chat_id=-100', signingKey },
}
const mail = {
  ...{ name: 'mail', language: 'ko' },
  email: {
    ...{ host: 'mail.example', port: 465, security: 'tls', user: 'u', password: 'mail password' },
    ...{ from: 'a@raffle.example', to: ['b@example.org'] },
  },
}
const add = (body: object = hook) => adminApi.ask('POST', path, body)
const list = async () => (await adminApi.ask('GET', path)).body
/** Kinds and facts of what was told since the last look. */
let seen = 0
const told = async () => {
  const rows = await adminApi.db.execute<{ id: number; kind: string; facts: Record<string, unknown> }>(
    sql`select id::int, kind, facts from notifications where id > ${seen} order by id`,
  )
  seen = rows.at(-1)?.id ?? seen
  return rows.map(({ kind, facts }) => [kind, facts.about ?? facts.after])
}

test('a channel is added and removed; its secret lies encrypted, and is in no answer, audit row or notice', async () => {
  const { id } = (await add()).body
  const shown = {
    id,
    kind: 'webhook',
    name: 'ops',
    language: 'en',
    target: 'hook.example',
    waiting: 1,
    problem: null,
  }
  expect(await list()).toEqual([shown])
  expect((await add(mail)).body).toMatchObject({ kind: 'email', target: 'b@example.org (mail.example:465)' })
  const everything = await adminApi.db.execute<{ text: string }>(sql`
    select to_jsonb(c)::text as text from channels c union all select to_jsonb(a)::text from audit a
    union all select to_jsonb(n)::text from notifications n`)
  const texts = [...everything.map(({ text }) => text), JSON.stringify(await list())].join()
  expect(texts).not.toMatch(/whsec_|bot1|mail password/)
  expect((await adminApi.ask('DELETE', `${path}/${id}`)).body).toEqual({ removed: true })
  expect(await list()).toHaveLength(1)
  expect((await adminApi.ask('DELETE', `${path}/${id}`)).body.code).toBe('NOT_FOUND')
  expect((await adminApi.ask('POST', `${path}/${id}/test`)).body.code).toBe('NOT_FOUND')
})

const wrong: [field: string, body: object][] = [
  ['name', { ...hook, name: '  ' }],
  ['language', { ...hook, language: 'fr' }],
  ['email', { name: 'neither', language: 'en' }],
  ['email', { ...hook, ...mail }],
  ['webhook', { ...hook, webhook: { url: 'http://hook.example/' } }],
  ['webhook', { ...hook, webhook: { url: 'https://user:pass@hook.example/' } }],
  ['webhook', { ...hook, webhook: { ...hook.webhook, signingKey: 'whsec_c2hvcnQ=' } }],
  ['email', { ...mail, email: { ...mail.email, port: 6379 } }],
  ['email', { ...mail, email: { ...mail.email, password: undefined } }],
  ['email', { ...mail, email: { ...mail.email, from: 'a@raffle.example\r\nBcc: x@y.z' } }],
  ['email', { ...mail, email: { ...mail.email, to: [] } }],
  ['email', { ...mail, email: { ...mail.email, to: ['a@b.c, d@e.f'] } }],
  ['email', { ...mail, email: { ...mail.email, host: 'mail.example/x' } }],
]
test('what is wrong is refused, with its field, and changes nothing', async () => {
  for (const [index, [field, body]] of wrong.entries()) {
    const answer = await add(JSON.parse(JSON.stringify(body)))
    expect([index, answer.status, answer.body.field]).toEqual([index, 422, field])
  }
  expect(await list()).toEqual([])
})

test('a test answers what became of it, and the row of the channel shows the last error', async () => {
  const { id } = (await add()).body
  const answer = adminApi.ask('POST', `${path}/${id}/test`)
  const look = () =>
    adminApi.db.execute<{ id: number }>(
      sql`select d.id::int from deliveries d join notifications n on n.id = d.notification_id where n.kind = 'test'`,
    )
  await expect.poll(look).toHaveLength(1)
  const [row] = await look()
  await markFailed(adminApi.dbOf('worker'), row?.id ?? 0, 'timeout')
  expect((await answer).body).toEqual({ state: 'given_up', problem: 'timeout' })
  expect(await list()).toMatchObject([{ waiting: 1, problem: 'timeout' }])
})

test('what changes wallet, addresses, second factor, administrators, password or channels is told, and nothing else', async () => {
  const { ask } = adminApi
  await told()
  await add()
  expect(await told()).toEqual([['channels_changed', 'ops']])
  const settings = async (change: object) => {
    const { version } = (await ask('GET', '/api/admin/settings')).body
    expect((await ask('PATCH', '/api/admin/settings', { ...change, version })).status).toBe(200)
  }
  await settings({ allowedIps: ['10.1.2.3'] })
  expect(await told()).toEqual([['addresses_changed', '10.1.2.3']])
  const { secret } = await adminApi.enrol(adminApi.token)
  expect(await told()).toEqual([['second_factor_changed', '']])
  await settings({ requireOtp: true })
  expect(await told()).toEqual([['second_factor_changed', 'true']])
  const wallet = `0x${'7'.repeat(40)}`
  expect((await ask('PATCH', '/api/admin/raffle/config', { operatorWallet: wallet })).status).toBe(200)
  expect(await told()).toEqual([['wallet_changed', wallet]])
  await ask('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 7 })
  expect(await told()).toEqual([])
  for (const otpCode of wrongCodes(secret, 2))
    await adminApi.call('POST', '/api/admin/login', { body: { ...owner, otpCode } })
  expect(await told()).toEqual([['wrong_codes', undefined]])
  await runAdmin(adminApi.db, ['allow-ip', '10.9.9.9'], { keys: {} })
  expect((await told()).map(([kind]) => kind)).toEqual(['addresses_changed'])
})

test('each action of the table is one of the routes or commands', () => {
  const root = join(import.meta.dirname, '../..')
  const code = readdirSync(join(root, 'api'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /routes\.ts$/.test(name))
    .map((name) => readFileSync(join(root, 'api', name), 'utf8'))
  const commands = readFileSync(join(root, 'infra/cli/admin.ts'), 'utf8')
  for (const { action } of toldActions) {
    const [, command] = /^cli\.(.*)/.exec(action) ?? []
    const isThere = command
      ? commands.includes(command)
      : code.some((text) => text.includes(`action: '${action}'`))
    expect([action, isThere]).toEqual([action, true])
  }
})
