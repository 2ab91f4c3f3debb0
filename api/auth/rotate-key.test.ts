import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { channelRow, secretBox } from '../../core/server/secrets.ts'
import { findAdmin } from '../../db/admin/admins.ts'
import { addChannel } from '../../db/notify/tell.ts'
import { channels } from '../../db/schema/index.ts'
import { codeOf, openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { buildApi, siteProxyToken } from '../../e2e/lab/build-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { secondsFromNow } from '../../e2e/lab/test-time.ts'
import { runAdmin } from '../../infra/cli/admin.ts'
import { claimCodes } from '../prize/claim-messages.ts'
import { uploadSigner } from '../upload/schema.ts'
import { rotateKey } from './rotate-key.ts'

const adminApi = forEachTest(openAdminApi)
const next = '8d1f3c5ab2e94760d5c8f1a3e7b60492'
const former = () => adminApi.deps.admin.secretKey
const both = () => ({ secretKey: next, secretKeyOld: former() })

/** Enrols a second factor with the former key and requires it. */
async function enrol() {
  const token = await adminApi.login()
  const { secret } = await adminApi.enrol(token)
  await adminApi.call('PATCH', '/api/admin/settings', { token, body: { requireOtp: true } })
  return secret
}

/** Status of a login at an API with these keys, after a restart of it. */
async function loginWith(keys: { secretKey: string; secretKeyOld?: string }, otpCode: string) {
  const { db, deps } = adminApi
  const { app, state } = buildApi({ db, url: deps.admin.databaseUrl }, { admin: keys })
  const answer = await app.handle(
    new Request('http://localhost/api/admin/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-site-proxy': siteProxyToken },
      body: JSON.stringify({ ...owner, otpCode }),
    }),
  )
  state.stop()
  return answer.status
}

test('a second factor goes on through a new key, by the commands of the runbook', async () => {
  const secret = await enrol()
  expect(await loginWith({ secretKey: next }, codeOf(secret))).toBe(401)
  // With both keys it is read at once, before anything was encrypted anew.
  expect(await loginWith(both(), codeOf(secret))).toBe(200)
  const [command = '', text] = await typed(/admin\.js (rotate-key)$/m, both())
  expect([command, text]).toEqual(['rotate-key', expect.stringContaining('encrypted anew: 1. All open')])
  expect((await typed(/admin\.js (rotate-key)$/m, both()))[1]).toContain('encrypted anew: 0. All open')
  expect(await loginWith({ secretKey: next }, codeOf(secret, 1))).toBe(200)
  expect(await loginWith({ secretKey: former() }, codeOf(secret, 1))).toBe(401)
})

/** Types what the runbook says under "A new SECRET_KEY". */
async function typed(pattern: RegExp, keys: ReturnType<typeof both>): Promise<[string?, string?]> {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/run/keys.md'), 'utf8')
  const part = runbook.split('## A new SECRET_KEY')[1]?.split('\n## ')[0] ?? ''
  const command = pattern.exec(part)?.[1]
  return command ? [command, await runAdmin(adminApi.db, [command], { keys })] : []
}

test('a set-up that waits for its first code goes on, and what no key opens is named', async () => {
  const token = await adminApi.login()
  const { secret } = (await adminApi.call('POST', '/api/admin/setup-otp', { token })).body
  expect(await rotateKey(adminApi.db, both())).toEqual({ renewed: 1, lost: [] })
  const pending = (await findAdmin(adminApi.db, owner.username))?.otpPendingSecret as Uint8Array
  expect(secretBox({ secretKey: next }).open(pending, 'otp 1')).toHaveLength(20)
  const unknown = {
    secretKey: 'c3a7e1f0d95b4826a0e4d7c1b83f5962',
    secretKeyOld: 'neither of them is the key it had',
  }
  expect(await rotateKey(adminApi.db, unknown)).toEqual({ renewed: 0, lost: [owner.username] })
  expect(await runAdmin(adminApi.db, ['rotate-key'], { keys: unknown })).toContain('reset-otp')
  for (const keys of [{}, { secretKey: next }, { secretKeyOld: next }])
    await expect(runAdmin(adminApi.db, ['rotate-key'], { keys })).rejects.toThrow('SECRET_KEY_OLD')
  expect(codeOf(secret)).toMatch(/^\d{6}$/)
})

test('a channel of notifications goes on through a new key, and one that no key opens is named', async () => {
  const { db } = adminApi
  const sealedWith = (secretKey: string, name: string) =>
    addChannel(db, { kind: 'webhook', name, language: 'ko', settings: { host: 'a.example' } }, (id) =>
      secretBox({ secretKey }).seal(Buffer.from(`token of ${name}`), channelRow(id)),
    )
  const id = await sealedWith(former(), 'team')
  const opened = async (secretKey: string) => {
    const [row] = await db.select().from(channels).where(eq(channels.id, id))
    return secretBox({ secretKey })
      .open(row?.secret as Uint8Array, channelRow(id))
      ?.toString()
  }
  const rotate = () => runAdmin(db, ['rotate-key'], { keys: both() })
  expect(await rotate()).toContain('Channels: 1. All open with SECRET_KEY alone.')
  expect([await opened(next), await opened(former())]).toEqual(['token of team', undefined])
  expect(await rotate()).not.toContain('Channels')
  await sealedWith('neither of them is the key it had', 'lost one')
  const told = await rotate()
  expect(told).toContain('Neither key opens the channels lost one')
  expect(told).not.toContain('All open')
  expect(await opened(next)).toBe('token of team')
})

test('the runbook replaces the workers too: they open what channels have with the key', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/run/keys.md'), 'utf8')
  for (const title of ['## A new SECRET_KEY', '## Leaked SECRET_KEY']) {
    const part = runbook.split(title)[1]?.split('\n## ')[0] ?? ''
    const started = [...part.matchAll(/docker compose up -d([\w ]*)/g)].map(([, services]) =>
      services?.trim(),
    )
    expect(new Set(started)).toEqual(new Set(['api worker']))
  }
})

test('codes of winners and signed uploads of the key before are good while it is named', () => {
  const winner = { eventNumber: 1, place: 1, walletAddress: `0x${'1'.repeat(40)}` } as const
  const old = claimCodes({ secretKey: former() })
  const now = claimCodes(both())
  expect(now.codeFor(winner)).not.toBe(old.codeFor(winner))
  for (const code of [old.codeFor(winner), now.codeFor(winner)]) expect(now.isCodeOf(code, winner)).toBe(true)
  expect(now.isCodeOf(old.codeFor({ ...winner, place: 2 }), winner)).toBe(false)
  expect(claimCodes({ secretKey: next }).isCodeOf(old.codeFor(winner), winner)).toBe(false)
  const upload = {
    ...{ key: `${'a'.repeat(32)}.png`, contentType: 'image/png' as const, size: 9 },
    expires: secondsFromNow(3_600),
  }
  const query = Object.fromEntries(new URLSearchParams(uploadSigner({ secretKey: former() }).sign(upload)))
  expect(uploadSigner(both()).verify(upload.key, query)).toEqual(upload)
  expect(() => uploadSigner({ secretKey: next }).verify(upload.key, query)).toThrow()
})
