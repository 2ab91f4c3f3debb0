import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { listAudit } from '../../db/admin/settings.ts'
import { letPass } from '../../e2e/lab/admin-api.ts'
import { openGuarded } from '../../e2e/lab/guarded-calls.ts'

const { adminApi } = await openGuarded()

test('an audit row holds actor, address, action, outcome, and the values before and after (I18)', async () => {
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
    action: 'login',
    outcome: '401',
    after: { refused: 'INVALID_CREDENTIALS', username: 'owner' },
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

test('refused strangers fill one row an address and minute, an IPv6 /64 as one, and a hundred in all (I18)', async () => {
  const rows = async () =>
    (
      await adminApi.db.execute<{ n: number }>(
        sql`select count(*)::int n from audit where actor = 'anonymous'`,
      )
    )[0]?.n
  const callFrom = (addresses: readonly string[]) =>
    Promise.all(addresses.map((from) => adminApi.call('POST', '/api/admin/login', { body: {}, from })))
  try {
    letPass(61)
    const before = (await rows()) ?? 0
    await callFrom(['2001:db8:7:7::1', '2001:db8:7:7::2', '10.9.0.1', '10.9.0.1'])
    expect(await rows()).toBe(before + 2)
    await callFrom(Array.from({ length: 250 }, (_, i) => `10.9.1.${i}`))
    expect(await rows()).toBe(before + 100)
    letPass(61)
    await callFrom(['10.9.0.1'])
    expect(await rows()).toBe(before + 101)
  } finally {
    vi.useRealTimers()
  }
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
