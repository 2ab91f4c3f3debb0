import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/audit.ts'
import { openGuarded } from '../../e2e/lab/guarded-calls.ts'

const { adminApi, refusedSince, lastId } = await openGuarded()

test('an audit row holds actor, address, action, outcome, and the values before and after (I18)', async () => {
  await adminApi.app.finish()
  const token = await adminApi.login({}, '10.4.4.4')
  const body = { allowedIps: ['10.0.0.0/8'] }
  const done = await adminApi.call('PATCH', '/api/admin/settings', { token, body, from: '10.4.4.4' })
  await adminApi.call('PATCH', '/api/admin/settings', {
    token,
    body: { allowedIps: ['192.168.1.1'] },
    from: '10.4.4.4',
  })
  await adminApi.call('POST', '/api/admin/login', {
    body: { username: 'owner', password: 'a secret typed wrong' },
    from: '10.4.4.4',
  })
  await adminApi.app.finish()
  const [login, refused, saved] = await listAudit(adminApi.db, {}, 3)
  expect(saved).toMatchObject({
    actor: 'owner',
    clientAddress: '10.4.4.4',
    action: 'settings',
    outcome: '200',
    before: { allowedIps: [], requireOtp: false },
    after: { allowedIps: ['10.0.0.0/8'], requireOtp: false },
    requestId: done.headers.get('x-request-id'),
  })
  expect(refused).toMatchObject({ outcome: '409', after: { refused: 'WOULD_LOCK_OUT' } })
  expect(login).toMatchObject({
    actor: 'anonymous',
    action: 'refused',
    outcome: '401',
    after: { refused: 'INVALID_CREDENTIALS', count: 1, lastAction: 'login', username: 'owner' },
  })
  expect(JSON.stringify(await listAudit(adminApi.db, {}))).not.toContain('a secret typed wrong')
  // No value before is SQL null, written alone or with others.
  expect(await adminApi.db.execute(sql`select 1 from audit where before = 'null' or after = 'null'`)).toEqual(
    [],
  )
  await adminApi.db.execute(sql`update settings set allowed_ips = '{}'`)
})

test('the audit log is read in pages of 100 and cannot be changed', async () => {
  const token = await adminApi.login()
  for (let rows = 0; rows < 200; rows++)
    await adminApi.call('PATCH', '/api/admin/settings', { token, body: {} })
  const get = (query: string) =>
    adminApi.call('GET', `/api/admin/audit?${query}`, { token }).then(({ body }) => body)
  const first = await get('')
  expect(first).toHaveLength(100)
  const second = await get(`cursor=${first[99].id}`)
  expect(second[0].id).toBe(first[99].id - 1)
  expect(
    new Set((await get('action=settings&outcome=409')).map((row: { outcome: string }) => row.outcome)),
  ).toEqual(new Set(['409']))
  for (const query of ['cursor=x', `action=${'x'.repeat(200)}`, 'actor=%00'])
    expect((await get(query)).code).toBe('INVALID_VALUE')
  await expect(adminApi.db.execute(sql`delete from audit`)).rejects.toThrow()
  await expect(adminApi.db.execute(sql`update audit set actor = 'x'`)).rejects.toThrow()
})

test('strangers fill one row an address, an IPv6 /64 as one, and the rest of them one together (I18)', async () => {
  const last = await lastId()
  const callFrom = (addresses: readonly string[]) =>
    Promise.all(addresses.map((from) => adminApi.call('POST', '/api/admin/login', { body: {}, from })))
  await callFrom(['2001:db8:7:7::1', '2001:db8:7:7::2', '10.9.0.1', '10.9.0.1'])
  await callFrom(Array.from({ length: 250 }, (_, i) => `10.9.1.${i}`))
  const found = await refusedSince(last)
  expect(Object.values(found).reduce((sum, { count }) => sum + count, 0)).toBe(254)
  expect([found['2001:0db8:0007:0007::/64']?.count, found['10.9.0.1']?.count]).toEqual([2, 2])
  expect(found.null?.count).toBeGreaterThan(0)
})

test('an administrator of any name leaves rows, also one who calls himself anonymous (I18)', async () => {
  const body = { username: 'anonymous', password: 'correct horse battery' }
  await adminApi.addAdmin(body.username, body.password)
  expect((await adminApi.call('POST', '/api/admin/login', { body })).status).toBe(200)
  expect((await listAudit(adminApi.db, {}, 1))[0]).toMatchObject({
    actor: 'anonymous',
    action: 'login',
    outcome: '200',
  })
})

test('a session that must set up a second factor has its own row for what it is refused (I18)', async () => {
  await adminApi.db.execute(sql`update settings set require_otp = true`)
  const token = await adminApi.login()
  await adminApi.call('POST', '/api/raffle/execute-draw', { token, body: {} })
  expect((await listAudit(adminApi.db, {}, 1))[0]).toMatchObject({
    actor: 'owner',
    action: 'draw',
    outcome: '409',
    after: { refused: 'OTP_NOT_SET_UP' },
  })
  await adminApi.db.execute(sql`update settings set require_otp = false`)
})
