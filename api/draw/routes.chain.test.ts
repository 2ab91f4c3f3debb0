import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { termsSha256 } from '../../core/event/terms.ts'
import type { LiveSnapshot } from '../../core/live/public.ts'
import type { Clock } from '../../core/server/time.ts'
import { readAll } from '../../core/verify/download.ts'
import {
  stepsOf,
  type VerifyEvent,
  type VerifyResult,
  verdictOf,
  verifyDraw,
} from '../../core/verify/verify.ts'
import { bumpVersion, termsOf } from '../../db/event/terms.ts'
import { draws, events } from '../../db/schema/index.ts'
import { type AdminApi, openAdminApi } from '../../e2e/lab/admin-api.ts'
import { type DrawWorld, drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'

let adminApi: AdminApi
let world: DrawWorld
let token: string
let isWorkerThere = true
afterEach(() => world?.close())

type Options = { minTickets?: number; autoDraw?: boolean; clock?: Clock }

/** The API and a worker that takes the job, on one database and chain. */
async function openPlace({ clock, ...options }: Options = {}): Promise<void> {
  isWorkerThere = true
  let working: Promise<unknown> = Promise.resolve()
  adminApi = await openAdminApi({
    clock,
    jobs: {
      enqueue: async (name) => {
        if (!isWorkerThere) return false
        if (name === 'draw') working = working.then(() => world.draw()).catch(() => undefined)
        return true
      },
    },
  })
  world = await openDrawWorld({ autoDraw: false, ...options, database: adminApi })
  token = await adminApi.login()
}
async function openReady(options: Options = {}): Promise<void> {
  await openPlace(options)
  await world.toDraw()
}
const post = (path: string, body?: unknown) => adminApi.call('POST', path, { token, body })
const press = () => post('/api/admin/blockchain/draw')
const get = (path: string) => adminApi.call('GET', path)
const clear = () => adminApi.call('DELETE', '/api/admin/raffle/winner', { token })

describe('the draw call', () => {
  test('D2: of 20 parallel calls one begins the draw, the others get that it has been drawn', async () => {
    await openReady()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post(i % 2 ? '/api/raffle/execute-draw' : '/api/admin/blockchain/draw'),
      ),
    )
    const [won, lost] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status === 409),
    ]
    expect(won.map(({ body }) => body)).toEqual([{ eventNumber: 1, isDrawing: true }])
    expect(lost.map(({ body }) => body.code)).toEqual(Array(19).fill('ALREADY_DRAWN'))
    expect(await world.db.select().from(draws)).toHaveLength(1)
    expect(await press()).toMatchObject({ status: 409, body: { code: 'ALREADY_DRAWN' } })
  })

  test('DRAW_NOT_DUE before the draw date, NOT_FINAL until its block is final, and the refused call draws nothing later', async () => {
    await openPlace()
    await world.sell()
    await world.endSale()
    const drawDateIs = (drawDate: Date) =>
      withOtherPast(world.db, (tx) => tx.update(events).set({ drawDate }))
    await drawDateIs(fromNow(600))
    expect(await press()).toMatchObject({ status: 409, body: { code: 'DRAW_NOT_DUE' } })
    await drawDateIs(new Date((world.start + drawAt) * 1000))
    expect(await press()).toMatchObject({ status: 503, body: { code: 'NOT_FINAL' } })
    await world.reachDraw()
    await world.draw()
    expect(await world.db.select().from(draws)).toEqual([])
    expect((await press()).status).toBe(200)
  })

  test('NOT_FINAL while the ledger is not frozen, REFUND_MODE and MIN_NOT_REACHED below the minimum', async () => {
    await openPlace({ minTickets: 1_000 })
    await world.sell()
    expect(await press()).toMatchObject({ status: 503, body: { code: 'NOT_FINAL' } })
    await world.endSale()
    expect(await press()).toMatchObject({ status: 409, body: { code: 'MIN_NOT_REACHED' } })
    await world.reachDraw()
    await world.draw()
    expect(await press()).toMatchObject({ status: 409, body: { code: 'REFUND_MODE' } })
    expect(await get('/api/raffle/changes')).toMatchObject({
      status: 200,
      body: [{ field: 'refundMode', to: 'on' }, { field: 'ledger' }],
    })
  })

  test('RPC_UNAVAILABLE when no worker answers, and a worker that starts later does nothing', async () => {
    await openReady({ clock: passingClock() })
    isWorkerThere = false
    expect(await press()).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
    await world.draw()
    expect(await world.db.select().from(draws)).toEqual([])
    expect(await world.db.select({ at: events.drawWantedAt }).from(events)).toEqual([{ at: null }])
  })
})

test('D1, D6, I12, I22, I23: drawn, announced, cleared and drawn again, seen at every change: one winner, never early', async () => {
  await openReady()
  const seen = watch()
  expect((await press()).status).toBe(200)
  await adminApi.deps.state.refresh()
  expect((await get('/api/raffle/draw-status')).body).toMatchObject({ isDrawing: true, canDraw: false })
  expect(await get('/api/raffle/proof/1')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await clear()).toMatchObject({ status: 404, body: { code: 'NO_WINNER' } })
  await passed(draws.drawnAt)
  const [row] = await world.db.select().from(draws)
  const winner = (await get('/api/raffle/winner')).body
  expect(Date.parse(winner.announcedAt) - (row?.drawnAt.getTime() ?? 0)).toBe(10_000)
  expect((await get('/api/raffle/history')).body).toMatchObject([
    { eventNumber: 1, winnerWallet: winner.walletAddress },
  ])
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  // What was not there is looked for again half a second later.
  const cacheOf = async () => (await adminApi.send('GET', '/api/raffle/proof/1')).headers.get('cache-control')
  await expect.poll(cacheOf, { interval: 100 }).toContain('immutable')
  const proof = await adminApi.send('GET', '/api/raffle/proof/1')
  const proofText = await proof.text()

  expect(await clear()).toMatchObject({
    status: 200,
    body: { clearedWinner: { walletAddress: winner.walletAddress } },
  })
  expect(await clear()).toMatchObject({ status: 404, body: { code: 'NO_WINNER' } })
  await adminApi.deps.state.refresh()
  expect((await get('/api/raffle/winner')).body).toBeNull()
  expect((await get('/api/raffle/history')).body).toEqual([])
  expect((await get('/api/raffle/draw-status')).body).toMatchObject({ isDrawing: false, canDraw: true })
  expect(await (await adminApi.send('GET', '/api/raffle/proof/1')).text()).toBe(proofText)

  const again = await Promise.all([press(), press(), press()])
  expect(again.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(await world.db.select().from(draws)).toEqual([row])
  await adminApi.deps.state.refresh()
  expect((await get('/api/raffle/winner')).body).toBeNull()
  await passed(events.redrawnAt)
  expect((await get('/api/raffle/winner')).body).toMatchObject({ ...winner, announcedAt: expect.any(String) })
  expect((await get('/api/raffle/changes')).body.slice(0, 2)).toMatchObject([
    { field: 'winner', from: 'cleared' },
    { field: 'winner', from: 'announced', to: 'cleared' },
  ])
  expect(await (await adminApi.send('GET', '/api/raffle/proof/1')).text()).toBe(proofText)

  expect(seen.stop()).toEqual(['waiting', 'drawing', 'told', 'waiting', 'drawing', 'told'])
})

test('I11: what the public calls answer can be verified with any endpoint, anchor included', async () => {
  await openPlace()
  await world.sell()
  await world.sendAnchor(termsSha256(await termsOf(world.db, await world.event())), { at: saleEndAt - 10 })
  await world.endSale()
  const sent = await world.sendAnchor(await world.commitment(), { at: saleEndAt + 20 })
  await world.mine(3)
  await world.scan()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  expect(await adminApi.call('GET', '/api/admin/raffle/anchor', { token })).toMatchObject({
    body: { list: { commitment: await world.commitment(), transactionHash: sent }, others: [] },
  })
  const { terms } = await world.event()
  await world.reachDraw()
  await press()
  await world.db
    .update(events)
    .set({ redrawnAt: fromNow(-20) })
    .where(eq(events.number, 1))
  const proof = await (await adminApi.send('GET', '/api/raffle/proof/1')).text()
  const ledger = await adminApi.send('GET', '/api/raffle/ledger/1')
  const told: VerifyEvent[] = []
  for await (const event of verifyDraw({
    proof,
    list: readAll(ledger.body as ReadableStream<Uint8Array>),
    rpc: (method, params) => rpc(world.url, method, params),
    known: { kept: [terms ?? ''] },
  }))
    told.push(event)
  const results = told.filter((event): event is VerifyResult => event.kind === 'result')
  expect(results.map(({ step, status }) => `${step} ${status}`)).toEqual([
    ...stepsOf('blocks').map((step) => `${step} passed`),
  ])
  expect(verdictOf(results)).toBe('verified')
})

/** The ten seconds of a drawing are over: it began so much earlier. */
async function passed(column: typeof draws.drawnAt | typeof events.redrawnAt): Promise<void> {
  await withOtherPast(world.db, (tx) =>
    tx.execute(
      sql`update ${column.table} set ${sql.identifier(column.name)} = ${column} - interval '11 seconds'`,
    ),
  )
  await world.db.transaction(bumpVersion)
  await adminApi.deps.state.refresh()
}

/** Looks at every part of the public state whenever it changes: what a visitor could have seen. */
function watch() {
  const { state } = adminApi.deps
  const phases: string[] = []
  let version = 0
  const look = () => {
    const snapshot = state.snapshot() as LiveSnapshot
    expect(snapshot.version).toBeGreaterThanOrEqual(version)
    version = snapshot.version
    const { drawStatus, winner, history } = snapshot
    const phase = drawStatus.isDrawing ? 'drawing' : winner ? 'told' : 'waiting'
    if (phases.at(-1) !== phase) phases.push(phase)
    expect(winner !== null).toBe(history.some(({ eventNumber }) => eventNumber === 1))
    expect(drawStatus.isDrawing && winner).toBeFalsy()
    const texts = (['winner', 'history', 'drawStatus'] as const).map((part) =>
      new TextDecoder().decode(state.part(part)?.plain),
    )
    if (phase !== 'told') expect(texts.join()).not.toContain('randomNumber":"')
  }
  const problems: unknown[] = []
  const stop = state.subscribe({
    change: () => {
      try {
        look()
      } catch (error) {
        problems.push(error)
      }
    },
  })
  look()
  return {
    stop() {
      stop()
      expect(problems).toEqual([])
      return phases
    },
  }
}
