import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { applyWatch } from '../../db/refund/watch.ts'
import { hurriedClock, openAdminSession } from '../../e2e/lab/admin-api.ts'
import { foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { createApp } from '../app.ts'
import type { Deps } from '../deps.ts'

const adminApi = forEachTest(() => openAdminSession({ clock: hurriedClock() }))

/** The status and body of a call of the administrator to an API with other parts. */
async function postTo(changed: Partial<Deps>, path: string, body: unknown) {
  const answer = await createApp({ ...adminApi.deps, ...changed }).handle(
    new Request(`http://localhost/api/admin/${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${adminApi.token}`, 'content-type': 'application/json' },
        ...{ 'x-site-proxy': 'test-site', 'x-forwarded-for': '10.1.2.3' },
      },
      body: JSON.stringify(body),
    }),
  )
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

function loggedLines() {
  const lines: Record<string, unknown>[] = []
  return { lines, log: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }) }
}

test('the refund notice opens only in refund mode, and closes', async () => {
  const notice = (body?: unknown) => adminApi.ask('POST', '/api/admin/raffle/refund-notification', body)
  expect((await notice()).body.code).toBe('SALES_OPEN')
  await adminApi.db.execute(sql`update events set refund_mode_at = now()`)
  expect(await notice()).toMatchObject({ status: 200, body: { active: true } })
  await adminApi.deps.state.refresh()
  expect((await adminApi.call('GET', '/api/raffle/draw-status')).body.refundNotice).toBe(true)
  expect(await notice({ active: false })).toMatchObject({ status: 200, body: { active: false } })
  expect((await notice({ active: 'no' })).body.code).toBe('INVALID_VALUE')
  expect((await notice({ on: true })).body.code).toBe('UNKNOWN_FIELD')
})

test('with refunds paused nothing is prepared and nothing is handed to a wallet', async () => {
  const { admin } = adminApi.deps
  const refunds = { minUnits: 0n, isPaused: true }
  const post = async (path: string, body: unknown) => {
    const answer = await postTo({ admin: { ...admin, refunds } }, path, body)
    return [answer.status, answer.body.code]
  }
  const refundInfo = { totalTickets: 1, totalAmount: 300 }
  expect(await post('raffle/execute-refund', { refundInfo })).toEqual([503, 'REFUNDS_PAUSED'])
  const offer = { ids: [1], nonce: 0, wallet: operator }
  expect(await post('refunds/offer', offer)).toEqual([503, 'REFUNDS_PAUSED'])
  expect(await adminApi.db.execute(sql`select 1 from refund_batches`)).toHaveLength(0)
})

test('what keeps a refund from being prepared or offered is in the log, and not in the answer', async () => {
  const { lines, log } = loggedLines()
  await foldTo(adminApi.db, adminApi.event, 5, [paid(adminApi.event, { block: 2, cents: 200 })])
  const refundInfo = { totalTickets: 0, totalAmount: 200 }
  const calls = [
    ['raffle/execute-refund', { refundInfo, kind: 'leftover' }],
    ['refunds/offer', { ids: [1], nonce: 0, wallet: operator }],
  ] as const
  for (const [index, [path, asked]] of calls.entries()) {
    const { status, body } = await postTo({ log }, path, asked)
    expect(status).toBe(503)
    expect(Object.keys(body).sort()).toEqual(['code', 'error', 'message', 'requestId'])
    expect(lines[index]).toMatchObject({
      ...{ requestId: body.requestId, code: 'RPC_UNAVAILABLE', path: `/api/admin/${path}` },
      reason: { checkedAt: null, unread: [{ wallet: operator, token: adminApi.event.token }] },
    })
  }
})

test('payers that were not checked in time are counted in the log', async () => {
  const { lines, log } = loggedLines()
  const { db, event } = adminApi
  await foldTo(db, event, 5, [paid(event, { block: 2, cents: 200 })])
  await applyWatch(
    db,
    undefined,
    { height: 5n, hash: `0x${'05'.repeat(32)}` },
    { transfers: [], entries: [] },
    {
      nonces: {},
      hashes: [],
      time: 5,
    },
  )
  const refundInfo = { totalTickets: 0, totalAmount: 200 }
  const { status } = await postTo({ log }, 'raffle/execute-refund', { refundInfo, kind: 'leftover' })
  expect(status).toBe(503)
  expect(lines).toMatchObject([{ code: 'RPC_UNAVAILABLE', reason: { uncheckedPayers: 1 } }])
})

test('draw and refund history are lists', async () => {
  expect((await adminApi.ask('GET', '/api/admin/raffle/history')).body).toMatchObject([
    { id: 1, eventNumber: 1, isActive: true, ticketsSold: 0, winnerId: null, winnerWallet: null },
  ])
  expect((await adminApi.ask('GET', '/api/admin/refund-history')).body).toEqual([])
})
