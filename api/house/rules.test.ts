import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { noRules } from '../../core/house/rules.ts'
import { claims, legalTexts } from '../../db/schema/index.ts'
import { type AdminApi, openAdminApi } from '../../e2e/lab/admin-api.ts'

const header = 'cf-ipcountry'
const proxy = '127.0.0.1'
const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`

async function openHouse({ countryHeader = header }: { countryHeader?: string | undefined } = {}) {
  const adminApi = await openAdminApi({
    addresses: { trustedProxies: [`${proxy}/32`], siteProxyToken: 'test-site', countryHeader },
  })
  const token = await adminApi.login()
  const admin = adminApi.as(token)
  const version = async () => (await admin('GET', '/api/admin/house-rules')).body.version as number
  const house = {
    ...adminApi,
    token,
    admin,
    version,
    set: async (patch: object) =>
      seen(adminApi, await admin('PATCH', '/api/admin/house-rules', { ...patch, version: await version() })),
    write: async (kind: string, text: object | null) =>
      seen(
        adminApi,
        await admin('PUT', '/api/admin/house-rules/texts', { kind, text, version: await version() }),
      ),
    rules: async () => (await adminApi.call('GET', '/api/raffle/rules')).body,
    /** A call as a peer makes it, with these headers and nothing of the site's own server. */
    async from(peer: string | undefined, path: string, headers: [string, string][] = [], body?: object) {
      const request = new Request(`http://localhost${path}`, {
        method: body ? 'POST' : 'GET',
        headers: [
          ...headers,
          ...(body ? ([['content-type', 'application/json']] as [string, string][]) : []),
        ],
        ...(body && { body: JSON.stringify(body) }),
      })
      const server = { requestIP: () => (peer ? { address: peer } : null) }
      adminApi.app.routes.server = server as never
      const response = await adminApi.app.handle(request, server)
      adminApi.app.routes.server = null
      return { status: response.status, body: await response.json(), headers: response.headers }
    },
  }
  return { ...house, [Symbol.asyncDispose]: adminApi.close }
}

/** A change that the database would have told of. */
async function seen<T>({ deps }: AdminApi, answer: T): Promise<T> {
  await deps.state.refresh()
  return answer
}

const refused = (code: string, field?: string) => ({
  status: 422,
  body: { code, ...(field && { field }) },
})

test('without a switch nobody is told of any rule, and an administrator’s form is empty', async () => {
  await using house = await openHouse()
  expect(await house.rules()).toEqual(noRules)
  expect((await house.admin('GET', '/api/admin/house-rules')).body).toEqual({
    ...{ minAge: null, requireAcceptance: false, closedCountries: [] },
    ...{ terms: null, privacy: null, version: 1, countryHeader: header, ownCountries: [] },
  })
  expect((await house.call('GET', '/api/raffle/legal')).body).toEqual([])
})

test('each switch is one change with its audit row', async () => {
  await using house = await openHouse()
  expect(await house.set({ minAge: 19, closedCountries: ['us', 'KR', 'kr'] })).toMatchObject({
    status: 200,
    body: { minAge: 19, closedCountries: ['KR', 'US'], version: 2 },
  })
  expect(await house.rules()).toEqual({
    ...noRules,
    ...{ minAge: 19, closedCountries: ['KR', 'US'] },
  })
  const { body: audit } = await house.admin('GET', '/api/admin/audit')
  expect(audit[0]).toMatchObject({
    action: 'house.rules',
    before: { minAge: null, closedCountries: [] },
    after: { minAge: 19, closedCountries: ['KR', 'US'] },
  })
  expect(await house.set({ minAge: null })).toMatchObject({ status: 200, body: { minAge: null } })
})

test('values that no rule can have are refused and change nothing', async () => {
  await using house = await openHouse()
  const bad: [object, string][] = [
    [{ minAge: 13 }, 'minAge'],
    [{ minAge: 31 }, 'minAge'],
    [{ minAge: 19.5 }, 'minAge'],
    [{ closedCountries: ['XX'] }, 'closedCountries'],
    [{ closedCountries: ['UK'] }, 'closedCountries'],
    [{ closedCountries: ['KOR'] }, 'closedCountries'],
    [{ closedCountries: 'KR' }, 'closedCountries'],
    [{ requireAcceptance: true }, 'requireAcceptance'],
  ]
  for (const [patch, field] of bad)
    expect([patch, await house.set(patch)]).toMatchObject([patch, refused('INVALID_VALUE', field)])
  expect(await house.set({})).toMatchObject(refused('NO_CHANGES'))
  expect(await house.set({ ageLimit: 3 })).toMatchObject(refused('UNKNOWN_FIELD'))
  expect(await house.admin('PATCH', '/api/admin/house-rules', { minAge: 19, version: 7 })).toMatchObject({
    status: 409,
    body: { code: 'VERSION_CONFLICT' },
  })
  expect([await house.rules(), await house.version()]).toEqual([noRules, 1])
})

test('each saved text is a version whose name is the SHA-256 of the bytes that are served, kept for good', async () => {
  await using house = await openHouse()
  const first = { en: '## Terms\r\n\r\nOne.  ', ko: '## 약관\n\n하나.' }
  expect(await house.write('terms', first)).toMatchObject({
    status: 200,
    body: { terms: { en: '## Terms\n\nOne.', ko: first.ko } },
  })
  const { terms } = await house.rules()
  const served = await house.send('GET', `/api/raffle/legal/${terms.sha256}`)
  const bytes = await served.text()
  expect(served.headers.get('cache-control')).toContain('immutable')
  expect(`0x${createHash('sha256').update(bytes).digest('hex')}`).toBe(terms.sha256)
  expect(JSON.parse(bytes)).toEqual({ kind: 'terms', en: '## Terms\n\nOne.', ko: first.ko })

  await house.write('terms', { en: 'Two.', ko: '둘.' })
  await house.write('privacy', { en: 'Two.', ko: '둘.' })
  const now = await house.rules()
  expect(new Set([terms.sha256, now.terms.sha256, now.privacy.sha256]).size).toBe(3)
  expect((await house.call('GET', '/api/raffle/legal')).body).toMatchObject([
    { kind: 'terms', ...terms },
    { kind: 'terms', ...now.terms },
    { kind: 'privacy', ...now.privacy },
  ])
  // Taken down, and the first one again: the same version, with its own date.
  expect((await house.write('terms', null)).body.terms).toBeNull()
  await house.write('terms', first)
  expect((await house.rules()).terms).toEqual(terms)
  expect((await house.call('GET', `/api/raffle/legal/${now.terms.sha256}`)).body.en).toBe('Two.')
  for (const name of [hash('9'), 'nothing', terms.sha256.toUpperCase()])
    expect(await house.call('GET', `/api/raffle/legal/${name}`)).toMatchObject({ status: 404 })
  await expect(house.db.update(legalTexts).set({ en: 'Other.' })).rejects.toThrow()
})

test('a text that is too long, empty, or holds what nobody sees is refused', async () => {
  await using house = await openHouse()
  const whole = '가'.repeat(40_000)
  const bad = [
    ...['', '  \n ', `${whole}나`, 'a\u202eb', 'a\u2066b', 'a\u0000b', 'a\tb', 'a\u200fb'],
    'a\ud800b',
  ]
  for (const ko of bad)
    expect([ko.slice(0, 9), await house.write('terms', { en: 'Fine.', ko })]).toMatchObject([
      ko.slice(0, 9),
      refused('INVALID_VALUE', 'text'),
    ])
  expect(await house.write('terms', { en: 'Fine.' })).toMatchObject({ status: 422 })
  expect(await house.write('rules', { en: 'a', ko: 'b' })).toMatchObject(refused('INVALID_VALUE', 'kind'))
  expect((await house.rules()).terms).toBeNull()
  // The longest one goes through, four bytes a sign too, and markup is text.
  expect(await house.write('terms', { en: '🎟'.repeat(40_000), ko: whole })).toMatchObject({ status: 200 })
  expect(await house.write('terms', { en: '<script>alert(1)</script>', ko: whole })).toMatchObject({
    status: 200,
  })
})

test('acceptance needs terms, and terms that are accepted cannot be taken down', async () => {
  await using house = await openHouse()
  await house.write('terms', { en: 'One.', ko: '하나.' })
  expect(await house.set({ requireAcceptance: true })).toMatchObject({ status: 200 })
  expect(await house.write('terms', null)).toMatchObject(refused('INVALID_VALUE', 'requireAcceptance'))
  await house.set({ requireAcceptance: false })
  expect(await house.write('terms', null)).toMatchObject({ status: 200 })
})

test('the version that a buyer accepted is kept with his claim, the first word stands, and no word refuses a hash', async () => {
  await using house = await openHouse()
  await house.write('terms', { en: 'One.', ko: '하나.' })
  await house.write('privacy', { en: 'Two.', ko: '둘.' })
  const { terms, privacy } = await house.rules()
  const post = (transactionHash: string, accepted?: unknown) =>
    house.call('POST', '/api/tickets/purchase', { body: { transactionHash, accepted } })
  const kept = async (of: `0x${string}`) =>
    (await house.db.select().from(claims).where(eq(claims.transactionHash, of)))[0]?.accepted ?? null

  const said = { termsSha256: terms.sha256, privacySha256: privacy.sha256, age: 19 }
  expect(await post(hash('1'))).toMatchObject({ status: 202 })
  expect(await post(hash('1'), said)).toMatchObject({ status: 200 })
  expect(await post(hash('1'), { age: 30 })).toMatchObject({ status: 200 })
  expect(await kept(hash('1'))).toEqual({ ...said, at: expect.any(String) })

  const empty: unknown[] = [
    ...[null, 'yes', 7, [], {}, { termsSha256: hash('9') }, { termsSha256: 'x', age: '19' }, { age: 200 }],
    // A version of the other kind.
    { privacySha256: terms.sha256 },
    { __proto__: { age: 19 } },
  ]
  for (const accepted of empty)
    expect(await post(hash('2'), accepted)).toMatchObject({ status: expect.any(Number) })
  expect((await post(hash('2'), null)).status).toBe(200)
  expect(await kept(hash('2'))).toBeNull()
})

test('a closed country is told where a trusted proxy tells it, and a hash from there is taken all the same', async () => {
  await using house = await openHouse()
  await house.set({ closedCountries: ['KR'] })
  const visitor = async (peer: string | undefined, headers: [string, string][]) =>
    (await house.from(peer, '/api/visitor', headers)).body.isCountryClosed
  expect(await visitor(proxy, [[header, 'KR']])).toBe(true)
  expect(await visitor(`::ffff:${proxy}`, [[header, 'kr']])).toBe(true)
  expect(await visitor(proxy, [[header, 'US']])).toBe(false)
  for (const odd of ['', 'XX', 'T1', 'KOR', 'K', 'KR;'])
    expect([odd, await visitor(proxy, [[header, odd]])]).toEqual([odd, false])
  // Told twice: whoever adds one opens nothing.
  expect(
    await visitor(proxy, [
      [header, 'US'],
      [header, 'KR'],
    ]),
  ).toBe(true)
  // Of a stranger who reaches us directly, and through the site's own server, which passes on what visitors send.
  expect(await visitor('203.0.113.9', [[header, 'KR']])).toBe(false)
  expect(await visitor(undefined, [[header, 'KR']])).toBe(false)
  expect(
    await visitor(proxy, [
      [header, 'KR'],
      ['x-site-proxy', 'test-site'],
    ]),
  ).toBe(false)
  const { headers } = await house.from(proxy, '/api/visitor', [[header, 'KR']])
  expect(headers.get('cache-control')).toBe('private, no-store')

  const body = { transactionHash: hash('3') }
  expect(await house.from(proxy, '/api/tickets/purchase', [[header, 'KR']], body)).toMatchObject({
    status: 202,
    body: { transactionHash: hash('3'), status: 'received', isCountryClosed: true },
  })
  const open = await house.from(proxy, '/api/tickets/purchase', [[header, 'US']], body)
  expect(open).toMatchObject({ status: 200, body: { transactionHash: hash('3'), status: 'received' } })
  expect(open.body).not.toHaveProperty('isCountryClosed')
})

test('without COUNTRY_HEADER no header closes a country', async () => {
  await using house = await openHouse({ countryHeader: '' })
  await house.set({ closedCountries: ['KR'] })
  expect((await house.from(proxy, '/api/visitor', [[header, 'KR']])).body).toEqual({
    isCountryClosed: false,
  })
})
