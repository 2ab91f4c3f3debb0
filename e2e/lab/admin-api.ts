import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { vi } from 'vitest'
import { createAdmin } from '../../db/admin/admins.ts'
import { buildApi, type Changed } from './build-api.ts'
import { openEvent } from './ledger-story.ts'
import { usedDb } from './used-database.ts'

export const owner = { username: 'owner', password: 'correct horse battery' }
/** As cheap as argon2 can be: what is compared says itself what it costs, and api/auth/login.test.ts sees the real cost. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export type AdminApi = Awaited<ReturnType<typeof openAdminApi>>

/** The whole API on a database of its own, with event 1 open and one administrator. */
export async function openAdminApi({ admin, ...changed }: Changed = {}) {
  const database = await usedDb()
  const { db } = database
  const event = await openEvent(db)
  await addAdmin(owner.username, owner.password)
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-admin-'))
  const { deps, state, app, send, call } = buildApi(
    { db: database.dbOf('api'), url: database.urlOf('api') },
    { admin: { storageUrl: pathToFileURL(dir).href, ...admin }, ...changed },
  )
  await state.refresh()

  async function addAdmin(username: string, password: string, readOnly = false): Promise<void> {
    await createAdmin(db, { username, passwordHash: await hash(password, cheap), readOnly })
  }
  /** Calls with this session. */
  const as = (token: string, from?: string) => (method: string, path: string, body?: unknown) =>
    call(method, path, { token, body, from })
  /** Status of the session's first call, or the code of its refusal. */
  async function me(token: string, from?: string): Promise<number | string> {
    const { status, body } = await as(token, from)('GET', '/api/admin/me')
    return body.code ?? status
  }
  /** Sets up a second factor and confirms it; the code of now can be used again. */
  async function enrol(token: string): Promise<{ secret: string; recoveryCodes: string[] }> {
    const { secret } = (await as(token)('POST', '/api/admin/setup-otp')).body
    const confirmed = await as(token)('POST', '/api/admin/otp/confirm', { otpCode: codeOf(secret) })
    if (confirmed.status !== 200) throw new Error(`enrol: ${confirmed.status}`)
    await db.execute(sql`update admins set otp_last_step = otp_last_step - 2 where otp_last_step > 0`)
    return { secret, recoveryCodes: confirmed.body.recoveryCodes }
  }
  async function login(more: Record<string, unknown> = {}, from?: string): Promise<string> {
    const { status, body } = await call('POST', '/api/admin/login', { body: { ...owner, ...more }, from })
    if (status !== 200) throw new Error(`login: ${status} ${JSON.stringify(body)}`)
    return body.token
  }

  return {
    ...{ db, app, deps, dir, event, addAdmin, send, call, as, me, enrol, login },
    /** As another program has it, where a test plays that one. */
    dbOf: database.dbOf,
    close: async () => {
      app.leave()
      state.stop()
      await database.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The same with a session of the owner, who has a second factor that no login asks for; `ask` makes a call of it. */
export async function openAdminSession(changed: Changed = {}) {
  const adminApi = await openAdminApi(changed)
  await adminApi.db.execute(sql`update admins set otp_confirmed_at = now()`)
  const token = await adminApi.login()
  return { ...adminApi, token, ask: adminApi.as(token) }
}

/** Lets so much time pass for what is counted in memory, until `vi.useRealTimers()`; the database keeps its own time. */
export function letPass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + seconds * 1_000)
}

/** The code that an authenticator app shows for a secret, `steps` from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Codes that are not the secret's, nor will be in the next minutes. */
export function wrongCodes(secret: string, count: number): string[] {
  const right = [-1, 0, 1, 2, 3, 4].map((steps) => codeOf(secret, steps))
  const codes = Array.from({ length: count + right.length }, (_, at) => `${at}`.padStart(6, '0'))
  return codes.filter((code) => !right.includes(code)).slice(0, count)
}
