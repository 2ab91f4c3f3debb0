import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { codeOf, openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { runAdmin } from '../../infra/cli/admin.ts'

const adminApi = forEachTest(openAdminApi)
const chosen = 'tall green lantern'

/** A password from the command line, as an administrator reads it on the host. */
async function printed(isLocal = false): Promise<string> {
  const text = await runAdmin(adminApi.db, ['reset-password', owner.username], { isLocal })
  return /password (\S+)$/.exec(text)?.[1] ?? ''
}
const change = (token: string, body: Record<string, unknown>) =>
  adminApi.call('PATCH', '/api/admin/credentials', { token, body })
const expire = () => adminApi.db.execute(sql`update admins set one_time_until = now() - interval '1 second'`)

test('a printed password opens nothing but the change of it, and the new one everything', async () => {
  const currentPassword = await printed()
  const token = await adminApi.login({ password: currentPassword })
  const routes = adminApi.app.routes.routes
    .filter(({ path }) => path.startsWith('/api/admin') || path === '/api/raffle/execute-draw')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
  const open = new Set()
  for (const { method, path } of routes) {
    if (path === '/api/admin/logout') continue
    const { status, body } = await adminApi.call(method, path, {
      token,
      ...(method !== 'GET' && { body: {} }),
    })
    if (body?.code !== 'PASSWORD_CHANGE_REQUIRED') open.add(`${method} ${path}`)
    else expect(status).toBe(403)
  }
  expect(open).toEqual(
    new Set([
      'GET /api/admin/check-access',
      'POST /api/admin/login',
      'POST /api/admin/login/passkey',
      'POST /api/admin/reauth',
      'POST /api/admin/reauth/passkey',
      'PATCH /api/admin/credentials',
    ]),
  )
  const changed = await change(token, { currentPassword, newPassword: chosen })
  expect(changed.status).toBe(200)
  expect(await adminApi.me(token)).toBe('UNAUTHENTICATED')
  const settings = { token: changed.body.token }
  expect((await adminApi.call('GET', '/api/admin/settings', settings)).status).toBe(200)
  await expire()
  expect((await adminApi.call('GET', '/api/admin/settings', settings)).status).toBe(403)
})

test('another name or the same password again is no change of a printed one', async () => {
  const currentPassword = await printed()
  const token = await adminApi.login({ password: currentPassword })
  const refused = { status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED', field: 'newPassword' } }
  expect(await change(token, { currentPassword, newUsername: 'boss' })).toMatchObject(refused)
  expect(
    await change(token, { currentPassword, newUsername: 'boss', newPassword: currentPassword }),
  ).toMatchObject(refused)
  expect((await change(token, { currentPassword, newPassword: 'password1' })).body.code).toBe('WEAK_PASSWORD')
  expect((await change(token, { currentPassword: 'guess', newPassword: chosen })).body.code).toBe(
    'WRONG_PASSWORD',
  )
  expect((await change(token, { currentPassword, newPassword: chosen })).status).toBe(200)
})

test('a printed password is good for 24 hours, also in a session that was opened with it', async () => {
  const password = await printed()
  const [row] = await adminApi.db.execute<{ hours: number }>(
    sql`select extract(epoch from one_time_until - now()) / 3600 as hours from admins`,
  )
  expect(Number(row?.hours)).toBeCloseTo(24, 1)
  const token = await adminApi.login({ password })
  await expire()
  const login = (more: object) => adminApi.call('POST', '/api/admin/login', { body: { ...owner, ...more } })
  const late = await login({ password })
  expect(late).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } })
  expect(late.body.error).toContain('reset-password')
  // Who does not have it learns nothing of it.
  expect((await login({ password: 'guess' })).body.code).toBe('INVALID_CREDENTIALS')
  expect((await change(token, { currentPassword: password, newPassword: chosen })).body.code).toBe(
    'PASSWORD_CHANGE_REQUIRED',
  )
  await adminApi.login({ password: await printed() })
})

test('where a second factor is required too, the password is changed first, then it is set up', async () => {
  const own = await adminApi.login()
  await adminApi.enrol(own)
  await adminApi.call('PATCH', '/api/admin/settings', { token: own, body: { requireOtp: true } })
  const text = await runAdmin(adminApi.db, ['create', 'second'])
  const currentPassword = /password (\S+)$/.exec(text)?.[1] ?? ''
  expect(text).toContain('24 hours')
  const token = await adminApi.login({ username: 'second', password: currentPassword })
  const setUp = (session: string) => adminApi.call('POST', '/api/admin/setup-otp', { token: session })
  expect((await setUp(token)).body.code).toBe('PASSWORD_CHANGE_REQUIRED')
  const { body } = await change(token, { currentPassword, newPassword: chosen })
  const { secret } = (await setUp(body.token)).body
  const confirm = { token: body.token, body: { otpCode: codeOf(secret) } }
  expect((await adminApi.call('POST', '/api/admin/otp/confirm', confirm)).status).toBe(200)
})

test('on a machine of one’s own a printed password is kept', async () => {
  const token = await adminApi.login({ password: await printed(true) })
  expect((await adminApi.call('GET', '/api/admin/settings', { token })).status).toBe(200)
})
