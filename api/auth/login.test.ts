import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { exactKey } from '../../core/address-list.ts'
import { hashPassword } from '../../core/server/password.ts'
import { secretBox } from '../../core/server/secrets.ts'
import { findAdmin } from '../../db/admin/admins.ts'
import { listAudit } from '../../db/admin/settings.ts'
import { admins } from '../../db/schema/index.ts'
import { codeOf, letPass, openAdminApi, owner, wrongCodes } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { createLimits } from '../http/limits.ts'
import { strangerAt } from './caller.ts'
import { authenticator } from './login.ts'

const adminApi = forEachTest(() => openAdminApi({ clock: passingClock() }))

afterEach(() => void vi.useRealTimers())

const login = (body: unknown, from?: string) =>
  adminApi.call('POST', '/api/admin/login', { body, ...(from && { from }) })

/** Enrols a second factor, requires it, and returns its secret and recovery codes. */
async function enrol() {
  const token = await adminApi.login()
  const factor = await adminApi.enrol(token)
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  return { token, ...factor }
}

test('a right password opens a session under an opaque token, of which only the hash is stored (A6)', async () => {
  const { status, body } = await login(owner)
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['token'])
  expect(Buffer.from(body.token, 'base64url')).toHaveLength(32)
  const rows = await adminApi.db.execute(sql`select * from sessions`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(body.token)
  const me = await adminApi.call('GET', '/api/admin/me', { token: body.token })
  expect(me).toMatchObject({ status: 200, body: { user: { username: 'owner' } } })
})

test('an unknown user and a wrong password get the same answer (A3)', async () => {
  const wrong = await login({ ...owner, password: 'nothing like it' })
  const unknown = await login({ ...owner, username: 'nobody' })
  expect(wrong.status).toBe(401)
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  expect(wrong.body.code).toBe('INVALID_CREDENTIALS')
})

test('an unknown user costs exactly one comparison, as a wrong password does (A3)', async () => {
  const compared: string[] = []
  const box = secretBox({ secretKey: 'a test secret that is long enough' })
  const { authenticate } = authenticator({
    db: adminApi.db,
    limits: createLimits(),
    compare: async (hash) => compared.push(hash.slice(0, 31)) < 0,
    box,
  })
  await adminApi.db.update(admins).set({ passwordHash: await hashPassword(owner.password) })
  for (const username of ['owner', 'nobody'])
    await expect(authenticate({ username, password: 'x' }, strangerAt('10.0.0.1'))).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
  expect(compared).toEqual(Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1$'))
})

test('ten failures in ten minutes stop an address, not the account (A1)', async () => {
  const tries = Array.from({ length: 14 }, () => login({ ...owner, password: 'wrong' }, '10.9.9.9'))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  const refused = await login(owner, '10.9.9.9')
  expect(refused).toMatchObject({ status: 429, body: { code: 'LOGIN_THROTTLED' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
  expect((await login(owner, '10.8.8.8')).status).toBe(200)
  letPass(601)
  expect((await login(owner, '10.9.9.9')).status).toBe(200)
})

test('failures of one IPv6 customer count together (A1)', async () => {
  const fail = async (from: string, times: number) => {
    for (let n = 0; n < times; n++) await login({ ...owner, password: 'wrong' }, from)
  }
  await fail('2001:db8:0:1::1', 10)
  expect((await login(owner, '2001:db8:0:1:aaaa::1')).status).toBe(429)
  expect((await login(owner, '2001:db8:0:2::1')).status).toBe(200)
  for (const net of ['1100', '1200', '1300']) await fail(`2001:db8:0:${net}::1`, 10)
  expect((await login(owner, '2001:db8:0:f001::1')).status).toBe(429)
  expect((await login(owner, '2001:db8:1::1')).status).toBe(200)
})

test('of 200 concurrent logins of strangers some are compared, the others refused at once, and a known browser goes on (A1)', async () => {
  const slow = Promise.withResolvers<boolean>()
  const { checkPassword } = authenticator({
    db: adminApi.db,
    limits: createLimits(),
    box: secretBox({ secretKey: 'a test secret that is long enough' }),
    clock: passingClock(),
    compare: (_, password) => (password === 'slow' ? slow.promise : Promise.resolve(true)),
  })
  const { id = 0 } = (await findAdmin(adminApi.db, owner.username)) ?? {}
  const proof = { username: owner.username, password: 'slow' }
  const refused: string[] = []
  const answers = Array.from({ length: 200 }, (_, i) =>
    checkPassword(proof, strangerAt(`10.0.${i}.1`)).then(
      () => 'compared',
      ({ code }) => refused.push(code),
    ),
  )
  // Nothing is compared to its end yet, and each waits or is refused, in whatever order the database has answered them.
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(98)
  expect(new Set(refused)).toEqual(new Set(['LOGIN_THROTTLED']))
  await checkPassword(
    { ...proof, password: 'quick' },
    { of: [id], keys: { own: [exactKey('browser:own')], stranger: [] } },
  )
  slow.resolve(true)
  const compared = (await Promise.all(answers)).filter((answer) => answer === 'compared')
  expect(compared.length).toBeOneOf([101, 102])
})

/** As a browser sends it from a page of the site; `cookie` is what it keeps. */
const browse = (
  body: unknown,
  { cookie, from, site = 'same-origin' }: { cookie?: string; from?: string; site?: string } = {},
) =>
  adminApi.call('POST', '/api/admin/login', {
    body,
    headers: { 'sec-fetch-site': site, ...(cookie && { cookie }) },
    ...(from && { from }),
  })
const cookieOf = ({ headers }: { headers: Headers }) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

test("a browser's session is good only with its cookie, a program's by its token alone (A6)", async () => {
  const opened = await browse(owner)
  expect(opened.headers.get('set-cookie')).toMatch(
    /^__Host-admin=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  )
  const me = async (token: string, cookie?: string) =>
    (await adminApi.call('GET', '/api/admin/me', { token, ...(cookie && { headers: { cookie } }) })).status
  const { token } = opened.body
  const cookie = cookieOf(opened)
  expect([await me(token, cookie), await me(token), await me(token, `${cookie.slice(0, -4)}AAAA`)]).toEqual([
    200, 401, 401,
  ])
  // Stolen text does nothing, a logout of its owner included.
  expect((await adminApi.call('POST', '/api/admin/logout', { token })).status).toBe(204)
  expect(await me(token, cookie)).toBe(200)
  // The cookie alone authorises nothing.
  expect((await adminApi.call('GET', '/api/admin/me', { headers: { cookie } })).status).toBe(401)
  // Another tab of the same browser: both sessions live.
  const second = await browse(owner, { cookie })
  expect(cookieOf(second)).toBe(cookie)
  expect([await me(token, cookie), await me(second.body.token, cookie)]).toEqual([200, 200])
  const program = await login(owner)
  expect(program.headers.get('set-cookie')).toBeNull()
  expect(await me(program.body.token)).toBe(200)
  for (const site of ['cross-site', 'none', 'anything'])
    expect(await browse(owner, { site })).toMatchObject({ status: 403, body: { code: 'ORIGIN_DENIED' } })
  const changed = await adminApi.call('PATCH', '/api/admin/credentials', {
    token,
    headers: { cookie },
    body: { currentPassword: owner.password, newPassword: 'tall green lantern' },
  })
  expect([await me(changed.body.token, cookie), await me(changed.body.token)]).toEqual([200, 401])
})

test('wrong passwords and codes of strangers stop neither a known browser, nor a session, nor a recovery code (A1)', async () => {
  const { secret, recoveryCodes } = await enrol()
  const own = await browse({ ...owner, otpCode: codeOf(secret) })
  const cookie = cookieOf(own)
  await adminApi.db.execute(sql`update admins set otp_last_step = 0`)
  const otpCode = codeOf(secret)
  for (const [n, wrong] of wrongCodes(secret, 6).entries())
    await login({ ...owner, otpCode: wrong }, `10.66.0.${n}`)
  for (let n = 0; n < 12; n++) await login({ ...owner, password: 'wrong' })
  expect((await login({ ...owner, otpCode }, '10.67.0.1')).body.code).toBe('LOGIN_THROTTLED')
  const ask = { token: own.body.token, headers: { cookie } }
  const reauth = { ...ask, body: { password: owner.password, otpCode } }
  expect((await adminApi.call('POST', '/api/admin/reauth', reauth)).status).toBe(200)
  await adminApi.db.execute(sql`update admins set otp_last_step = 0`)
  // From the address of the strangers, too.
  expect((await browse({ ...owner, otpCode }, { cookie })).status).toBe(200)
  expect((await login({ ...owner, recoveryCode: recoveryCodes[0] }, '10.67.0.2')).status).toBe(200)
  // And a known browser has five tries of its own.
  for (const wrong of wrongCodes(secret, 5)) await browse({ ...owner, otpCode: wrong }, { cookie })
  expect((await browse({ ...owner, otpCode }, { cookie })).body.code).toBe('LOGIN_THROTTLED')
})

test('the second factor is required only after the right password (A2)', async () => {
  const { secret } = await enrol()
  expect((await login({ ...owner, password: 'wrong', otpCode: codeOf(secret) })).body.code).toBe(
    'INVALID_CREDENTIALS',
  )
  expect(await login(owner)).toMatchObject({
    status: 401,
    body: { code: 'OTP_REQUIRED', error: '2차 인증 코드를 입력하세요.' },
  })
  expect(await login({ ...owner, otpCode: wrongCodes(secret, 1)[0] })).toMatchObject({
    status: 401,
    body: { code: 'INVALID_OTP', error: '잘못된 인증 코드입니다. 다시 시도하세요.' },
  })
  for (const otpCode of ['12345', '1234567', 'abcdef', '12a456', '１２３４５', 123456, null, ' 12345'])
    expect(await login({ ...owner, otpCode })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_OTP_FORMAT' },
    })
  const wide = [...codeOf(secret)].map((digit) => '０１２３４５６７８９'[Number(digit)]).join('')
  const otpCode = ` ${wide.slice(0, 3)}-${wide.slice(3)}\n`
  expect((await login({ ...owner, otpCode })).status).toBe(200)
})

test('of two parallel logins with the same code one succeeds, and the code is spent (A2, I20)', async () => {
  const { secret } = await enrol()
  const otpCode = codeOf(secret)
  const both = await Promise.all([login({ ...owner, otpCode }), login({ ...owner, otpCode })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await login({ ...owner, otpCode })).body.code).toBe('INVALID_OTP')
  expect((await login({ ...owner, otpCode: codeOf(secret, -1) })).body.code).toBe('INVALID_OTP')
})

test('after five wrong codes the right one is refused too, for 15 minutes (A2)', async () => {
  const { secret } = await enrol()
  for (const otpCode of wrongCodes(secret, 5)) await login({ ...owner, otpCode })
  const otpCode = codeOf(secret)
  expect(await login({ ...owner, otpCode }, '10.7.7.7')).toMatchObject({
    status: 429,
    body: { code: 'LOGIN_THROTTLED' },
  })
  letPass(901)
  expect((await login({ ...owner, otpCode }, '10.7.7.7')).status).toBe(200)
})

test('a recovery code replaces the second factor once', async () => {
  const { recoveryCodes } = await enrol()
  expect(recoveryCodes).toHaveLength(10)
  const recoveryCode = `\u200b${recoveryCodes[3]?.toLowerCase().replaceAll('-', '\u3000')}\n`
  expect((await login({ ...owner, recoveryCode })).status).toBe(200)
  expect((await login({ ...owner, recoveryCode })).body.code).toBe('INVALID_OTP')
  const stored = JSON.stringify(await adminApi.db.execute(sql`select recovery_hashes from admins`))
  expect(stored).not.toContain(recoveryCodes[0])
})

test('the row of a login tells which second factor was checked, not which was sent', async () => {
  const factor = async () => (await listAudit(adminApi.db, {}, 1))[0]?.after
  await login({ ...owner, otpCode: '123456' })
  expect(await factor()).toEqual({ secondFactor: 'none' })
  const { secret, recoveryCodes } = await enrol()
  await login({ ...owner, otpCode: codeOf(secret) })
  expect(await factor()).toEqual({ secondFactor: 'totp' })
  const { body } = await login({ ...owner, recoveryCode: recoveryCodes[0] })
  expect(await factor()).toEqual({ secondFactor: 'recovery' })
  await adminApi.as(body.token)('POST', '/api/admin/reauth', {
    password: owner.password,
    otpCode: codeOf(secret, 1),
  })
  expect((await listAudit(adminApi.db, {}, 1))[0]).toMatchObject({
    action: 'reauth',
    after: { secondFactor: 'totp' },
  })
})

test('the OTP secret is stored encrypted, and only SECRET_KEY decrypts it (A2, I24)', async () => {
  const { secret } = await enrol()
  const admin = await findAdmin(adminApi.db, 'OWNER')
  const sealed = admin?.otpSecret as Uint8Array
  const box = secretBox(adminApi.deps.admin)
  expect(box.open(sealed, `otp ${admin?.id}`)).toHaveLength(20)
  expect(Buffer.from(sealed).toString('latin1')).not.toContain(secret)
  expect(box.open(sealed, 'otp 999')).toBeUndefined()
  expect(
    secretBox({ secretKey: 'another secret that is long enough' }).open(sealed, `otp ${admin?.id}`),
  ).toBeUndefined()
})

test('a login deletes sessions of a month ago', async () => {
  await login(owner)
  await adminApi.db.execute(sql`update sessions set created_at = now() - interval '31 days'`)
  await login(owner)
  expect(await adminApi.db.execute(sql`select 1 from sessions`)).toHaveLength(1)
})

test('bad fields get their error code and open no session', async () => {
  let tries = 0
  // From a new address each time, so that no limit per address is reached.
  const bad = (body: unknown) =>
    login(body, `10.6.0.${++tries}`).then(({ status, body: { code, error } }) => [status, code, error])
  expect(await bad({ password: 'x' })).toEqual([422, 'INVALID_VALUE', '사용자명을 입력하세요'])
  expect(await bad({ username: 'owner' })).toEqual([422, 'INVALID_VALUE', '비밀번호를 입력하세요'])
  for (const username of ['', null, 7, {}, ['owner'], 'x'.repeat(129), 'a\0b', '\ud800', 'a\nb'])
    expect((await bad({ ...owner, username })).slice(0, 2)).toEqual([422, 'INVALID_VALUE'])
  for (const password of ['', null, 7, {}, 'x'.repeat(129), 'a\0b'])
    expect((await bad({ ...owner, password })).slice(0, 2)).toEqual([422, 'INVALID_VALUE'])
  expect((await bad({ ...owner, role: 'root' })).slice(0, 2)).toEqual([422, 'UNKNOWN_FIELD'])
  const raw = { headers: { 'content-type': 'application/json' }, from: '10.6.1.1' }
  for (const body of ['', '{', '[]x', '\xff'])
    expect((await adminApi.call('POST', '/api/admin/login', { ...raw, body })).body.code).toBe('BAD_JSON')
  expect((await adminApi.call('POST', '/api/admin/login', { body: 'a=b' })).status).toBe(415)
  expect(await adminApi.db.execute(sql`select 1 from sessions`)).toHaveLength(0)
})
