import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getSettings, listAudit, saveSettings } from '../../db/admin/settings.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { runAdmin } from './admin.ts'

const adminApi = forEachTest(openAdminApi)

/** As in the container of the API, with its login. */
const run = (...args: string[]) => runAdmin(adminApi.deps.db, args)
const lastRow = async () => (await listAudit(adminApi.db, {}, 1))[0]
const passwordIn = (text: string): string => /password (\S+)$/.exec(text)?.[1] ?? ''

test('a new administrator logs in with the one-time password', async () => {
  const password = passwordIn(await run('create', 'second'))
  expect(await lastRow()).toMatchObject({
    action: 'cli.create',
    outcome: 'cli',
    after: { username: 'second' },
  })
  expect(JSON.stringify(await lastRow())).not.toContain(password)
  await adminApi.login({ username: 'second', password })
  await expect(run('create', 'SECOND')).rejects.toThrow('already')
  await expect(run('create', 'a b')).rejects.toThrow('no name')
  expect(await lastRow()).toMatchObject({ action: 'cli.create', outcome: 'cli refused' })
})

test('a new password ends the sessions of the old one', async () => {
  const token = await adminApi.login()
  const password = passwordIn(await run('reset-password', 'Owner'))
  expect((await adminApi.call('GET', '/api/admin/me', { token })).status).toBe(401)
  await expect(adminApi.login()).rejects.toThrow('INVALID_CREDENTIALS')
  await adminApi.login({ ...owner, password })
  await expect(run('reset-password', 'nobody')).rejects.toThrow('no administrator')
})

test('after a lost phone the password alone logs in, but only to set up another one', async () => {
  await saveSettings(adminApi.db, { requireOtp: true })
  await run('reset-otp', 'owner')
  const token = await adminApi.login()
  expect((await adminApi.call('GET', '/api/admin/payments', { token })).body.code).toBe('OTP_NOT_SET_UP')
  expect((await adminApi.call('POST', '/api/admin/setup-otp', { token })).status).toBe(200)
})

test('a locked-out address is allowed again, and audited (A5)', async () => {
  await saveSettings(adminApi.db, { allowedIps: ['192.168.1.1'] })
  await expect(adminApi.login()).rejects.toThrow('IP_NOT_ALLOWED')
  await expect(run('allow-ip', 'here')).rejects.toThrow()
  await run('allow-ip', '10.1.2.0/24')
  await adminApi.login()
  expect(await lastRow()).toBeDefined()
  expect((await getSettings(adminApi.db)).allowedIps).toEqual(['192.168.1.1', '10.1.2.0/24'])
  await run('allow-ip', '--all')
  expect(await lastRow()).toMatchObject({
    action: 'cli.allow-ip',
    outcome: 'cli',
    before: ['192.168.1.1', '10.1.2.0/24'],
    after: [],
  })
  await run('allow-ip', '10.1.2.3')
  expect((await getSettings(adminApi.db)).allowedIps).toEqual([])
})

test('a sale is stopped once', async () => {
  expect(await run('stop-sale')).toContain('event 1')
  expect((await getOpenEvent(adminApi.db))?.stoppedAt).not.toBeNull()
  await expect(run('stop-sale')).rejects.toThrow('ended already')
})

test('an administrator is full, or read-only if asked for, and nobody who was removed gets a password here', async () => {
  const password = passwordIn(await run('create', 'third', '--read-only'))
  expect(await lastRow()).toMatchObject({ after: { username: 'third', readOnly: true } })
  const read_only = await adminApi.db.execute(
    sql`update admins set disabled_at = now() where username = 'third' returning read_only`,
  )
  expect(read_only).toEqual([{ read_only: true }])
  await expect(run('reset-password', 'third')).rejects.toThrow('was removed')
  await expect(adminApi.login({ username: 'third', password })).rejects.toThrow('401')
})

test('any other command prints the usage', async () => {
  for (const args of [
    [],
    ['help'],
    ['create'],
    ['create', 'a', 'owner'],
    ['stop-sale', 'now'],
    ['__proto__', 'x'],
  ])
    await expect(run(...args)).rejects.toThrow(' run admin <command>')
})
