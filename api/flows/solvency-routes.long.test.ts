import { expect, test } from 'vitest'
import { unknownSolvency } from '../../core/flows/unknown.ts'
import { bumpVersion } from '../../db/event/version.ts'
import { solvency } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const api = forEachTest(openAdminApi)

const point = { at: '2026-11-01T00:00:00.000Z', block: 7, held: '5', required: '6', cover: '-1' }

/** As a worker stores it. */
async function reckoned() {
  const facts = {
    ...unknownSolvency(1, api.event.token),
    state: 'short' as const,
    cover: '-1',
    held: '5',
    required: '6',
  }
  await api.db.transaction(async (tx) => {
    await tx.insert(solvency).values({ eventNumber: 1, height: 7n, facts, points: [point], dust: 0n })
    await bumpVersion(tx)
  })
  await api.deps.state.refresh()
  return facts
}

test('everybody is told what is held and owed, from memory and with an ETag; before it was reckoned it is unknown', async () => {
  const before = await api.call('GET', '/api/raffle/solvency')
  expect([before.status, before.body]).toMatchObject([200, { eventNumber: 1, state: 'unknown', block: null }])
  const facts = await reckoned()
  const after = await api.call('GET', '/api/raffle/solvency')
  expect(after.body).toEqual(facts)
  expect(Number(after.headers.get('x-state-version'))).toBeGreaterThan(
    Number(before.headers.get('x-state-version')),
  )
  const again = await api.send('GET', '/api/raffle/solvency', {
    headers: { 'if-none-match': after.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect(api.deps.state.snapshot()?.solvency).toEqual(facts)
})

test('its past is for administrators: points of the running event', async () => {
  const token = await api.login()
  const ask = () => api.as(token)('GET', '/api/admin/raffle/solvency')
  expect((await ask()).body).toEqual({
    ...{ eventNumber: 1, state: 'unknown', equation: 'unknown', reckonedAt: null, points: [] },
  })
  await reckoned()
  expect((await ask()).body).toMatchObject({
    state: 'short',
    points: [point],
    reckonedAt: expect.any(String),
  })
  expect((await api.call('GET', '/api/admin/raffle/solvency')).status).toBe(401)
})
