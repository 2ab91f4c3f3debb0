import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/settings.ts'
import { codeOf, openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { createAuthenticator } from '../../e2e/lab/authenticator.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { runAdmin } from '../../infra/cli/admin.ts'

const origin = 'https://raffle.example'
const adminApi = forEachTest(() => openAdminApi({ allowedOrigins: [origin], clock: passingClock() }))
const post = (path: string, body?: unknown, token?: string, headers: Record<string, string> = {}) =>
  adminApi.call('POST', `/api/admin${path}`, { body, token, headers: { origin, ...headers } })

/** A session, and a device that was registered with it. */
async function registered(counter = 0) {
  const token = await adminApi.login()
  const device = createAuthenticator()
  const { challenge } = (await post('/passkeys/options', undefined, token)).body
  const added = await post(
    '/passkeys',
    { name: 'Phone', ...device.register({ challenge, origin, counter }) },
    token,
  )
  expect(added.status).toBe(200)
  return { token, device, added: added.body }
}
/** The same, where a second factor is required. */
async function required(counter = 0) {
  const all = await registered(counter)
  const saved = await adminApi.call('PATCH', '/api/admin/settings', {
    token: all.token,
    body: { requireOtp: true },
    headers: { origin },
  })
  expect(saved.status).toBe(200)
  return all
}
const ask = async (headers = {}) => (await post('/login/passkey', owner, undefined, headers)).body.passkey
const login = async (passkey: unknown, headers = {}) => {
  const { status, body } = await post('/login', { ...owner, passkey }, undefined, headers)
  return status === 200 ? status : body.code
}

test('a registered passkey is the second factor of a login, and the audit list says so', async () => {
  const { device, added } = await required()
  expect(added).toMatchObject({ passkey: { name: 'Phone', site: 'raffle.example', lastUsedAt: null } })
  expect(added.recoveryCodes).toHaveLength(10)
  expect((await post('/login', owner)).body.code).toBe('OTP_REQUIRED')
  const options = await ask()
  expect(options).toMatchObject({ rpId: 'raffle.example', userVerification: 'required' })
  expect(options.allowCredentials).toMatchObject([{ id: device.id }])
  const answer = await post('/login', {
    ...owner,
    passkey: device.sign({ challenge: options.challenge, origin }),
  })
  expect(answer.status).toBe(200)
  const [row] = await listAudit(adminApi.db, { action: 'login' }, 1)
  expect(row?.after).toEqual({ secondFactor: 'passkey' })
  const [key] = (await adminApi.as(answer.body.token)('GET', '/api/admin/passkeys')).body
  expect(key.lastUsedAt).not.toBeNull()
  // A code for an emergency works as well, once.
  const recoveryCode = added.recoveryCodes[0]
  expect((await post('/login', { ...owner, recoveryCode })).status).toBe(200)
  expect((await post('/login', { ...owner, recoveryCode })).body.code).toBe('INVALID_OTP')
})

test('an answer counts once, for two minutes, for the browser that asked', async () => {
  const { device } = await required()
  const sign = (challenge: string) => device.sign({ challenge, origin })
  const used = sign((await ask()).challenge)
  const both = await Promise.all([login(used), login(used)])
  expect(both.sort()).toEqual([200, 'INVALID_PASSKEY'])
  const late = await ask()
  await adminApi.db.execute(sql`update passkey_challenges set created_at = now() - interval '121 seconds'`)
  expect(await login(sign(late.challenge))).toBe('INVALID_PASSKEY')
  const elsewhere = await ask({ cookie: `__Host-admin=${'a'.repeat(43)}` })
  expect(
    await login(sign(elsewhere.challenge), {
      cookie: `__Host-admin=${'b'.repeat(43)}`,
    }),
  ).toBe('INVALID_PASSKEY')
  expect(await login(sign('bm90IGFza2Vk'))).toBe('INVALID_PASSKEY')
})

test('an answer of another site, device, counter, or without unlocking is refused', async () => {
  const { device, token } = await required(5)
  const next = async () => (await ask()).challenge as string
  const evil = 'https://raffle.example.evil'
  expect(await login(device.sign({ challenge: await next(), origin: evil, counter: 6 }))).toBe(
    'INVALID_PASSKEY',
  )
  expect(
    await login(device.sign({ challenge: await next(), origin: evil, rpId: 'raffle.example', counter: 6 })),
  ).toBe('INVALID_PASSKEY')
  expect(await login(device.sign({ challenge: await next(), origin, isVerified: false, counter: 6 }))).toBe(
    'INVALID_PASSKEY',
  )
  const stranger = {
    ...createAuthenticator().sign({ challenge: await next(), origin, counter: 6 }),
    id: device.id,
  }
  expect(await login(stranger)).toBe('INVALID_PASSKEY')
  expect(await login(device.sign({ challenge: await next(), origin, counter: 5 }))).toBe('INVALID_PASSKEY')
  expect(await login(device.sign({ challenge: await next(), origin, counter: 7 }))).toBe(200)
  expect(await login(device.sign({ challenge: await next(), origin, counter: 6 }))).toBe('INVALID_PASSKEY')
  expect(await adminApi.me(token)).toBe(200)
})

test('a passkey opens nothing without the password, or from another address, and no wrong answer is counted', async () => {
  const { device, token } = await required()
  const wrong = { ...owner, password: 'wrong wrong wrong' }
  expect((await post('/login/passkey', wrong)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await post('/login/passkey', { ...wrong, username: 'nobody' })).body.code).toBe(
    'INVALID_CREDENTIALS',
  )
  const { challenge } = await ask()
  const passkey = device.sign({ challenge, origin })
  expect((await post('/login', { ...wrong, passkey })).body.code).toBe('INVALID_CREDENTIALS')
  await adminApi.db.execute(sql`update settings set allowed_ips = '{192.0.2.1}'`)
  expect(await login(passkey)).toBe('IP_NOT_ALLOWED')
  expect((await post('/login/passkey', owner)).body.code).toBe('IP_NOT_ALLOWED')
  await adminApi.db.execute(sql`update settings set allowed_ips = '{}'`)
  for (let n = 0; n < 5; n++) expect(await login({ ...passkey, signature: 'AAAA' })).toBe('INVALID_PASSKEY')
  const good = device.sign({ challenge: (await ask()).challenge, origin })
  expect(await login(good)).toBe(200)
  expect(await adminApi.me(token)).toBe(200)
})

test("a challenge of another purpose or administrator does not count, nor another's passkey", async () => {
  const { device, token } = await required()
  const asked = await post('/reauth/passkey', undefined, token)
  expect(await login(device.sign({ challenge: asked.body.passkey.challenge, origin }))).toBe(
    'INVALID_PASSKEY',
  )
  const { challenge } = await ask()
  const passkey = device.sign({ challenge, origin })
  expect((await post('/reauth', { password: owner.password, passkey }, token)).body.code).toBe(
    'INVALID_PASSKEY',
  )
  const again = (await post('/reauth/passkey', undefined, token)).body.passkey.challenge
  const fresh = { password: owner.password, passkey: device.sign({ challenge: again, origin }) }
  expect((await post('/reauth', fresh, token)).status).toBe(200)

  await adminApi.addAdmin('second', owner.password)
  const body = { username: 'second', password: owner.password }
  const second = (await post('/login', body)).body.token
  expect((await adminApi.as(second)('GET', '/api/admin/audit')).body.code).toBe('OTP_NOT_SET_UP')
  const own = createAuthenticator()
  const options = (await post('/passkeys/options', undefined, second)).body
  const made = { name: 'Key', ...own.register({ challenge: options.challenge, origin }) }
  // Somebody else's session does not register on it.
  expect((await post('/passkeys', made, token)).body.code).toBe('INVALID_PASSKEY')
  expect((await post('/passkeys', made, second)).status).toBe(200)
  expect((await adminApi.as(second)('GET', '/api/admin/audit')).status).toBe(200)
  const asOwner = (await post('/login/passkey', body)).body.passkey.challenge
  const stolen = device.sign({ challenge: asOwner, origin })
  expect((await post('/login', { ...body, passkey: stolen })).body.code).toBe('INVALID_PASSKEY')
})

test('a passkey of another site, without unlocking, twice, or in an old session is not registered', async () => {
  const token = await adminApi.login()
  const options = async () => (await post('/passkeys/options', undefined, token)).body.challenge
  const device = createAuthenticator()
  for (const made of [
    device.register({ challenge: await options(), origin: 'https://evil.example' }),
    device.register({ challenge: await options(), origin, rpId: 'evil.example' }),
    device.register({ challenge: await options(), origin, isVerified: false }),
    device.register({ challenge: 'bm90IGFza2Vk', origin }),
    { ...device.register({ challenge: await options(), origin }), attestationObject: 'AAAA' },
  ])
    expect((await post('/passkeys', { name: 'x', ...made }, token)).body.code).toBe('INVALID_PASSKEY')
  const good = { name: 'x', ...device.register({ challenge: await options(), origin }) }
  expect((await post('/passkeys', good, token)).status).toBe(200)
  expect((await post('/passkeys', good, token)).body.code).toBe('INVALID_PASSKEY')
  const again = device.register({ challenge: await options(), origin })
  expect((await post('/passkeys', { name: 'y', ...again }, token)).body.code).toBe('INVALID_PASSKEY')
  await adminApi.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  expect((await post('/passkeys/options', undefined, token)).body.code).toBe('REAUTH_REQUIRED')
  const [key] = (await adminApi.as(token)('GET', '/api/admin/passkeys')).body
  expect((await adminApi.as(token)('DELETE', `/api/admin/passkeys/${key.id}`)).body.code).toBe(
    'REAUTH_REQUIRED',
  )
})

test('beside a code either is taken, a removed passkey is not, and reset-otp drops them all', async () => {
  const { device, token } = await registered()
  const { secret } = await adminApi.enrol(token)
  await adminApi.db.execute(sql`update settings set require_otp = true`)
  expect((await post('/login/passkey', owner)).body.otp).toBe(true)
  expect((await post('/login', { ...owner, otpCode: codeOf(secret) })).status).toBe(200)
  const signed = device.sign({ challenge: (await ask()).challenge, origin })
  expect(await login(signed)).toBe(200)
  const [key] = (await adminApi.as(token)('GET', '/api/admin/passkeys')).body
  const pending = await ask()
  expect((await adminApi.as(token)('DELETE', `/api/admin/passkeys/${key.id}`)).status).toBe(200)
  expect(await login(device.sign({ challenge: pending.challenge, origin }))).toBe('INVALID_PASSKEY')
  expect(await ask()).toBeNull()
  expect((await post('/login', owner)).body.code).toBe('OTP_REQUIRED')
  await adminApi.db.execute(sql`update settings set require_otp = false`)
  await registered()
  await runAdmin(adminApi.deps.db, ['reset-otp', 'owner'])
  expect(await adminApi.db.execute(sql`select 1 from passkeys`)).toHaveLength(0)
})
