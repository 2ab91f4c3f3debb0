import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockAdmin } from '../../db/admin/admins.ts'
import { addPasskey } from '../../db/admin/passkeys.ts'
import { openAdminApi, owner, wrongCodes } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { askedMeanwhile } from '../../e2e/lab/held.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(() => openAdminApi({ clock: passingClock() }))
const viewer = { username: 'viewer', password: 'a quiet stone bridge' }

/** Tries as somebody who logs in with an account of his own before every fifth; how many were looked at. */
async function lookedAt(tries: readonly Record<string, unknown>[], refusal: string): Promise<number> {
  let count = 0
  let token: string | undefined
  for (const [n, body] of tries.entries()) {
    if (n % 5 === 0) token = await adminApi.login(viewer, `10.2.0.${n}`)
    const answer = await adminApi.call('POST', '/api/admin/login', { token, body: { ...owner, ...body } })
    if (answer.body.code === refusal) count++
  }
  return count
}

test('whoever has an account is a stranger to every other: his sessions are no new tries (A1, A2)', async () => {
  await adminApi.addAdmin(viewer.username, viewer.password, true)
  const token = await adminApi.login()
  const { secret } = await adminApi.enrol(token)
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  const codes = wrongCodes(secret, 25).map((otpCode) => ({ otpCode }))
  expect(await lookedAt(codes, 'INVALID_OTP')).toBe(5)
  expect(await lookedAt(Array(25).fill({ password: 'wrong' }), 'INVALID_CREDENTIALS')).toBe(10)
})

test('a new name or password, which asks for no code, makes a session neither fresher nor longer (A7)', async () => {
  const token = await adminApi.login()
  const times = () => adminApi.db.execute(sql`select created_at, fresh_at, revoked_at from sessions`)
  const [before] = await times()
  const body = { currentPassword: owner.password, newUsername: 'boss' }
  const changed = await adminApi.call('PATCH', '/api/admin/credentials', { token, body })
  expect(await times()).toEqual([before])
  expect([await adminApi.me(token), await adminApi.me(changed.body.token)]).toEqual(['UNAUTHENTICATED', 200])
})

const key = {
  name: 'x',
  credentialId: 'x',
  publicKey: new Uint8Array(1),
  counter: 0,
  transports: [],
  rpId: 'x',
}

test.each(['code', 'passkey'])(
  'a login by password alone does not outlive the first %s (A2)',
  async (kind) => {
    await adminApi.db.execute(sql`update settings set require_otp = true`)
    const [{ id } = { id: 0 }] = await adminApi.db.execute<{ id: number }>(sql`select id from admins`)
    const login = await askedMeanwhile(adminApi.db, {
      take: (tx) => lockAdmin(tx, id),
      change: (tx) =>
        kind === 'passkey'
          ? addPasskey(tx, { ...key, adminId: id })
          : tx.execute(sql`update admins set otp_confirmed_at = now()`),
      ask: () => adminApi.login().catch(String),
    })
    expect(login).toContain('INVALID_CREDENTIALS')
    await expect(adminApi.login()).rejects.toThrow('OTP_REQUIRED')
  },
)
