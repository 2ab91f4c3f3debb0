import { expect, test } from 'vitest'
import { openGuarded } from '../../e2e/lab/guarded-calls.ts'

const { adminApi, guarded, everything, countAudit } = await openGuarded()

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
  const bodiless =
    /logout|sessions|setup-otp|resume|stop-sale|export|winner|draw$|reset-password|reauth.passkey|passkeys.options/
  for (const { method, path } of guarded().filter(
    ({ method, path }) => method !== 'GET' && !bodiless.test(path),
  )) {
    const rows = await countAudit()
    for (const body of bodies) {
      const { status, body: answer } = await adminApi.call(method, path, { token, body, headers: json })
      expect([path, body, [400, 404, 409, 413, 422].includes(status) || answer]).toEqual([path, body, true])
      expect(answer).toMatchObject({
        code: expect.any(String),
        error: expect.any(String),
        requestId: expect.any(String),
      })
    }
    expect([path, (await countAudit()) - rows]).toEqual([path, bodies.length])
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
      method !== 'GET' && /sessions|setup-otp|resume|export\/history|winner$|draw$|release$/.test(path),
  )
  expect(bodiless.length).toBeGreaterThanOrEqual(9)
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
