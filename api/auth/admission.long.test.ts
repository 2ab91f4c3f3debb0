import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addressKey } from '../../core/address-key.ts'
import { openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { createLimits } from '../http/limits.ts'

/** Spans that no slow machine outlasts. */
const limits = createLimits()
const adminApi = await forFile(
  openAdminApi({ limits: (rule) => limits({ ...rule, inSeconds: rule.inSeconds * 100 }) }),
)

/** Of each test its own. */
let office = ''
let device = { 'x-device-id': '' }
let count = 0
beforeEach(() => {
  count++
  office = `198.51.100.${count}`
  device = { 'x-device-id': `${count} random id that a browser keeps for itself`.replaceAll(' ', '-') }
})
const invented = 'i'.repeat(43)
const tooMany = { status: 429, body: { code: 'RATE_LIMITED' } }
const wrong = { ...owner, password: 'not the password' }

const login = (body: unknown, from: string, headers: Record<string, string> = {}) =>
  adminApi.call('POST', '/api/admin/login', { body, from, headers })
const tokenOf = async (answer: ReturnType<typeof login>): Promise<string> => (await answer).body.token

/** Strangers of one address, until it gets no answer any more. */
async function flood(from: string) {
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      n % 2
        ? adminApi.call('GET', '/api/admin/check-access', { from })
        : adminApi.as(invented, from)('GET', '/api/admin/me'),
    ),
  )
  expect(answers.at(-1)).toMatchObject(tooMany)
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

test('a flood of one address is refused; a session that is known is served there all the same (A1)', async () => {
  const token = await adminApi.login({}, `10.7.7.${count}`)
  await flood(office)
  expect(await adminApi.me(token, office)).toBe(200)
  const saved = await adminApi.as(token, office)('PATCH', '/api/admin/settings', { requireOtp: false })
  expect(saved.status).not.toBe(429)
  expect(await login(owner, office)).toMatchObject(tooMany)
  expect((await login(owner, '203.0.113.5')).status).toBe(200)
})

test('a browser that has logged in before gets in again from an address that strangers flood (A1)', async () => {
  expect((await login(owner, `10.7.7.${count}`, device)).status).toBe(200)
  await flood(office)
  expect(await login(owner, office, { 'x-device-id': 'x'.repeat(43) })).toMatchObject(tooMany)
  expect((await login(owner, office, device)).status).toBe(200)
  const [row] = await adminApi.db.execute<{ device_hash: string }>(
    sql`select device_hash from sessions order by created_at desc limit 1`,
  )
  expect(row?.device_hash).toMatch(/^[0-9a-f]{64}$/)
})

test('ten wrong passwords of a known browser stop it, and strangers are none the worse', async () => {
  await tokenOf(login(owner, office, device))
  await login(wrong, office, device)
  await adminApi.db.execute(sql`
    insert into login_failures (kind, client_address)
    select 'password', client_address from login_failures, generate_series(1, 9) where client_address like 'device:%'`)
  expect((await login(owner, office, device)).body.code).toBe('LOGIN_THROTTLED')
  expect((await login(owner, office)).status).toBe(200)
})

test('unknown tokens of three hundred addresses cost a few queries, not one each (A1)', async () => {
  const before = await queries()
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      adminApi.as(invented, `10.3.${n >> 8}.${n & 255}`)('GET', '/api/admin/me'),
    ),
  )
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['UNAUTHENTICATED']))
  expect((await queries()) - before).toBeLessThan(200)
})

test('logins from outside of the address list are refused from memory, before their body is read (A1)', async () => {
  await adminApi.login({}, '10.1.2.3')
  await adminApi.db.execute(sql`update settings set allowed_ips = '{10.1.2.3}'`)
  const before = await queries()
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => login('not even JSON', `10.4.${n >> 8}.${n & 255}`)),
  )
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['IP_NOT_ALLOWED']))
  expect((await queries()) - before).toBeLessThan(200)
  expect((await login(owner, '10.1.2.3')).status).toBe(200)
  await adminApi.db.execute(sql`update settings set allowed_ips = '{}'`)
})

test('more wrong logins in flight than may wait, each of another network, do not keep the operator out (A1)', async () => {
  const networks = Array.from({ length: 30 }, (_, n) => `2001:db8:${n + 10}::1`)
  for (const from of networks)
    await adminApi.db.execute(
      sql`insert into login_failures (kind, client_address) values ('password', ${addressKey(from)})`,
    )
  const attackers = networks.map((from) => login(wrong, from))
  expect((await login(owner, '203.0.113.77')).status).toBe(200)
  const codes = (await Promise.all(attackers)).map(({ body }) => body.code)
  // How many of them found the queue full depends on the machine.
  expect(codes.filter((code) => !['INVALID_CREDENTIALS', 'LOGIN_THROTTLED'].includes(code))).toEqual([])
})

/** How many queries this database has answered. */
async function queries(): Promise<number> {
  const [row] = await adminApi.db.execute<{ n: number }>(
    sql`select (xact_commit + xact_rollback)::int n from pg_stat_database where datname = current_database()`,
  )
  return row?.n ?? 0
}
