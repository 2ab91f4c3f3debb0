import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/settings.ts'
import { aContent } from '../../e2e/lab/content.ts'
import { openGuarded } from '../../e2e/lab/guarded-calls.ts'
import { operator } from '../../e2e/lab/ledger-story.ts'

const { adminApi, guarded, everything } = await openGuarded()
const password = 'another horse battery'

/** Of every action the few that are open to a read-only administrator: his own account, files, a question about a code. */
const own = [
  'POST /api/admin/reauth',
  'PATCH /api/admin/credentials',
  'PATCH /api/admin/me/language',
  'POST /api/admin/setup-otp',
  'POST /api/admin/otp/confirm',
  'POST /api/admin/reauth/passkey',
  'POST /api/admin/passkeys/options',
  'POST /api/admin/passkeys',
  'DELETE /api/admin/passkeys/1',
  'DELETE /api/admin/sessions',
  'DELETE /api/admin/sessions/1',
  'POST /api/admin/export/history',
  'POST /api/admin/export/refund',
  'POST /api/admin/raffle/claim-code',
]
/** And those that ask for no password again; the reason stands beside each in its route. */
const stale = [
  'POST /api/admin/reauth',
  'POST /api/admin/reauth/passkey',
  'PATCH /api/admin/me/language',
  'DELETE /api/admin/sessions',
  'DELETE /api/admin/sessions/1',
  'POST /api/admin/export/history',
  'POST /api/admin/export/refund',
  'POST /api/admin/raffle/claim-code',
  'PUT /api/admin/raffle/next-terms',
  'DELETE /api/admin/raffle/next-terms',
  'PUT /api/admin/raffle/next-content',
  'DELETE /api/admin/raffle/next-content',
  'POST /api/admin/raffle/prove-wallet',
  'POST /api/admin/blockchain/process-transaction',
  'POST /api/admin/refunds/1/hold',
  'POST /api/admin/refunds/sent',
  'POST /api/admin/upload/image',
  'POST /api/admin/channels/1/test',
]
const actions = guarded().filter(({ method }) => method !== 'GET')
const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const codeOf = async (token: string, one: { method: string; path: string }) =>
  (await adminApi.call(one.method, one.path, { token, body: { nobodyHasThis: 1 } })).body.code

test('both lists name actions that exist', () => {
  const known = actions.map(name)
  expect([...own, ...stale].filter((one) => !known.includes(one))).toEqual([])
})

test('a read-only administrator reads every page and changes nothing; each refusal is an audit row (I18)', async () => {
  await adminApi.addAdmin('reader', password, true)
  const token = await adminApi.login({ username: 'reader', password })
  // A row of number 1 need not be there.
  for (const { path } of guarded().filter(({ method }) => method === 'GET'))
    expect([path, (await adminApi.send('GET', path, { token })).status]).not.toContain(403)
  await adminApi.db.execute(sql`update sessions set last_seen_at = now()`)
  const before = await everything()
  const closed = actions.filter((one) => !own.includes(name(one)))
  for (const one of closed) expect([name(one), await codeOf(token, one)]).toEqual([name(one), 'READ_ONLY'])
  expect(await everything()).toBe(before)
  const rows = await listAudit(adminApi.db, { actor: 'reader', outcome: '403' }, 500)
  expect(rows).toHaveLength(closed.length)
  for (const row of rows) expect(row.after).toEqual({ refused: 'READ_ONLY' })
  for (const one of actions.filter((one) => own.includes(name(one))))
    expect([name(one), await codeOf(token, one)]).not.toContain('READ_ONLY')
})

test('every action asks for the password again after ten minutes, but for the named ones (A7)', async () => {
  const described = adminApi.app.routes.routes as unknown as {
    method: string
    path: string
    hooks: { detail?: { responses?: Record<string, { description?: string }> } }
  }[]
  const asks = described
    .filter(({ path }) => path.startsWith('/api/admin') || path === '/api/raffle/execute-draw')
    .filter(({ hooks }) => hooks.detail?.responses?.[403]?.description?.includes('REAUTH_REQUIRED'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '1')}`)
  expect(asks.sort()).toEqual(
    actions
      .map(name)
      .filter((one) => !stale.includes(one))
      .sort(),
  )
  // What is described is what is done, as far as a body that fits can be made for all of them.
  const token = await adminApi.login()
  await adminApi.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  const before = await everything()
  const transactionHash = `0x${'1'.repeat(64)}`
  const channel = { name: 'ops', language: 'en', webhook: { url: 'https://hook.example/' } }
  for (const [method, path, body] of [
    ['PATCH', '/api/admin/settings', { allowedIps: [] }],
    ['PATCH', '/api/admin/settings', { requireOtp: false }],
    ['PATCH', '/api/admin/credentials', { currentPassword: 'x', newUsername: 'boss' }],
    ['POST', '/api/admin/setup-otp', undefined],
    ['POST', '/api/admin/otp/confirm', { otpCode: '123456' }],
    ['POST', '/api/admin/blockchain/draw', undefined],
    ['POST', '/api/raffle/execute-draw', undefined],
    ['POST', '/api/admin/raffle/resume', undefined],
    ['POST', '/api/admin/raffle/stop-sale', undefined],
    ['PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 7 }],
    ['PATCH', '/api/admin/raffle/config', { drawDate: '2099-01-01T00:00:00Z' }],
    ['PATCH', '/api/admin/raffle/config', { googleFormUrl: 'https://forms.gle/another' }],
    ['POST', '/api/admin/raffle/open-next', { version: 1 }],
    ['DELETE', '/api/admin/raffle/winner', undefined],
    ['POST', '/api/admin/raffle/refund-notification', undefined],
    ['POST', '/api/admin/event/settings', { prizeValue: '$9,999' }],
    ['POST', '/api/admin/administrators', { username: 'third' }],
    ['DELETE', '/api/admin/administrators/1', undefined],
    ['PATCH', '/api/admin/administrators/1', { readOnly: false }],
    ['POST', '/api/admin/administrators/1/reset-password', undefined],
    ['POST', '/api/admin/channels', channel],
    ['DELETE', '/api/admin/channels/1', undefined],
    ['PATCH', '/api/admin/house-rules', { minAge: 20, version: 1 }],
    ['PUT', '/api/admin/house-rules/texts', { kind: 'terms', text: { en: 'a', ko: '가' }, version: 1 }],
    ['PUT', '/api/admin/raffle/content', { content: aContent(), version: 1 }],
    ['POST', '/api/admin/raffle/execute-refund', { refundInfo: { totalTickets: 0, totalAmount: 0 } }],
    ['POST', '/api/admin/refunds/mark', { transactionHash, markedAs: null }],
    ['POST', `/api/admin/refunds/${operator}/release`, {}],
    ['POST', '/api/admin/prizes', { eventNumber: 1, place: 1, act: 'corrected', reason: 'lost' }],
    ['POST', '/api/admin/wallets/stolen', { wallet: operator, from: '2020-01-01T00:00' }],
  ] as const)
    expect([path, (await adminApi.call(method, path, { token, body })).body.code]).toEqual([
      path,
      'REAUTH_REQUIRED',
    ])
  // What went wrong with a prize is told in public; a parcel's number alone is not.
  const sent = { eventNumber: 1, place: 1, act: 'sent', tracking: 'CJ 123' }
  expect((await adminApi.call('POST', '/api/admin/prizes', { token, body: sent })).body.code).toBe(
    'NOT_FOUND',
  )
  expect(await everything()).toBe(before)
})

test('everybody ends his own sessions, and only a full administrator those of others', async () => {
  const reader = { username: 'reader', password }
  const [mine, second, owners] = [
    await adminApi.login(reader),
    await adminApi.login(reader),
    await adminApi.login(),
  ]
  const idOf = async (token: string) =>
    (await adminApi.as(token)('GET', '/api/admin/sessions')).body.find(
      ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
    ).id
  const end = async (token: string, whose: string) =>
    (await adminApi.as(token)('DELETE', `/api/admin/sessions/${await idOf(whose)}`)).status
  expect([await end(mine, owners), await end(mine, second), await end(owners, mine)]).toEqual([403, 200, 200])
  expect([await adminApi.me(owners), await adminApi.me(second)]).toEqual([200, 'UNAUTHENTICATED'])
})
