import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isListed } from '../../core/address-list.ts'
import { codeOf, letPass, openAdminApi, owner, wrongCodes } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(() => openAdminApi({ clock: passingClock() }))

const allow = (token: string, allowedIps: unknown, from?: string) =>
  adminApi.call('PATCH', '/api/admin/settings', { token, body: { allowedIps }, ...(from && { from }) })

test('after any accepted save the address list admits its author, or everybody (I21)', async () => {
  const token = await adminApi.login()
  const ip = fc.oneof(
    fc.constantFrom('10.1.2.3', '10.1.2.0/24', '10.0.0.0/8', '::ffff:10.1.2.3', '2001:db8::/32', 'nonsense'),
    fc.ipV4(),
    fc.ipV6(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(ip, { maxLength: 4 }), async (list) => {
      const { status } = await allow(token, list)
      expect([200, 409, 422]).toContain(status)
      const { body } = await adminApi.call('GET', '/api/admin/settings', { token })
      expect(body.allowedIps.length === 0 || isListed(body.allowedIps, '10.1.2.3')).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('new credentials end every session; the caller goes on with a new token (A6)', async () => {
  const token = await adminApi.login()
  const other = await adminApi.login()
  const { status, body } = await adminApi.call('PATCH', '/api/admin/credentials', {
    token,
    body: { currentPassword: owner.password, newUsername: 'boss', newPassword: 'tall green lantern' },
  })
  expect({ status, user: body.user }).toEqual({ status: 200, user: { username: 'boss' } })
  expect([await adminApi.me(token), await adminApi.me(other), await adminApi.me(body.token)]).toEqual([
    'UNAUTHENTICATED',
    'UNAUTHENTICATED',
    200,
  ])
  await expect(adminApi.login()).rejects.toThrow('INVALID_CREDENTIALS')
  await adminApi.login({ username: 'BOSS', password: 'tall green lantern' })
})

test('bad credentials change nothing', async () => {
  await adminApi.addAdmin('second', owner.password)
  const token = await adminApi.login()
  const change = async (body: unknown) => {
    const answer = await adminApi.call('PATCH', '/api/admin/credentials', { token, body })
    return [answer.status, answer.body.code]
  }
  const currentPassword = owner.password
  expect(await change({ currentPassword: 'wrong', newUsername: 'x' })).toEqual([403, 'WRONG_PASSWORD'])
  expect(await change({ newUsername: 'x' })).toEqual([422, 'INVALID_VALUE'])
  expect(await change({ currentPassword })).toEqual([422, 'NO_CHANGES'])
  expect(await change({ currentPassword, newUsername: '  ', newPassword: '' })).toEqual([422, 'NO_CHANGES'])
  expect(await change({ currentPassword, newUsername: 'owner' })).toEqual([422, 'NO_CHANGES'])
  expect(await change({ currentPassword, newPassword: currentPassword })).toEqual([422, 'NO_CHANGES'])
  expect(await change({ currentPassword, newUsername: 'Second' })).toEqual([422, 'INVALID_VALUE'])
  expect(await change({ currentPassword, newUsername: 'оwner' })).toEqual([422, 'INVALID_VALUE'])
  for (const newPassword of [
    'short',
    'password1',
    'PASSWORD1',
    'aaaaaaaaaaaa',
    'x'.repeat(129),
    'my owner 1',
    7,
    null,
  ])
    expect(await change({ currentPassword, newPassword })).toEqual([422, 'WEAK_PASSWORD'])
  expect(await change({ currentPassword, newUsername: 'x', isRoot: true })).toEqual([422, 'UNKNOWN_FIELD'])
  expect(await adminApi.me(token)).toBe(200)
  await adminApi.login()
})

test('the address list holds for every call, session or not (A5, A6, I19)', async () => {
  const token = await adminApi.login()
  expect((await allow(token, ['10.1.0.0/16', '2001:DB8::/32'])).body.allowedIps).toEqual([
    '10.1.0.0/16',
    '2001:db8::/32',
  ])
  expect(await adminApi.me(token, '10.1.255.9')).toBe(200)
  expect(await adminApi.me(token, '2001:db8:5::1')).toBe(200)
  expect(await adminApi.me(token, '::ffff:10.1.0.1')).toBe(200)
  expect(await adminApi.me(token, '10.2.0.1')).toBe('IP_NOT_ALLOWED')
  const access = (from: string) =>
    adminApi.call('GET', '/api/admin/check-access', { from }).then(({ body }) => body)
  expect(await access('10.1.0.1')).toEqual({ allowed: true, ip: '10.1.0.1' })
  expect(await access('8.8.8.8')).toEqual({ allowed: false, ip: '8.8.8.8' })
  const login = await adminApi.call('POST', '/api/admin/login', { body: owner, from: '8.8.8.8' })
  expect(login).toMatchObject({
    status: 403,
    body: { code: 'IP_NOT_ALLOWED', error: '허용되지 않은 IP 주소입니다.' },
  })
})

test('a list that would lock its author out is refused; an empty one admits everybody (A5, I21)', async () => {
  const token = await adminApi.login()
  expect(await allow(token, ['192.168.0.1'])).toMatchObject({ status: 409, body: { code: 'WOULD_LOCK_OUT' } })
  expect((await allow(token, ['10.1.2.3'])).status).toBe(200)
  expect((await allow(token, [])).status).toBe(200)
  expect(await adminApi.me(token, '8.8.8.8')).toBe(200)
  const bad = async (entry: unknown) => (await allow(token, [entry])).body.code
  for (const entry of [
    '',
    ' ',
    'here',
    '10.1.2',
    '10.1.2.256',
    '010.1.2.3',
    '10.1.2.3/33',
    '10.1.2.3/',
    '１0.1.2.3',
    null,
    7,
    {},
    'fe80::1%eth0',
    '1::2::3',
    '10.1.2.3/8/8',
  ])
    expect([entry, await bad(entry)]).toEqual([entry, 'INVALID_IP'])
  for (const entry of ['0.0.0.0/0', '10.0.0.0/7', '::/0', '2000::/3'])
    expect(await bad(entry)).toBe('IP_TOO_BROAD')
  expect((await allow(token, '10.1.2.3')).body.code).toBe('INVALID_VALUE')
  expect((await allow(token, Array(101).fill('10.1.2.3'))).body.code).toBe('INVALID_VALUE')
})

test('of two administrators who change the list at once the second gets a conflict (I21)', async () => {
  const token = await adminApi.login()
  const { version } = (await adminApi.call('GET', '/api/admin/settings', { token })).body
  const save = (allowedIps: string[], seen: unknown = version) =>
    adminApi.call('PATCH', '/api/admin/settings', { token, body: { allowedIps, version: seen } })
  const first = await save(['10.1.2.3', '10.1.2.4'])
  expect(first.status).toBe(200)
  expect(await save(['10.1.2.3', '10.1.2.5'])).toMatchObject({
    status: 409,
    body: { code: 'VERSION_CONFLICT' },
  })
  expect((await save(['10.1.2.3', '10.1.2.4', '10.1.2.5'], first.body.version)).status).toBe(200)
  for (const seen of [7, null, {}, 'x'.repeat(17)])
    expect((await save([], seen)).body.code).toBe('INVALID_VALUE')
})

test('the second factor is required only after it was confirmed (docs/spec.md, Login)', async () => {
  const token = await adminApi.login()
  const set = (body: unknown) => adminApi.call('PATCH', '/api/admin/settings', { token, body })
  expect((await set({ requireOtp: true })).body.code).toBe('OTP_NOT_SET_UP')
  const confirm = (otpCode: unknown) =>
    adminApi.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode } })
  expect((await confirm('123456')).body.code).toBe('OTP_NOT_SET_UP')
  const { body: setup } = await adminApi.call('POST', '/api/admin/setup-otp', { token })
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(atob(setup.qrCode.replace('data:image/svg+xml;base64,', ''))).toMatch(/^<svg.*<\/svg>$/s)
  expect((await set({ requireOtp: true })).body.code).toBe('OTP_NOT_SET_UP')
  expect((await confirm(wrongCodes(setup.secret, 1)[0])).body.code).toBe('INVALID_OTP')
  expect((await confirm('12345')).body.code).toBe('INVALID_OTP_FORMAT')
  expect((await confirm(codeOf(setup.secret))).body.recoveryCodes).toHaveLength(10)
  expect((await confirm(codeOf(setup.secret))).body.code).toBe('OTP_NOT_SET_UP')
  expect((await set({ requireOtp: true })).body).toMatchObject({ requireOtp: true })
  const settings = await adminApi.call('GET', '/api/admin/settings', { token })
  expect(settings.body).toEqual({
    requireOtp: true,
    allowedIps: [],
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    otpConfirmed: true,
    passkeys: 0,
    recoveryCodesLeft: 10,
    ip: '10.1.2.3',
  })
  for (const requireOtp of [null, 'true', 1, []])
    expect((await set({ requireOtp })).body.code).toBe('INVALID_VALUE')
  expect((await set({})).body.code).toBe('NO_CHANGES')
  expect((await set({ requireOtp: true, role: 1 })).body.code).toBe('UNKNOWN_FIELD')
})

test('where a second factor is required, an administrator without one can only set it up', async () => {
  await adminApi.addAdmin('second', owner.password)
  const token = await adminApi.login()
  await adminApi.enrol(token)
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  const newcomer = await adminApi.login({ username: 'second' })
  expect(await adminApi.me(newcomer)).toBe(200)
  const settings = { token: newcomer, body: { requireOtp: false } }
  expect((await adminApi.call('PATCH', '/api/admin/settings', settings)).body.code).toBe('OTP_NOT_SET_UP')
  const own = (await adminApi.call('POST', '/api/admin/setup-otp', { token: newcomer })).body
  const confirmed = { token: newcomer, body: { otpCode: codeOf(own.secret) } }
  expect((await adminApi.call('POST', '/api/admin/otp/confirm', confirmed)).status).toBe(200)
  expect((await adminApi.call('PATCH', '/api/admin/settings', settings)).status).toBe(200)
})

test('a new second factor waits ten minutes for its first code', async () => {
  const token = await adminApi.login()
  const begin = async () => (await adminApi.call('POST', '/api/admin/setup-otp', { token })).body.secret
  const confirm = (secret: string) =>
    adminApi.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode: codeOf(secret) } })
  const late = await begin()
  await adminApi.db.execute(
    sql`update admins set otp_pending_since = otp_pending_since - interval '11 minutes'`,
  )
  expect((await confirm(late)).body.code).toBe('OTP_NOT_SET_UP')
  expect((await confirm(await begin())).status).toBe(200)
})

test('a new second factor takes five wrong codes, then none for 15 minutes, and logins go on (A2)', async () => {
  const token = await adminApi.login()
  const { secret } = (await adminApi.call('POST', '/api/admin/setup-otp', { token })).body
  const confirm = (otpCode: string) =>
    adminApi.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode } })
  const codes = (await Promise.all(wrongCodes(secret, 20).map(confirm))).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'INVALID_OTP')).toHaveLength(5)
  expect(codes.filter((code) => code === 'LOGIN_THROTTLED')).toHaveLength(15)
  const right = await confirm(codeOf(secret))
  expect(right).toMatchObject({ status: 429, body: { code: 'LOGIN_THROTTLED' } })
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800)
  // A secret made anew does not begin the count anew.
  const again = (await adminApi.call('POST', '/api/admin/setup-otp', { token })).body
  expect((await confirm(codeOf(again.secret))).status).toBe(429)
  await adminApi.login()
  const code = codeOf(again.secret)
  letPass(901)
  expect((await confirm(code)).status).toBe(200)
  vi.useRealTimers()
})

test('of two confirmations with the same code one enrols, and its recovery codes are the ones that count', async () => {
  const token = await adminApi.login()
  const { secret } = (await adminApi.call('POST', '/api/admin/setup-otp', { token })).body
  const body = { otpCode: codeOf(secret) }
  const confirm = () => adminApi.call('POST', '/api/admin/otp/confirm', { token, body })
  const both = await Promise.all([confirm(), confirm()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const [recoveryCode] = both.find(({ status }) => status === 200)?.body.recoveryCodes ?? []
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  await adminApi.login({ recoveryCode })
})

test('a new second factor and its switch end the other sessions (A6)', async () => {
  const token = await adminApi.login()
  let other = await adminApi.login()
  expect(await adminApi.me(other)).toBe(200)
  await adminApi.enrol(token)
  expect([await adminApi.me(other), await adminApi.me(token)]).toEqual(['UNAUTHENTICATED', 200])
  other = await adminApi.login()
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  expect([await adminApi.me(other), await adminApi.me(token)]).toEqual(['UNAUTHENTICATED', 200])
})
