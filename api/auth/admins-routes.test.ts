import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/settings.ts'
import { openAdminSession, owner } from '../../e2e/lab/admin-api.ts'
import { buildApi } from '../../e2e/lab/build-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(openAdminSession)
const path = '/api/admin/administrators'
const list = async () =>
  (await adminApi.ask('GET', path)).body as { id: number; username: string; isOwn: boolean }[]
const idOf = async (name: string) => (await list()).find(({ username }) => username === name)?.id ?? 0
const second = { username: 'second', readOnly: true }

test('an added administrator logs in with the password told once, chooses one, and is read-only', async () => {
  const added = await adminApi.ask('POST', path, second)
  expect(added).toMatchObject({
    status: 200,
    body: { administrator: { ...second, isOneTime: true, isOwn: false } },
  })
  const { password } = added.body
  expect(JSON.stringify(await listAudit(adminApi.db, {}, 5))).not.toContain(password)
  expect(JSON.stringify(await list())).not.toContain(password)
  const token = await adminApi.login({ username: 'second', password })
  expect(await adminApi.me(token)).toBe('PASSWORD_CHANGE_REQUIRED')
  const chosen = { currentPassword: password, newPassword: 'correct horse battery 2' }
  const changed = await adminApi.as(token)('PATCH', '/api/admin/credentials', chosen)
  const me = await adminApi.as(changed.body.token)('GET', '/api/admin/me')
  expect(me.body).toEqual({ user: { username: 'second', readOnly: true, language: null } })
  expect((await adminApi.ask('POST', path, { username: 'SECOND', readOnly: true })).body).toMatchObject({
    code: 'INVALID_VALUE',
    field: 'username',
  })
  for (const body of [
    { username: 'a b', readOnly: false },
    { username: 'Anonymous' },
    { username: 'x', readOnly: 'root' },
    {},
  ])
    expect((await adminApi.ask('POST', path, body)).status).toBe(422)
})

test('a change of rights ends the sessions of the one before, in every process at once', async () => {
  await adminApi.addAdmin('second', owner.password)
  const token = await adminApi.login({ username: 'second' })
  const other = buildApi({ db: adminApi.dbOf('api'), url: '' }, {})
  const elsewhere = () =>
    other.app.handle(
      new Request('http://localhost/api/admin/me', { headers: { authorization: `Bearer ${token}` } }),
    )
  expect((await elsewhere()).status).toBe(200)
  const id = await idOf('second')
  expect((await adminApi.ask('PATCH', `${path}/${id}`, { readOnly: true })).body).toMatchObject({
    readOnly: true,
  })
  expect((await elsewhere()).status).toBe(401)
  other.state.stop()
  const again = await adminApi.login({ username: 'second' })
  expect((await adminApi.as(again)('POST', path, second)).body.code).toBe('READ_ONLY')
  expect((await adminApi.ask('PATCH', `${path}/${id}`, { readOnly: true })).body.code).toBe('NO_CHANGES')
})

test('what is taken away while the session lives counts at the next call', async () => {
  await adminApi.addAdmin('second', owner.password)
  const token = await adminApi.login({ username: 'second' })
  await adminApi.db.execute(sql`update admins set read_only = true where username = 'second'`)
  expect((await adminApi.as(token)('POST', path, second)).body.code).toBe('READ_ONLY')
})

test('the last full administrator is neither removed nor made read-only, also by two at the same moment', async () => {
  const own = await idOf('owner')
  for (const [method, body] of [['DELETE'], ['PATCH', { readOnly: true }]] as const)
    expect((await adminApi.ask(method, `${path}/${own}`, body)).body.code).toBe('WOULD_LOCK_OUT')
  for (let round = 0; round < 5; round++) {
    await adminApi.addAdmin(`rival${round}`, owner.password)
    const [a, b] = [await adminApi.login(), await adminApi.login({ username: `rival${round}` })]
    const [{ id: his } = { id: 0 }] = await adminApi.db.execute<{ id: number }>(
      sql`select id from admins where username = ${`rival${round}`}`,
    )
    const answers = await Promise.all([
      adminApi.as(a)('DELETE', `${path}/${his}`),
      adminApi.as(b)('PATCH', `${path}/${own}`, { readOnly: true }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [{ n } = { n: 0 }] = await adminApi.db.execute<{ n: number }>(
      sql`select count(*)::int n from admins where not read_only and disabled_at is null`,
    )
    expect(n).toBe(1)
    await adminApi.db.execute(sql`update admins set read_only = id <> ${own}`)
  }
})

test('a full administrator who has not chosen a password yet is nobody to leave the place to', async () => {
  const own = await idOf('owner')
  const { password } = (await adminApi.ask('POST', path, { username: 'heir', readOnly: false })).body
  for (const [method, body] of [['DELETE'], ['PATCH', { readOnly: true }]] as const)
    expect((await adminApi.ask(method, `${path}/${own}`, body)).body.code).toBe('WOULD_LOCK_OUT')
  // Nor is he himself, with a password that is void after a day.
  expect((await adminApi.ask('POST', `${path}/${own}/reset-password`)).body.code).toBe('WOULD_LOCK_OUT')
  const token = await adminApi.login({ username: 'heir', password })
  const chosen = { currentPassword: password, newPassword: 'correct horse battery 2' }
  expect((await adminApi.as(token)('PATCH', '/api/admin/credentials', chosen)).status).toBe(200)
  expect((await adminApi.ask('DELETE', `${path}/${own}`)).status).toBe(200)
})

test('a removed administrator is out, and comes back only with a new password and no old second factor', async () => {
  await adminApi.addAdmin('second', owner.password, true)
  const token = await adminApi.login({ username: 'second' })
  await adminApi.enrol(token)
  const id = await idOf('second')
  expect((await adminApi.ask('DELETE', `${path}/${id}`)).status).toBe(200)
  expect(await adminApi.me(token)).toBe('UNAUTHENTICATED')
  const refused = await adminApi.call('POST', '/api/admin/login', { body: { ...owner, username: 'second' } })
  expect(refused.body.code).toBe('INVALID_CREDENTIALS')
  // Also where the removal alone stands in the way.
  await adminApi.db.execute(sql`
    update admins set password_hash = (select password_hash from admins where username = 'owner') where id = ${id}`)
  const known = await adminApi.call('POST', '/api/admin/login', { body: { ...owner, username: 'second' } })
  expect(known.body.code).toBe('INVALID_CREDENTIALS')
  expect((await adminApi.ask('DELETE', `${path}/${id}`)).body.code).toBe('NOT_FOUND')
  expect((await adminApi.ask('PATCH', `${path}/${id}`, { readOnly: false })).body.code).toBe('NOT_FOUND')
  const back = await adminApi.ask('POST', `${path}/${id}/reset-password`)
  expect(back.body.administrator).toMatchObject({ disabledAt: null, otpConfirmed: false, isOneTime: true })
  await adminApi.login({ username: 'second', password: back.body.password })
})

test('a change of administrators is audited with what it was before', async () => {
  await adminApi.addAdmin('second', owner.password, true)
  const id = await idOf('second')
  await adminApi.ask('PATCH', `${path}/${id}`, { readOnly: false })
  expect((await listAudit(adminApi.db, {}, 1))[0]).toMatchObject({
    action: 'admins.rights',
    outcome: '200',
    before: { username: 'second', readOnly: true },
    after: { username: 'second', readOnly: false },
  })
})
