import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/settings.ts'
import { codeOf, openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(() => openAdminApi({ clock: passingClock() }))

const age = (column: string, interval: string) =>
  adminApi.db.execute(sql.raw(`update sessions set ${column} = ${column} - interval '${interval}'`))

test('a session ends after 30 idle minutes, and after 12 hours at most (A6)', async () => {
  const idle = await adminApi.login()
  await age('last_seen_at', '29 minutes')
  expect(await adminApi.me(idle)).toBe(200)
  await age('last_seen_at', '30 minutes 1 second')
  expect(await adminApi.me(idle)).toBe('UNAUTHENTICATED')
  const old = await adminApi.login()
  await age('created_at', '12 hours')
  expect(await adminApi.me(old)).toBe('UNAUTHENTICATED')
})

test('use keeps a session alive', async () => {
  const token = await adminApi.login()
  for (let i = 0; i < 3; i++) {
    await age('last_seen_at', '20 minutes')
    expect(await adminApi.me(token)).toBe(200)
  }
})

test('what a dashboard asks by itself keeps no session alive', async () => {
  const token = await adminApi.login()
  const asks = () => adminApi.call('GET', '/api/admin/raffle/config', { token })
  await age('last_seen_at', '20 minutes')
  expect((await asks()).status).toBe(200)
  await age('last_seen_at', '11 minutes')
  expect((await asks()).status).toBe(401)
})

test('logout ends the session for good, and without one it is 204 too (A6, I20)', async () => {
  const token = await adminApi.login()
  const other = await adminApi.login()
  expect((await adminApi.call('POST', '/api/admin/logout', { token })).status).toBe(204)
  expect(await adminApi.me(token)).toBe('UNAUTHENTICATED')
  expect(await adminApi.me(other)).toBe(200)
  for (const header of [
    undefined,
    { authorization: 'Bearer nonsense' },
    { authorization: `Bearer ${token}` },
  ])
    expect(
      (await adminApi.call('POST', '/api/admin/logout', { ...(header && { headers: header }) })).status,
    ).toBe(204)
  const rows = (await adminApi.call('GET', '/api/admin/audit?action=logout', { token: other })).body
  expect(rows.map(({ actor }: { actor: string }) => actor)).toEqual(['owner'])
})

test('all sessions are listed without their tokens and can be ended at once (A6)', async () => {
  const token = await adminApi.login()
  const other = await adminApi.login({}, '10.5.5.5')
  const { body } = await adminApi.call('GET', '/api/admin/sessions', { token })
  expect(body).toMatchObject([
    { username: 'owner', clientAddress: '10.5.5.5', isCurrent: false },
    { username: 'owner', clientAddress: '10.1.2.3', isCurrent: true },
  ])
  expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{64}/)
  const ended = await adminApi.call('DELETE', '/api/admin/sessions', { token })
  expect(ended).toMatchObject({ status: 200, body: { ended: 2 } })
  expect(await adminApi.me(token)).toBe('UNAUTHENTICATED')
  expect(await adminApi.me(other)).toBe('UNAUTHENTICATED')
})

test('one session is ended by its place in the list, the others go on (A6, I18)', async () => {
  const token = await adminApi.login()
  const other = await adminApi.login({}, '10.5.5.5')
  const list = async () => (await adminApi.call('GET', '/api/admin/sessions', { token })).body
  const [stranger] = await list()
  const end = () => adminApi.call('DELETE', `/api/admin/sessions/${stranger.id}`, { token })
  expect(await end()).toMatchObject({ status: 200, body: { ended: 1 } })
  expect([await adminApi.me(token), await adminApi.me(other)]).toEqual([200, 'UNAUTHENTICATED'])
  expect(await list()).toMatchObject([{ isCurrent: true }])
  const [row] = await listAudit(adminApi.db, { action: 'sessions.revoke' }, 1)
  expect(row).toMatchObject({
    actor: 'owner',
    outcome: '200',
    after: { username: 'owner', clientAddress: '10.5.5.5' },
  })
  expect(await end()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('the password, entered again, makes a session fresh (A7)', async () => {
  const token = await adminApi.login()
  await age('fresh_at', '11 minutes')
  const change = () => adminApi.call('PATCH', '/api/admin/settings', { token, body: { allowedIps: [] } })
  expect(await change()).toMatchObject({ status: 403, body: { code: 'REAUTH_REQUIRED' } })
  const reauth = (body: unknown) => adminApi.call('POST', '/api/admin/reauth', { token, body })
  expect(await reauth({ password: 'wrong' })).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  expect((await reauth({})).body.code).toBe('INVALID_VALUE')
  expect((await reauth({ password: owner.password, extra: 1 })).body.code).toBe('UNKNOWN_FIELD')
  expect((await reauth({ password: owner.password })).status).toBe(200)
  expect((await change()).status).toBe(200)
})

test('asking for the password again takes the second factor too (A7)', async () => {
  const token = await adminApi.login()
  const { secret } = await adminApi.enrol(token)
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  const reauth = (otpCode?: string) =>
    adminApi.call('POST', '/api/admin/reauth', { token, body: { password: owner.password, otpCode } })
  expect((await reauth()).body.code).toBe('OTP_REQUIRED')
  expect((await reauth(codeOf(secret))).status).toBe(200)
})

test('each administrator reads the area in a language of his own, Korean until he chooses', async () => {
  const token = await adminApi.login()
  const languageOf = async (session: string) =>
    (await adminApi.call('GET', '/api/admin/me', { token: session })).body.user.language
  const choose = (language: unknown) =>
    adminApi.call('PATCH', '/api/admin/me/language', { token, body: { language } })
  expect(await languageOf(token)).toBe(null)
  expect((await choose('en')).body).toEqual({
    user: { username: owner.username, readOnly: false, language: 'en' },
  })
  expect(await languageOf(token)).toBe('en')
  expect(await languageOf(await adminApi.login())).toBe('en')
  for (const wrong of ['fr', 'EN', '', null, 1, undefined])
    expect((await choose(wrong)).body).toMatchObject({ code: 'INVALID_VALUE', field: 'language' })
  expect((await choose('ko')).status).toBe(200)
  const rows = await listAudit(adminApi.db, { action: 'language' })
  expect(rows.map(({ before, after, outcome }) => [outcome, before, after]).slice(0, 1)).toEqual([
    ['200', { language: 'en' }, { language: 'ko' }],
  ])
  expect(rows).toHaveLength(8)
})
