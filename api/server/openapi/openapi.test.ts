import type { Static, TSchema } from 'elysia'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type * as proof from '../../../core/draw/proof.ts'
import type * as core from '../../../core/public.ts'
import { type OpenApi, openApi } from '../../../e2e/lab/api.ts'
import { foldTo, paid } from '../../../e2e/lab/ledger-story.ts'
import { calls } from './calls.ts'
import { openapiDocument } from './document.ts'
import * as schemas from './schemas.ts'

let api: OpenApi
beforeAll(async () => {
  api = await openApi({ isDevelopment: true })
})
afterAll(() => api.close())

/** Calls that only an administrator can make, though their paths do not say so. */
const forAdministrators = new Set(['POST /api/raffle/execute-draw', 'PUT /api/uploads/:key'])

describe('the OpenAPI document', () => {
  test('tells of every public route, and of no other', () => {
    const routes = api.app.routes.routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter(
        (route) =>
          !route.includes(' /api/admin') && !forAdministrators.has(route) && !route.endsWith('/api/docs'),
      )
    expect(Object.keys(calls).sort()).toEqual([...new Set(routes)].sort())
  })

  test('is served, whole, and every reference in it leads somewhere', async () => {
    const response = await api.call('GET', '/api/openapi.json')
    const document = (await response.json()) as ReturnType<typeof openapiDocument>
    expect(document).toEqual(JSON.parse(JSON.stringify(openapiDocument(undefined))))
    expect(document.openapi).toBe('3.1.0')
    const text = JSON.stringify(document)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(.*?)"/g))
      expect(Object.keys(document.components.schemas)).toContain(name)
    expect(text).not.toContain('undefined')
    expect(text).not.toContain('/api/admin')
    const ids = [...text.matchAll(/"operationId":"(.*?)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(Object.keys(calls).length)
  })

  test('holds for real answers', async () => {
    const { version } = api.state
    await foldTo(api.db, api.event, 1, [paid(api.event, { block: 1, cents: 9_950 })])
    while (api.state.version === version) await Bun.sleep(5)
    const [purchase] = (await (await api.call('GET', '/api/tickets/recent')).json()) as {
      transactionHash: string
      walletAddress: string
    }[]
    const values: Record<string, string> = {
      hash: purchase?.transactionHash ?? '',
      address: purchase?.walletAddress ?? '',
    }
    let checked = 0
    for (const [name, { answers }] of Object.entries(calls)) {
      const [method = '', path = ''] = name.split(' ')
      const schema = answers[200]?.schema
      if (method !== 'GET' || !schema || path.includes(':eventNumber')) continue
      const response = await api.call(
        'GET',
        path.replace(/:(\w+)/, (_, param: string) => values[param] ?? ''),
      )
      expect(response.status, name).toBe(200)
      expectShape(schema, await response.json(), name)
      checked++
    }
    expect(checked).toBeGreaterThanOrEqual(11)
    expectShape(schemas.LiveSnapshot, api.state.snapshot(), 'snapshot')
    expectShape(schemas.LiveBeat, api.state.beat(), 'beat')
    expectShape(schemas.ErrorBody, await (await api.call('GET', '/api/nothing')).json(), 'error')
  })

  test('has a page to read it on in development alone, without anything from elsewhere', async () => {
    const page = await api.call('GET', '/api/docs')
    const html = await page.text()
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const name of Object.keys(calls)) expect(html).toContain(name)
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    const production = await openApi()
    expect((await production.call('GET', '/api/docs')).status).toBe(404)
    await production.close()
  })
})

type Schema = {
  type?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
}

function expectShape(schema: TSchema, value: unknown, name: string): void {
  const plain = JSON.parse(JSON.stringify(schema)) as Schema
  expect(wrongs(plain, JSON.parse(JSON.stringify(value)), name)).toEqual([])
}

/** What of a value is not as a JSON schema of our kind has it. */
function wrongs(schema: Schema, value: unknown, at: string): string[] {
  if (schema.anyOf)
    return schema.anyOf.some((one) => wrongs(one, value, at).length === 0) ? [] : [`${at}: none of the types`]
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${at}: ${value} is not listed`]
  if (schema.const !== undefined) return value === schema.const ? [] : [`${at}: is not ${schema.const}`]
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const wanted = schema.type === 'integer' ? 'number' : schema.type
  if (type !== wanted) return [`${at}: ${type} in place of ${schema.type}`]
  if (schema.type === 'integer' && !Number.isInteger(value)) return [`${at}: not whole`]
  if (schema.pattern && !new RegExp(schema.pattern).test(value as string))
    return [`${at}: not as ${schema.pattern}`]
  if (schema.items)
    return (value as unknown[]).flatMap((item, index) =>
      wrongs(schema.items as Schema, item, `${at}[${index}]`),
    )
  if (!schema.properties) return []
  const fields = value as Record<string, unknown>
  return [
    ...(schema.required ?? []).filter((key) => !(key in fields)).map((key) => `${at}.${key}: missing`),
    ...Object.entries(fields).flatMap(([key, field]) => {
      const known = schema.properties?.[key]
      if (!known) return schema.additionalProperties === false ? [`${at}.${key}: unknown`] : []
      return wrongs(known, field, `${at}.${key}`)
    }),
  ]
}

test('every schema is the type of core that it describes', () => {
  expectTypeOf<Static<typeof schemas.Config>>().toEqualTypeOf<core.PublicConfig>()
  expectTypeOf<Static<typeof schemas.Stats>>().toEqualTypeOf<core.PublicStats>()
  expectTypeOf<Static<typeof schemas.Purchase>>().toEqualTypeOf<core.PublicPurchase>()
  expectTypeOf<Static<typeof schemas.Winner>>().toEqualTypeOf<core.PublicWinner | null>()
  expectTypeOf<Static<typeof schemas.DrawStatus>>().toEqualTypeOf<core.PublicDrawStatus>()
  expectTypeOf<Static<typeof schemas.History>>().toEqualTypeOf<core.PublicHistoryItem[]>()
  expectTypeOf<Static<typeof schemas.EventSettings>>().toEqualTypeOf<core.PublicEventSettings>()
  expectTypeOf<Static<typeof schemas.State>>().toEqualTypeOf<core.PublicState>()
  expectTypeOf<Static<typeof schemas.LiveSnapshot>>().toExtend<core.LiveSnapshot>()
  expectTypeOf<core.LiveSnapshot>().toExtend<Static<typeof schemas.LiveSnapshot>>()
  expectTypeOf<Static<typeof schemas.LiveChange>>().toExtend<core.LiveChange>()
  expectTypeOf<core.LiveChange>().toExtend<Static<typeof schemas.LiveChange>>()
  expectTypeOf<Static<typeof schemas.LiveBeat>>().toEqualTypeOf<core.LiveBeat>()
  expectTypeOf<Static<typeof schemas.PurchaseReceipt>>().toEqualTypeOf<core.PurchaseReceipt>()
  expectTypeOf<Static<typeof schemas.PurchaseReport>>().toEqualTypeOf<core.PurchaseReport>()
  expectTypeOf<Static<typeof schemas.WalletReport>>().toEqualTypeOf<core.WalletReport>()
  expectTypeOf<Static<typeof schemas.ErrorBody>>().toEqualTypeOf<core.ErrorBody>()
  expectTypeOf<Static<typeof schemas.Proof>>().toEqualTypeOf<proof.Proof>()
})

test('a value that is not as its schema has it is found', () => {
  const good = { ticketsSold: 1, ticketPrice: 2.5 }
  const schema = JSON.parse(JSON.stringify(schemas.Stats)) as Schema
  expect(wrongs(schema, good, '')).toEqual([])
  for (const bad of [
    { ticketsSold: 1 },
    { ...good, more: 1 },
    { ...good, ticketsSold: '1' },
    { ...good, ticketsSold: 1.5 },
    null,
  ])
    expect(wrongs(schema, bad, '')).toHaveLength(1)
})
