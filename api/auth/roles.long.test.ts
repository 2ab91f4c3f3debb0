import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { AdminRole } from '../../core/admin/roles.ts'
import { listAudit } from '../../db/admin/audit.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const adminApi = await forFile(openAdminApi())
const password = 'another horse battery'
const tokens = new Map<AdminRole, string>()
for (const role of ['auditor', 'operator'] as const) {
  await adminApi.addAdmin(role, password, role)
  tokens.set(role, await adminApi.login({ username: role, password }))
}

/** Open without a session, or a signed address alone. */
const logins = ['POST /api/admin/login', 'POST /api/admin/login/passkey', 'POST /api/admin/logout']
/** One's own account, files, and a question about a code: written into the audit list, and open to every role. */
const forAll = [
  'POST /api/admin/reauth',
  'PATCH /api/admin/credentials',
  'PATCH /api/admin/me/language',
  'POST /api/admin/setup-otp',
  'POST /api/admin/otp/confirm',
  'POST /api/admin/reauth/passkey',
  'POST /api/admin/passkeys/options',
  'POST /api/admin/passkeys',
  'DELETE /api/admin/passkeys/:id',
  'DELETE /api/admin/sessions',
  'DELETE /api/admin/sessions/:id',
  'POST /api/admin/export/history',
  'POST /api/admin/export/refund',
  'POST /api/admin/raffle/claim-code',
]
/** What an operator may not do. */
const forOwners = [
  'PATCH /api/admin/settings',
  'POST /api/admin/administrators',
  'PATCH /api/admin/administrators/:id',
  'DELETE /api/admin/administrators/:id',
  'POST /api/admin/administrators/:id/reset-password',
  'POST /api/admin/channels',
  'PUT /api/admin/channels/:id',
  'DELETE /api/admin/channels/:id',
  'PATCH /api/admin/house-rules',
  'PUT /api/admin/house-rules/texts',
  'POST /api/admin/wallets/stolen',
]
const routes = adminApi.app.routes.routes
  .filter(({ path }) => path.startsWith('/api/admin') || path === '/api/raffle/execute-draw')
  .map(({ method, path }) => `${method} ${path}`)
const mutations = routes.filter((route) => !route.startsWith('GET ') && !logins.includes(route))

/** Everything in the database but the audit rows and when a session was last used, as one text. */
async function everything(): Promise<string> {
  const tables = await adminApi.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^audit' order by 1`,
  )
  const dumps = []
  for (const { name } of tables)
    dumps.push(
      await adminApi.db.execute(
        sql.raw(`select '${name}', to_jsonb(t) - 'last_seen_at' from "${name}" t order by t::text`),
      ),
    )
  return JSON.stringify(dumps)
}

/** Status and code of a call with a body that few routes take. */
async function send(route: string, role: AdminRole): Promise<{ status: number; code: string | undefined }> {
  const [method = '', path = ''] = route.split(' ')
  const body = { requireOtp: false, role: 'owner', username: 'mine' }
  const answer = await adminApi.send(method, path.replaceAll(/:\w+/g, '1'), {
    token: tokens.get(role),
    ...(method !== 'GET' && { body }),
  })
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const { code } = isJson ? ((await answer.json()) ?? {}) : {}
  return { status: answer.status, code }
}

test('the lists name routes that exist', () => {
  expect([...logins, ...forAll, ...forOwners].filter((route) => !routes.includes(route))).toEqual([])
})

test('an auditor reads every page and changes nothing: each refusal is a row of the audit list', async () => {
  const before = await everything()
  for (const route of routes.filter((one) => one.startsWith('GET '))) {
    const { status, code } = await send(route, 'auditor')
    // A row of number 1 need not be there.
    expect([route, [200, 404, 409, 422].includes(status) || [status, code]]).toEqual([route, true])
  }
  const closed = mutations.filter((route) => !forAll.includes(route))
  expect(closed.length).toBeGreaterThan(35)
  const [last] = await listAudit(adminApi.db, {}, 1)
  for (const route of closed) {
    const { status, code } = await send(route, 'auditor')
    expect([route, status, code]).toEqual([route, 403, 'FORBIDDEN_ROLE'])
  }
  expect(await everything()).toBe(before)
  const refused = (await listAudit(adminApi.db, {}, 500)).filter(({ id }) => id > (last?.id ?? 0))
  expect(refused).toHaveLength(closed.length)
  for (const row of refused)
    expect(row).toMatchObject({ actor: 'auditor', outcome: '403', after: { refused: 'FORBIDDEN_ROLE' } })
})

test('an operator is refused what only an owner may do, and nothing else for his role', async () => {
  const before = await everything()
  for (const route of forOwners) {
    const { status, code } = await send(route, 'operator')
    expect([route, status, code]).toEqual([route, 403, 'FORBIDDEN_ROLE'])
  }
  expect(await everything()).toBe(before)
  // Bodies are not what these take: each gets further than his role.
  const open = mutations.filter(
    (route) =>
      ![...forOwners, ...forAll].includes(route) && !/draw$|reauth|sent|export|open-next/.test(route),
  )
  for (const route of open)
    expect([route, (await send(route, 'operator')).code]).not.toContain('FORBIDDEN_ROLE')
})

test('everybody ends his own sessions, and only an owner those of others', async () => {
  const own = await adminApi.login({ username: 'auditor', password })
  const second = await adminApi.login({ username: 'auditor', password })
  const owners = await adminApi.login()
  const list = (await adminApi.as(own)('GET', '/api/admin/sessions')).body as {
    id: string
    username: string
    isCurrent: boolean
  }[]
  const idOf = async (token: string) =>
    (await adminApi.as(token)('GET', '/api/admin/sessions')).body.find(
      ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
    ).id
  expect(list.length).toBeGreaterThan(2)
  const ask = adminApi.as(own)
  expect((await ask('DELETE', `/api/admin/sessions/${await idOf(owners)}`)).body.code).toBe('FORBIDDEN_ROLE')
  expect(await adminApi.me(owners)).toBe(200)
  expect((await ask('DELETE', `/api/admin/sessions/${await idOf(second)}`)).status).toBe(200)
  expect(await adminApi.me(second)).toBe('UNAUTHENTICATED')
  expect((await adminApi.as(owners)('DELETE', `/api/admin/sessions/${await idOf(own)}`)).status).toBe(200)
})
