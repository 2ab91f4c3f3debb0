import { expect, test } from 'vitest'
import type { AuditRow } from '../../db/admin/audit.ts'
import { maxAddresses, type Refusal, refusalCounts } from './refusal-counts.ts'

const noon = Date.parse('2030-01-01T12:00:00.000Z')

/** Counts by a clock of its own, into `written`; while `fault` is set nothing can be written. */
function openCounts() {
  const opened = { now: noon, written: [] as AuditRow[], lost: [] as unknown[], fault: undefined as unknown }
  const counts = refusalCounts({
    now: () => opened.now,
    write: async (rows) => {
      if (opened.fault) throw opened.fault
      opened.written.push(...rows)
    },
    onLost: (error) => opened.lost.push(error),
  })
  const refuse = (clientAddress: string, more: Partial<Refusal> = {}) =>
    counts.note({ clientAddress, action: 'login', code: 'BAD_JSON', status: 400, requestId: 'r', ...more })
  return { opened, refuse, flush: counts.flush }
}

test('a row says how many, which, when first and last, and the last call', async () => {
  const { opened, refuse, flush } = openCounts()
  refuse('10.0.0.1', { username: 'owner', code: 'INVALID_CREDENTIALS', status: 401 })
  opened.now += 1_000
  refuse('10.0.0.1', { action: 'draw', code: 'UNAUTHENTICATED', status: 401, requestId: 'last' })
  refuse('10.0.0.1', { code: 'UNAUTHENTICATED', status: 401, requestId: 'last' })
  await flush()
  expect(opened.written).toEqual([
    {
      actor: 'anonymous',
      action: 'refused',
      clientAddress: '10.0.0.1',
      outcome: '401',
      before: null,
      after: {
        refused: 'UNAUTHENTICATED',
        count: 3,
        codes: { INVALID_CREDENTIALS: 1, UNAUTHENTICATED: 2 },
        firstAt: '2030-01-01T12:00:00.000Z',
        lastAt: '2030-01-01T12:00:01.000Z',
        lastAction: 'login',
        username: 'owner',
      },
      requestId: 'last',
    },
  ])
  await flush()
  expect(opened.written).toHaveLength(1)
})

test('each minute has its own row', async () => {
  const { opened, refuse, flush } = openCounts()
  refuse('10.0.0.1')
  opened.now += 60_000
  refuse('10.0.0.1')
  await flush()
  expect(opened.written.map(({ after }) => (after as { lastAt: string }).lastAt)).toEqual([
    '2030-01-01T12:00:00.000Z',
    '2030-01-01T12:01:00.000Z',
  ])
})

test('a hundred thousand addresses are a hundred rows and one for the rest', async () => {
  const { opened, refuse, flush } = openCounts()
  for (let i = 0; i < 100_000; i++) refuse(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  await flush()
  expect(opened.written).toHaveLength(maxAddresses + 1)
  expect(opened.written.at(-1)).toMatchObject({
    clientAddress: null,
    after: { count: 100_000 - maxAddresses, others: true },
  })
})

test('what cannot be written is kept, and counted together with what comes', async () => {
  const { opened, refuse, flush } = openCounts()
  opened.fault = new Error('no database')
  refuse('10.0.0.1', { username: 'owner' })
  await flush()
  expect([opened.written, opened.lost]).toEqual([[], [opened.fault]])
  opened.fault = undefined
  opened.now += 1_000
  refuse('10.0.0.1')
  await flush()
  expect(opened.written).toMatchObject([
    { after: { count: 2, firstAt: '2030-01-01T12:00:00.000Z', lastAt: '2030-01-01T12:00:01.000Z' } },
  ])
})
