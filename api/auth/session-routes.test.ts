import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isListed } from '../../core/address-list.ts'
import { listAudit } from '../../db/admin/audit.ts'
import { codeOf, type Office, openOffice, owner } from '../../e2e/lab/admin-api.ts'
import { createApp } from '../app.ts'

let office: Office
beforeEach(async () => {
  office = await openOffice()
})
afterEach(() => office.close())

const me = (token: string, from?: string) =>
  office
    .call('GET', '/api/admin/me', { token, ...(from && { from }) })
    .then(({ status, body }) => body.code ?? status)
const age = (column: string, interval: string) =>
  office.db.execute(sql.raw(`update sessions set ${column} = ${column} - interval '${interval}'`))
const allow = (token: string, allowedIps: unknown, from?: string) =>
  office.call('PATCH', '/api/admin/settings', { token, body: { allowedIps }, ...(from && { from }) })

test('a session ends after 30 idle minutes, and after 12 hours at most (A6)', async () => {
  const idle = await office.login()
  await age('last_seen_at', '29 minutes')
  expect(await me(idle)).toBe(200)
  await age('last_seen_at', '30 minutes 1 second')
  expect(await me(idle)).toBe('UNAUTHENTICATED')
  const old = await office.login()
  await age('created_at', '12 hours')
  expect(await me(old)).toBe('UNAUTHENTICATED')
})

test('use keeps a session alive', async () => {
  const token = await office.login()
  for (let i = 0; i < 3; i++) {
    await age('last_seen_at', '20 minutes')
    expect(await me(token)).toBe(200)
  }
})

test('logout ends the session for good, and without one it is 204 too (A6, I20)', async () => {
  const token = await office.login()
  const other = await office.login()
  expect((await office.call('POST', '/api/admin/logout', { token })).status).toBe(204)
  expect(await me(token)).toBe('UNAUTHENTICATED')
  expect(await me(other)).toBe(200)
  for (const header of [
    undefined,
    { authorization: 'Bearer nonsense' },
    { authorization: `Bearer ${token}` },
  ])
    expect(
      (await office.call('POST', '/api/admin/logout', { ...(header && { headers: header }) })).status,
    ).toBe(204)
})

test('a revoked token stays revoked after the API restarts (I20)', async () => {
  const [left, live] = [await office.login(), await office.login()]
  await office.call('POST', '/api/admin/logout', { token: left })
  const again = createApp(office.deps)
  const answer = (token: string) =>
    again.handle(
      new Request('http://localhost/api/admin/me', { headers: { authorization: `Bearer ${token}` } }),
    )
  expect([(await answer(left)).status, (await answer(live)).status]).toEqual([401, 200])
})

test('after every accepted change the list admits its author, or everybody (I21)', async () => {
  const token = await office.login()
  const ip = fc.oneof(
    fc.constantFrom('10.1.2.3', '10.1.2.0/24', '10.0.0.0/8', '::ffff:10.1.2.3', '2001:db8::/32', 'nonsense'),
    fc.ipV4(),
    fc.ipV6(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(ip, { maxLength: 4 }), async (list) => {
      const { status } = await allow(token, list)
      expect([200, 409, 422]).toContain(status)
      const { body } = await office.call('GET', '/api/admin/settings', { token })
      expect(body.allowedIps.length === 0 || isListed(body.allowedIps, '10.1.2.3')).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('all sessions are listed without their tokens and can be ended at once (A6)', async () => {
  const token = await office.login()
  const other = await office.login({}, '10.5.5.5')
  const { body } = await office.call('GET', '/api/admin/sessions', { token })
  expect(body).toMatchObject([
    { username: 'owner', clientAddress: '10.5.5.5', isCurrent: false },
    { username: 'owner', clientAddress: '10.1.2.3', isCurrent: true },
  ])
  expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{64}/)
  const ended = await office.call('DELETE', '/api/admin/sessions', { token })
  expect(ended).toMatchObject({ status: 200, body: { ended: 2 } })
  expect(await me(token)).toBe('UNAUTHENTICATED')
  expect(await me(other)).toBe('UNAUTHENTICATED')
})

test('one session is ended by its id in the list, the others stay (A6, I18)', async () => {
  const token = await office.login()
  const other = await office.login({}, '10.5.5.5')
  const list = async () => (await office.call('GET', '/api/admin/sessions', { token })).body
  const [stranger] = await list()
  const end = () => office.call('DELETE', `/api/admin/sessions/${stranger.id}`, { token })
  expect(await end()).toMatchObject({ status: 200, body: { ended: 1 } })
  expect([await me(token), await me(other)]).toEqual([200, 'UNAUTHENTICATED'])
  expect(await list()).toMatchObject([{ isCurrent: true }])
  const [row] = await listAudit(office.db, { action: 'sessions.revoke' }, 1)
  expect(row).toMatchObject({
    actor: 'owner',
    outcome: '200',
    after: { username: 'owner', clientAddress: '10.5.5.5' },
  })
  expect(await end()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('new credentials end every session; the caller continues with a new token (A6)', async () => {
  const token = await office.login()
  const other = await office.login()
  const { status, body } = await office.call('PATCH', '/api/admin/credentials', {
    token,
    body: { currentPassword: owner.password, newUsername: 'boss', newPassword: 'tall green lantern' },
  })
  expect({ status, user: body.user }).toEqual({ status: 200, user: { username: 'boss' } })
  expect([await me(token), await me(other), await me(body.token)]).toEqual([
    'UNAUTHENTICATED',
    'UNAUTHENTICATED',
    200,
  ])
  await expect(office.login()).rejects.toThrow('INVALID_CREDENTIALS')
  await office.login({ username: 'BOSS', password: 'tall green lantern' })
})

test('bad credentials change nothing', async () => {
  await office.addAdmin('second', owner.password)
  const token = await office.login()
  const change = async (body: unknown) => {
    const answer = await office.call('PATCH', '/api/admin/credentials', { token, body })
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
  expect(await me(token)).toBe(200)
  await office.login()
})

test('the address list applies to every call, with or without a session (A5, A6, I19)', async () => {
  const token = await office.login()
  expect((await allow(token, ['10.1.0.0/16', '2001:DB8::/32'])).body.allowedIps).toEqual([
    '10.1.0.0/16',
    '2001:db8::/32',
  ])
  expect(await me(token, '10.1.255.9')).toBe(200)
  expect(await me(token, '2001:db8:5::1')).toBe(200)
  expect(await me(token, '::ffff:10.1.0.1')).toBe(200)
  expect(await me(token, '10.2.0.1')).toBe('IP_NOT_ALLOWED')
  const access = (from: string) =>
    office.call('GET', '/api/admin/check-access', { from }).then(({ body }) => body)
  expect(await access('10.1.0.1')).toEqual({ allowed: true, ip: '10.1.0.1' })
  expect(await access('8.8.8.8')).toEqual({ allowed: false, ip: '8.8.8.8' })
  const login = await office.call('POST', '/api/admin/login', { body: owner, from: '8.8.8.8' })
  expect(login).toMatchObject({
    status: 403,
    body: { code: 'IP_NOT_ALLOWED', error: '허용되지 않은 IP 주소입니다.' },
  })
})

test('a list that would lock its author out is refused; an empty one admits everybody (A5, I21)', async () => {
  const token = await office.login()
  expect(await allow(token, ['192.168.0.1'])).toMatchObject({ status: 409, body: { code: 'WOULD_LOCK_OUT' } })
  expect((await allow(token, ['10.1.2.3'])).status).toBe(200)
  expect((await allow(token, [])).status).toBe(200)
  expect(await me(token, '8.8.8.8')).toBe(200)
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

test('when two administrators change the list at once, the second is refused (I21)', async () => {
  const token = await office.login()
  const { version } = (await office.call('GET', '/api/admin/settings', { token })).body
  const save = (allowedIps: string[], seen: unknown = version) =>
    office.call('PATCH', '/api/admin/settings', { token, body: { allowedIps, version: seen } })
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
  const token = await office.login()
  const set = (body: unknown) => office.call('PATCH', '/api/admin/settings', { token, body })
  expect((await set({ requireOtp: true })).body.code).toBe('OTP_NOT_SET_UP')
  const confirm = (otpCode: unknown) =>
    office.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode } })
  expect((await confirm('123456')).body.code).toBe('OTP_NOT_SET_UP')
  const { body: setup } = await office.call('POST', '/api/admin/setup-otp', { token })
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(atob(setup.qrCode.replace('data:image/svg+xml;base64,', ''))).toMatch(/^<svg.*<\/svg>$/s)
  expect((await set({ requireOtp: true })).body.code).toBe('OTP_NOT_SET_UP')
  expect((await confirm('000000')).body.code).toBe('INVALID_OTP')
  expect((await confirm('12345')).body.code).toBe('INVALID_OTP_FORMAT')
  expect((await confirm(codeOf(setup.secret))).body.recoveryCodes).toHaveLength(10)
  expect((await confirm(codeOf(setup.secret))).body.code).toBe('OTP_NOT_SET_UP')
  expect((await set({ requireOtp: true })).body).toMatchObject({ requireOtp: true })
  const settings = await office.call('GET', '/api/admin/settings', { token })
  expect(settings.body).toEqual({
    requireOtp: true,
    allowedIps: [],
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    otpConfirmed: true,
    recoveryCodesLeft: 10,
    ip: '10.1.2.3',
  })
  for (const requireOtp of [null, 'true', 1, []])
    expect((await set({ requireOtp })).body.code).toBe('INVALID_VALUE')
  expect((await set({})).body.code).toBe('NO_CHANGES')
  expect((await set({ requireOtp: true, role: 1 })).body.code).toBe('UNKNOWN_FIELD')
})

test('if a second factor is required, an administrator without one can only set it up', async () => {
  await office.addAdmin('second', owner.password)
  const token = await office.login()
  const { secret } = (await office.call('POST', '/api/admin/setup-otp', { token })).body
  await office.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode: codeOf(secret) } })
  await office.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  const newcomer = await office.login({ username: 'second' })
  expect(await me(newcomer)).toBe(200)
  const settings = { token: newcomer, body: { requireOtp: false } }
  expect((await office.call('PATCH', '/api/admin/settings', settings)).body.code).toBe('OTP_NOT_SET_UP')
  const own = (await office.call('POST', '/api/admin/setup-otp', { token: newcomer })).body
  const confirmed = { token: newcomer, body: { otpCode: codeOf(own.secret) } }
  expect((await office.call('POST', '/api/admin/otp/confirm', confirmed)).status).toBe(200)
  expect((await office.call('PATCH', '/api/admin/settings', settings)).status).toBe(200)
})

test('a new second factor and its switch end the other sessions (A6)', async () => {
  const token = await office.login()
  let other = await office.login()
  const { secret } = (await office.call('POST', '/api/admin/setup-otp', { token })).body
  expect(await me(other)).toBe(200)
  await office.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode: codeOf(secret) } })
  expect([await me(other), await me(token)]).toEqual(['UNAUTHENTICATED', 200])
  other = await office.login()
  await office.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  expect([await me(other), await me(token)]).toEqual(['UNAUTHENTICATED', 200])
})

test('actions on security, money or the winner ask for the password again after 10 minutes (A7)', async () => {
  const token = await office.login()
  await age('fresh_at', '11 minutes')
  const tries = [
    ['PATCH', '/api/admin/settings', { allowedIps: [] }],
    ['PATCH', '/api/admin/settings', { requireOtp: false }],
    ['PATCH', '/api/admin/credentials', { currentPassword: owner.password, newUsername: 'boss' }],
    ['POST', '/api/admin/setup-otp', undefined],
    ['POST', '/api/admin/blockchain/draw', undefined],
    ['POST', '/api/raffle/execute-draw', undefined],
    ['POST', '/api/admin/raffle/resume', undefined],
  ] as const
  for (const [method, path, body] of tries)
    expect(await office.call(method, path, { token, body })).toMatchObject({
      status: 403,
      body: { code: 'REAUTH_REQUIRED' },
    })
  const reauth = (body: unknown) => office.call('POST', '/api/admin/reauth', { token, body })
  expect(await reauth({ password: 'wrong' })).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  expect((await reauth({})).body.code).toBe('INVALID_VALUE')
  expect((await reauth({ password: owner.password, extra: 1 })).body.code).toBe('UNKNOWN_FIELD')
  expect((await reauth({ password: owner.password })).status).toBe(200)
  expect(
    (await office.call('PATCH', '/api/admin/settings', { token, body: { allowedIps: [] } })).status,
  ).toBe(200)
})

test('entering the password again takes the second factor too (A7)', async () => {
  const token = await office.login()
  const { secret } = (await office.call('POST', '/api/admin/setup-otp', { token })).body
  await office.call('POST', '/api/admin/otp/confirm', { token, body: { otpCode: codeOf(secret, -1) } })
  await office.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  const reauth = (otpCode?: string) =>
    office.call('POST', '/api/admin/reauth', { token, body: { password: owner.password, otpCode } })
  expect((await reauth()).body.code).toBe('OTP_REQUIRED')
  expect((await reauth(codeOf(secret))).status).toBe(200)
})
