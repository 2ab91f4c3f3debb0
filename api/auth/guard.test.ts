import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/audit.ts'
import { openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const adminApi = await forFile(openAdminApi())

/** Open to everybody from a listed address: login and logout. */
const doors = new Set(['GET /api/admin/check-access', 'POST /api/admin/login', 'POST /api/admin/logout'])
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

let strangers = 0
/** Another one each time: strangers have a limit each. */
const someAddress = () => `10.1.${3 + (++strangers >> 8)}.${strangers & 255}`

/** Every route of the administrator area, with its parameters filled in. */
const guarded = () =>
  adminApi.app.routes.routes
    .filter(({ path }) => path.startsWith('/api/admin') || path === '/api/raffle/execute-draw')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
    .filter(({ method, path }) => !doors.has(`${method} ${path}`))

/** Everything in the database but the audit rows, as one text. */
async function everything(): Promise<string> {
  const tables = await adminApi.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^audit' order by 1`,
  )
  const dumps = []
  for (const { name } of tables)
    dumps.push(
      await adminApi.db.execute(sql.raw(`select '${name}', to_jsonb(t) from "${name}" t order by t::text`)),
    )
  return JSON.stringify(dumps)
}
/** Rows of single calls. */
const countAudit = async () =>
  (
    await adminApi.db.execute<{ n: number }>(sql`select count(*)::int n from audit where action <> 'refused'`)
  )[0]?.n ?? 0

/**
 * Sends every guarded call with a plausible body; each must be refused like this and change nothing. Of calls without
 * a session those that would change something are counted.
 */
async function expectRefused(options: { token?: string }, status: number, code: string) {
  const before = await everything()
  const last = await lastId()
  for (const { method, path } of guarded()) {
    const answer = await adminApi.call(method, path, {
      ...options,
      from: someAddress(),
      ...(method !== 'GET' && { body: { transactionHash: `0x${'1'.repeat(64)}`, requireOtp: false } }),
    })
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, status, code])
  }
  expect(await everything()).toBe(before)
  const count = guarded().filter(({ method }) => method !== 'GET').length
  const found = Object.values(await refusedSince(last))
  expect(found.reduce((sum, row) => sum + row.count, 0)).toBe(count)
  for (const row of found) expect(row).toMatchObject({ outcomes: [`${status}`], codes: [code] })
}

type Refused = Record<string, { count: number; outcomes: string[]; codes: string[] }>

/** The counted refusals after a row, by address: one row each, or two where a minute ended in between. */
async function refusedSince(last: number): Promise<Refused> {
  await adminApi.app.finish()
  const rows = (await listAudit(adminApi.db, { action: 'refused' }, 1_000)).filter(({ id }) => id > last)
  const found: Refused = {}
  for (const { actor, clientAddress, outcome, after } of rows) {
    expect(actor).toBe('anonymous')
    const { count, codes } = after as { count: number; codes: Record<string, number> }
    const known = found[`${clientAddress}`] ?? { count: 0, outcomes: [], codes: [] }
    found[`${clientAddress}`] = {
      count: known.count + count,
      outcomes: [...new Set([...known.outcomes, outcome])],
      codes: [...new Set([...known.codes, ...Object.keys(codes)])],
    }
  }
  return found
}
const lastId = async () => {
  await adminApi.app.finish()
  return (await listAudit(adminApi.db, {}, 1))[0]?.id ?? 0
}

test('the route table covers the whole administrator area', () => {
  expect(guarded().length).toBeGreaterThan(25)
})

test('no route answers or changes anything without a session (I19, I18)', async () => {
  await expectRefused({}, 401, 'UNAUTHENTICATED')
  await expectRefused({ token: 'x'.repeat(43) }, 401, 'UNAUTHENTICATED')
})

test('no route answers or changes anything with an ended session (I19, I20)', async () => {
  const token = await adminApi.login()
  await adminApi.db.execute(sql`update sessions set last_seen_at = now() - interval '31 minutes'`)
  await expectRefused({ token }, 401, 'UNAUTHENTICATED')
  const left = await adminApi.login()
  await adminApi.call('POST', '/api/admin/logout', { token: left })
  await expectRefused({ token: left }, 401, 'UNAUTHENTICATED')
})

test('no route answers or changes anything from a refused address, with or without a session (I19, A6)', async () => {
  const token = await adminApi.login()
  await adminApi.db.execute(sql`update settings set allowed_ips = '{10.1.2.3}'`)
  await expectRefused({ token }, 403, 'IP_NOT_ALLOWED')
  await expectRefused({}, 403, 'IP_NOT_ALLOWED')
  const before = await everything()
  for (const path of ['/api/admin/login', '/api/admin/logout'])
    expect((await adminApi.call('POST', path, { body: owner, from: '10.1.2.4' })).body.code).toBe(
      'IP_NOT_ALLOWED',
    )
  expect(await everything()).toBe(before)
  await adminApi.db.execute(sql`update settings set allowed_ips = '{}'`)
})

test('no method of any path answers or changes anything for a caller without access (I19)', async () => {
  const ended = await adminApi.login()
  await adminApi.db.execute(sql`update sessions set created_at = now() - interval '12 hours 1 second'`)
  const live = await adminApi.login()
  await adminApi.db.execute(sql`update settings set allowed_ips = '{10.1.2.3}'`)
  const before = await everything()
  const paths = new Set(guarded().map(({ path }) => path))
  for (const [who, options] of [
    ['nobody', {}],
    ['an ended session', { token: ended }],
    ['a refused address', { token: live }],
  ] as const)
    for (const path of paths)
      for (const method of [...methods, 'HEAD', 'OPTIONS']) {
        const body = method === 'GET' || method === 'HEAD' ? {} : { body: {} }
        const answer = await adminApi.send(method, path, { ...options, ...body, from: someAddress() })
        const text = await answer.text()
        const allowed = method === 'OPTIONS' ? [204] : [401, 403, 405]
        expect([who, method, path, allowed.includes(answer.status) || answer.status]).toEqual([
          who,
          method,
          path,
          true,
        ])
        expect([method, path, /"(error|code)"/.test(text) || text === '']).toEqual([method, path, true])
      }
  expect(await everything()).toBe(before)
  await adminApi.db.execute(sql`update settings set allowed_ips = '{}'`)
})

test('every other method of a path is 405 and names the allowed ones', async () => {
  const token = await adminApi.login()
  const known = new Map<string, string[]>()
  for (const { method, path } of guarded()) known.set(path, [...(known.get(path) ?? []), method])
  const before = await everything()
  for (const [path, own] of known)
    for (const method of methods.filter((name) => !own.includes(name))) {
      const { status, headers, body } = await adminApi.call(method, path, {
        token,
        ...(method !== 'GET' && { body: {} }),
      })
      expect([method, path, status, body.code]).toEqual([method, path, 405, 'METHOD_NOT_ALLOWED'])
      for (const name of own) expect(headers.get('allow')).toContain(name)
    }
  expect(await everything()).toBe(before)
})

test('no route fails on bad bodies, and each call leaves exactly one audit row (I18, I26)', async () => {
  const token = await adminApi.login()
  const json = { 'content-type': 'application/json' }
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '7',
    '{"__proto__":{"a":1}}',
    '{"constructor":null}',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    '{"unknown":"\\u0000\\ud800"}',
    `{"x":"${'y'.repeat(17_000)}"}`,
  ]
  // These take no body, and the last two wait for a worker.
  const bodiless = /logout|sessions|setup-otp|resume|export|winner|draw$/
  for (const { method, path } of guarded().filter(
    ({ method, path }) => method !== 'GET' && !bodiless.test(path),
  ))
    for (const body of bodies) {
      const rows = await countAudit()
      const { status, body: answer } = await adminApi.call(method, path, { token, body, headers: json })
      expect([path, body, [400, 404, 409, 413, 422].includes(status) || answer]).toEqual([path, body, true])
      expect([path, body, (await countAudit()) - rows]).toEqual([path, body, 1])
      expect(answer).toMatchObject({
        code: expect.any(String),
        error: expect.any(String),
        requestId: expect.any(String),
      })
    }
})

test('every call that changes something refuses a key that it does not have', async () => {
  const token = await adminApi.login()
  const before = await everything()
  const calls = guarded().filter(({ method }) => method !== 'GET')
  expect(calls.length).toBeGreaterThanOrEqual(40)
  for (const { method, path } of calls) {
    const { status, body } = await adminApi.call(method, path, { token, body: { nobodyHasThis: 1 } })
    expect([method, path, status, body.code]).toEqual([method, path, 422, 'UNKNOWN_FIELD'])
  }
  expect(await everything()).toBe(before)
})

test('calls without a body of their own take none, or an empty one', async () => {
  const token = await adminApi.login()
  const json = { 'content-type': 'application/json' }
  const send = (method: string, path: string, body: string) =>
    adminApi.call(method, path, { token, body, headers: json })
  const bodiless = guarded().filter(
    ({ method, path }) =>
      method !== 'GET' && /sessions|setup-otp|resume|export\/history|winner$|draw$|lost$|release$/.test(path),
  )
  expect(bodiless.length).toBeGreaterThanOrEqual(10)
  const before = await everything()
  for (const { method, path } of bodiless)
    for (const [body, status, code] of [
      ['{"secret":"GEZDGNBVGY3TQOJQ"}', 422, 'UNKNOWN_FIELD'],
      ['{"__proto__":{}}', 422, 'UNKNOWN_FIELD'],
      ['{', 400, 'BAD_JSON'],
      ['[]', 422, 'INVALID_VALUE'],
    ] as const) {
      const rows = await countAudit()
      const answer = await send(method, path, body)
      expect([method, path, body, answer.status, answer.body.code]).toEqual([
        method,
        path,
        body,
        status,
        code,
      ])
      expect((await countAudit()) - rows).toBe(1)
    }
  expect(await everything()).toBe(before)
  for (const body of ['', '{}']) expect((await send('POST', '/api/admin/setup-otp', body)).status).toBe(200)
  expect((await send('POST', '/api/admin/logout', '{"all":true}')).body.code).toBe('UNKNOWN_FIELD')
})

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

test('no answer of the area may be cached by a browser or a proxy', async () => {
  const token = await adminApi.login()
  for (const path of ['/api/admin/me', '/api/admin/settings', '/api/admin/audit', '/api/admin/check-access'])
    expect((await adminApi.send('GET', path, { token })).headers.get('cache-control')).toBe('no-store')
})
