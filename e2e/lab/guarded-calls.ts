import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { openAdminApi } from './admin-api.ts'
import { forFile } from './opened.ts'

/** Open to everybody from a listed address: login and logout. */
const logins = new Set([
  'GET /api/admin/check-access',
  'POST /api/admin/login',
  'POST /api/admin/login/passkey',
  'POST /api/admin/logout',
])
/** What a caller may try on any path. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The administrator area of a file's tests: every guarded call, and what it changes. */
export async function openGuarded() {
  const adminApi = await forFile(openAdminApi())

  let strangers = 0
  /** Another one each time: strangers have a limit each. */
  const someAddress = () => `10.1.${3 + (++strangers >> 8)}.${strangers & 255}`

  /** Every route of the administrator area, with its parameters filled in. */
  const guarded = () =>
    adminApi.app.routes.routes
      .filter(({ path }) => path.startsWith('/api/admin') || path === '/api/raffle/execute-draw')
      .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, '1') }))
      .filter(({ method, path }) => !logins.has(`${method} ${path}`))

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
  const countAudit = async () =>
    (await adminApi.db.execute<{ n: number }>(sql`select count(*)::int n from audit`))[0]?.n ?? 0

  /** Sends every guarded call with a plausible body; each must be refused like this and change nothing. */
  async function expectRefused(options: { token?: string }, status: number, code: string) {
    const before = await everything()
    for (const { method, path } of guarded()) {
      const answer = await adminApi.call(method, path, {
        ...options,
        from: someAddress(),
        ...(method !== 'GET' && { body: { transactionHash: `0x${'1'.repeat(64)}`, requireOtp: false } }),
      })
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, status, code])
    }
    expect(await everything()).toBe(before)
  }

  return { adminApi, someAddress, guarded, everything, countAudit, expectRefused }
}
