import { expect, test } from 'vitest'
import { parseTerms } from '../../core/event/terms.ts'
import { getDraft } from '../../db/event/next.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { contentApi } from '../../e2e/lab/content-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'

const adminApi = forEachTest(openAdminSession)
const { endEvent } = contentApi(adminApi)

const ask = (method: string, body?: unknown, query = '') =>
  adminApi.call(method, `/api/admin/raffle/next-terms${query}`, { token: adminApi.token, body })
const open = (version: number) =>
  adminApi.call('POST', '/api/admin/raffle/open-next', { token: adminApi.token, body: { version } })
const nothing = {
  ...{ drawDate: null, minTicketsForDraw: null, autoDraw: null, claimDays: null, entropy: null },
}
const drawDate = daysFromNow(3).toISOString()
const chosen = { drawDate, minTicketsForDraw: 7, autoDraw: false, claimDays: 60 }

test('an administrator saves what the next event will promise, sees its terms line, and discards it', async () => {
  const { body: before } = await ask('GET')
  expect(before).toMatchObject({
    ...{ eventNumber: 2, draft: nothing, savedAt: null, canOpen: false },
    next: { ...{ drawDate: null, minTicketsForDraw: 100, ticketPrice: 3, saleLeadSeconds: 10 }, winners: 1 },
  })
  const saved = await ask('PUT', {
    ...chosen,
    ...{ entropy: 'blocks+drand', version: before.version },
  })
  expect(saved).toMatchObject({
    status: 200,
    body: {
      draft: { ...nothing, ...chosen, entropy: 'blocks+drand' },
      savedAt: expect.any(String),
      current: { minTicketsForDraw: 100, drawDate: null },
      next: { ...chosen, saleEndDate: new Date(Date.parse(drawDate) - 10_000).toISOString() },
    },
  })
  expect(parseTerms(saved.body.terms)).toMatchObject({
    eventNumber: '2',
    minTickets: '7',
    claimDays: '60',
    entropy: 'blocks+drand',
  })
  expect((await ask('GET')).body).toMatchObject({ draft: saved.body.draft, version: saved.body.version })
  const discarded = await ask('DELETE', undefined, `?version=${saved.body.version}`)
  expect(discarded).toMatchObject({ status: 200, body: { draft: nothing, savedAt: null } })
  const { body: audit } = await adminApi.call('GET', '/api/admin/audit', { token: adminApi.token })
  expect(audit.slice(0, 2)).toMatchObject([
    { action: 'raffle.discard-terms', outcome: '200', before: chosen },
    { action: 'raffle.next-terms', outcome: '200', before: nothing, after: chosen },
  ])
})

test('bad values get their code and change nothing', async () => {
  const { version } = (await ask('GET')).body
  const codes = async (values: Record<string, readonly unknown[]>) => {
    const found = new Set<string>()
    for (const [field, list] of Object.entries(values))
      for (const value of list) {
        const { body } = await ask('PUT', { [field]: value, version })
        found.add(`${body.code} ${body.field ?? field}`)
      }
    return [...found]
  }
  expect(
    await codes({
      minTicketsForDraw: [0, 10_000_001, 1.5, '7'],
      autoDraw: ['yes', 1],
      claimDays: [6, 91],
      entropy: ['drand', ''],
    }),
  ).toEqual(
    ['minTicketsForDraw', 'autoDraw', 'claimDays', 'entropy'].map((field) => `INVALID_VALUE ${field}`),
  )
  expect(await codes({ drawDate: ['soon', '', 7] })).toEqual(['INVALID_DATE drawDate'])
  expect(await codes({ drawDate: ['2025-08-19T03:53:00Z'] })).toEqual(['DATE_IN_PAST drawDate'])
  expect(await codes({ drawDate: ['2199-08-19T03:53:00Z'] })).toEqual(['DATE_TOO_FAR drawDate'])
  expect(
    await codes({ ticketPrice: [1], operatorWallet: ['0x'], saleLeadSeconds: [9], winners: [2] }),
  ).toEqual(
    ['ticketPrice', 'operatorWallet', 'saleLeadSeconds', 'winners'].map((field) => `UNKNOWN_FIELD ${field}`),
  )
  expect((await ask('PUT', { version })).body.code).toBe('NO_CHANGES')
  expect((await ask('PUT', chosen)).body).toMatchObject({ code: 'INVALID_VALUE', field: 'version' })
  for (const query of ['', '?version=', '?version=x', '?version=0'])
    expect((await ask('DELETE', undefined, query)).body.code).toBe('INVALID_VALUE')
  expect(await getDraft(adminApi.db)).toMatchObject({ savedAt: null, revision: version })
})

test('an event opens with its draft once the one before is over, and the page shows its terms', async () => {
  const { version } = (await ask('PUT', { ...chosen, version: 1 })).body
  expect(await open(version)).toMatchObject({ status: 409, body: { code: 'EVENT_LOCKED' } })
  await endEvent()
  expect((await ask('GET')).body).toMatchObject({ canOpen: true, draft: chosen })
  const { status, body } = await open(version)
  expect(status).toBe(200)
  expect(body).toMatchObject({ eventNumber: 2, drawDate, minTicketsForDraw: 7 })
  expect(body.archiveMessage).toContain('이벤트 #2')
  await adminApi.deps.state.refresh()
  const config = (await adminApi.call('GET', '/api/raffle/config')).body
  expect(parseTerms(config.terms)).toMatchObject({
    ...{ eventNumber: '2', minTickets: '7', autoDraw: 'false', claimDays: '60' },
    drawDate: `${Date.parse(drawDate) / 1000}`,
  })
  expect(await ask('GET')).toMatchObject({ body: { eventNumber: 3, draft: nothing, current: chosen } })
})
