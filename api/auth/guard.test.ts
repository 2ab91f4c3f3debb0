import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { owner } from '../../e2e/lab/admin-api.ts'
import { methods, openGuarded } from '../../e2e/lab/guarded-calls.ts'

const { adminApi, someAddress, guarded, everything, expectRefused } = await openGuarded()

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
  const old = await adminApi.login()
  await adminApi.db.execute(sql`update sessions set created_at = now() - interval '12 hours 1 second'`)
  await expectRefused({ token: old }, 401, 'UNAUTHENTICATED')
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

test('no other method of any path answers or changes anything for a caller without access (I19)', async () => {
  const live = await adminApi.login()
  await adminApi.db.execute(sql`update settings set allowed_ips = '{10.1.2.3}'`)
  const before = await everything()
  const known = new Set(guarded().map(({ method, path }) => `${method} ${path}`))
  const paths = new Set(guarded().map(({ path }) => path))
  for (const [who, options] of [
    ['nobody', {}],
    ['a refused address', { token: live }],
  ] as const)
    for (const path of paths)
      for (const method of [...methods, 'HEAD', 'OPTIONS']) {
        if (known.has(`${method} ${path}`)) continue
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

test('no answer of the area may be cached by a browser or a proxy', async () => {
  const token = await adminApi.login()
  for (const path of ['/api/admin/me', '/api/admin/settings', '/api/admin/audit', '/api/admin/check-access'])
    expect((await adminApi.send('GET', path, { token })).headers.get('cache-control')).toBe('no-store')
})
