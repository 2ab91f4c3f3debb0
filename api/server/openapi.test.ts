import type { TSchema } from '@sinclair/typebox'
import Ajv from 'ajv'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { saveLegalText } from '../../db/house/rules.ts'
import { settings } from '../../db/schema/index.ts'
import { openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { openApi } from '../../e2e/lab/api.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { openapiDocument } from './openapi.ts'

const api = await forFile(openApi())

type Parameter = { name: string; in: string; required: boolean }
type Operation = {
  tags: string[]
  summary: string
  security?: unknown
  parameters?: Parameter[]
  responses: Record<string, { description: string; content?: Record<string, { schema?: TSchema }> }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

/** A call of the document, by the method and path of its route. */
type Call = { name: string; path: string; operation: Operation; answer: TSchema | undefined }

let calls: Call[]
beforeAll(() => {
  calls = api.app.routes.routes.flatMap(({ method, path }) => {
    const operation = documented().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    if (!operation) return []
    const answer = operation.responses[200]?.content?.['application/json']?.schema as TSchema | undefined
    return [{ name: `${method} ${path}`, path, operation, answer }]
  })
})

const documented = () => JSON.parse(JSON.stringify(openapiDocument(api.app.routes))) as Document

describe('the OpenAPI document', () => {
  test('lists every route, of administrators too, and no other', () => {
    const routes = api.app.routes.routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => route.includes(' /api/') || route === 'GET /theme.css')
    expect(calls.map(({ name }) => name).sort()).toEqual([...new Set(routes)].sort())
    expect(routes.length).toBeGreaterThan(60)
    const isOfAdmins = (name: string) =>
      name.includes(' /api/admin') ||
      ['POST /api/raffle/execute-draw', 'PUT /api/uploads/:key'].includes(name)
    for (const { name, operation } of calls)
      expect([name, operation.tags]).toEqual([name, [isOfAdmins(name) ? 'admin' : 'public']])
  })

  test('asks for a session where one is needed, and nowhere before it', () => {
    const asks = (name: string) => calls.find((call) => call.name === name)?.operation.security !== undefined
    const before = ['POST /api/admin/login', 'POST /api/admin/login/passkey', 'GET /api/admin/check-access']
    for (const name of [
      ...before,
      'POST /api/admin/logout',
      'PUT /api/uploads/:key',
      'GET /api/raffle/config',
    ])
      expect([name, asks(name)]).toEqual([name, false])
    for (const name of [
      'GET /api/admin/me',
      'PATCH /api/admin/raffle/config',
      'POST /api/raffle/execute-draw',
    ])
      expect([name, asks(name)]).toEqual([name, true])
  })

  test('describes for each call its input, its answer and its errors', () => {
    for (const { name, path, operation } of calls) {
      expect(operation.summary).toMatch(/^[A-Z]/)
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect([name, inPath.map((parameter) => `:${parameter.name}`)]).toEqual([
        name,
        path.match(/:\w+/g) ?? [],
      ])
      expect([name, operation.responses[503]?.content]).toEqual([name, expect.anything()])
    }
    const { operation } = calls.find(({ name }) => name === 'POST /api/tickets/purchase') as Call
    expect(operation.responses[422]?.description).toBe(
      'INVALID_VALUE, INVALID_TX_HASH, INVALID_WALLET, INVALID_QUANTITY, INVALID_AMOUNT',
    )
  })

  test('is served in full, and every reference in it resolves', async () => {
    const response = await api.call('GET', '/api/openapi.json')
    const document = (await response.json()) as Document
    expect(document).toEqual(documented())
    expect(document.openapi).toBe('3.1.0')
    const text = JSON.stringify(document)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(.*?)"/g))
      expect(Object.keys(document.components.schemas)).toContain(name)
    expect(text).not.toContain('undefined')
    const ids = [...text.matchAll(/"operationId":"(.*?)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(calls.length)
  })

  test('matches real public answers', async () => {
    const { version } = api.state
    const sha256 = await saveLegalText(api.db, { kind: 'terms', en: 'One.', ko: '하나.' })
    await api.db.update(settings).set({ termsSha256: sha256 })
    await foldTo(api.db, api.event, 1, [paid(api.event, { block: 1, cents: 9_950 })])
    await expect.poll(() => api.state.version, { interval: 5 }).not.toBe(version)
    const [purchase] = (await (await api.call('GET', '/api/tickets/recent')).json()) as {
      transactionHash: string
      walletAddress: string
    }[]
    const values: Record<string, string> = {
      hash: purchase?.transactionHash ?? '',
      address: purchase?.walletAddress ?? '',
      sha256,
    }
    let checked = 0
    for (const { name, path, operation, answer: schema } of calls) {
      const isPublic = name.startsWith('GET ') && operation.tags.includes('public')
      if (!isPublic || !schema || path.includes(':eventNumber')) continue
      const response = await api.call(
        'GET',
        path.replace(/:(\w+)/, (_, param: string) => values[param] ?? ''),
      )
      expect(response.status, name).toBe(200)
      expectShape(schema, await response.json(), name)
      checked++
    }
    expect(checked).toBeGreaterThanOrEqual(11)
    expectShape(named('LiveSnapshot'), api.state.snapshot(), 'snapshot')
    expectShape(named('LiveBeat'), api.state.beat(), 'beat')
    expectShape(named('ErrorBody'), await (await api.call('GET', '/api/nothing')).json(), 'error')
  })

  test('holds for what administrators are answered', async () => {
    const adminApi = await openAdminApi()
    const token = await adminApi.login()
    const two = [
      paid(adminApi.event, { block: 1, cents: 9_950 }),
      paid(adminApi.event, { block: 1, cents: 100, index: 1 }),
    ]
    const answerOf = (name: string) => calls.find((call) => call.name === name)?.answer as TSchema
    const expectAnswer = async (name: string, body?: unknown) => {
      const [method = '', path = ''] = name.split(' ')
      const answer = await adminApi.call(method, path, { token, body })
      expect([name, answer.status]).toEqual([name, 200])
      expectShape(answerOf(name), answer.body, name)
    }
    await expectAnswer('PATCH /api/admin/settings', { allowedIps: ['10.0.0.0/8'] })
    await expectAnswer('PATCH /api/admin/raffle/config', { minTicketsForDraw: 7 })
    await foldTo(adminApi.db, adminApi.event, 1, two)
    await expectAnswer('POST /api/admin/event/settings', { prizeValue: '$1' })
    await expectAnswer('POST /api/admin/setup-otp')
    await expectAnswer('POST /api/admin/reauth', { password: owner.password })
    await adminApi.db.execute(
      sql`insert into endings (event_number, kind, reason) values (1, 'refunds', 'minimum')`,
    )
    await expectAnswer('POST /api/admin/raffle/refund-notification')
    const reads = calls.filter(
      ({ name, answer, operation }) =>
        name.startsWith('GET /api/admin') &&
        answer &&
        !operation.parameters?.some((parameter) => parameter.required),
    )
    for (const { name } of reads) await expectAnswer(name)
    expect(reads.length).toBeGreaterThanOrEqual(13)
    await adminApi.close()
  })
})

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as unknown as TSchema

const ajv = new Ajv({ strict: false, validateFormats: false })

function expectShape(schema: TSchema, value: unknown, name: string): void {
  const check = ajv.compile({ ...plain(schema), components: documented().components })
  expect([name, check(plain(value)), check.errors]).toEqual([name, true, null])
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))
