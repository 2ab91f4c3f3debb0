import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { EnvError, parseEnv } from '../core/server/env.ts'
import type { TestDb } from '../e2e/lab/database.ts'
import { forEachTest } from '../e2e/lab/opened.ts'
import { usedDb } from '../e2e/lab/used-database.ts'
import { prepareDatabase } from './prepare.ts'

const own = forEachTest<TestDb>(usedDb)
const wallet = `0x${'1'.repeat(40)}` as const
const prepare = (vars: Record<string, string>, isLocal = false) =>
  prepareDatabase({ databaseUrl: own.url, env: parseEnv(vars), operatorWallet: wallet, isLocal })
const admins = () =>
  own.db.execute<{ username: string; isOneTime: boolean }>(
    sql`select username, one_time_until is not null as "isOneTime" from admins`,
  )

test('V3: a first password that is easy to guess makes nobody an administrator', async () => {
  const wrong: [Record<string, string>, string][] = [
    [{ ADMIN_PASSWORD: 'password' }, 'easy to guess'],
    [{ ADMIN_PASSWORD: '11111111' }, 'easy to guess'],
    [{ ADMIN_PASSWORD: 'PassWord1' }, 'easy to guess'],
    [{ ADMIN_PASSWORD: 'x1'.repeat(65) }, '8 to 128'],
    [{ ADMIN_USERNAME: 'boss', ADMIN_PASSWORD: 'the boss of it all' }, 'ADMIN_USERNAME'],
  ]
  for (const [vars, reason] of wrong) {
    const refused = await prepare(vars).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EnvError)
    const { message } = refused as EnvError
    expect(message).toMatch(/^ADMIN_PASSWORD /)
    expect(message).toContain(reason)
    expect(message).not.toContain(vars.ADMIN_PASSWORD)
  }
  expect(await admins()).toHaveLength(0)
})

test('a chosen first password stays, whatever the variable says later', async () => {
  const { createdAdmin } = await prepare({ ADMIN_PASSWORD: 'correct horse battery' })
  expect(createdAdmin).toMatchObject({ username: 'admin', isOneTime: false })
  expect((await prepare({ ADMIN_PASSWORD: 'password' })).createdAdmin).toBeUndefined()
  expect([...(await admins())]).toEqual([{ username: 'admin', isOneTime: false }])
})

test.each([
  ['is one-time', false],
  ['on a machine of one’s own is kept', true],
])('a printed first password %s', async (_, isLocal) => {
  const { createdAdmin } = await prepare({}, isLocal)
  expect(createdAdmin?.password).toMatch(/^[\w-]{16}$/)
  expect([...(await admins())]).toEqual([{ username: 'admin', isOneTime: !isLocal }])
})
