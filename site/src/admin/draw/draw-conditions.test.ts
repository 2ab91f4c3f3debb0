import { expect, test } from 'vitest'
import type { AdminConfig } from '../frame/types.ts'
import { canDraw, drawConditions } from './draw-conditions.ts'

const drawDate = '2025-09-30T12:00:00.000Z'
const after = Date.parse(drawDate) + 1
const event = {
  entropy: 'blocks',
  drawDate,
  saleEndDate: '2025-09-29T12:00:00.000Z',
  frozenAt: '2025-09-29T12:00:05.000Z',
  ledgerSha256: `0x${'ab'.repeat(32)}`,
  minTicketsForDraw: 10,
  isHalted: false,
  isRefundMode: false,
} as AdminConfig
const status = {
  isDrawing: false,
  isRefundMode: false,
  canDraw: true,
  isWinnerHidden: false,
  refundNotice: false,
  refundReason: null,
  wouldHaveWon: null,
  beacon: null,
  beaconDueAt: null,
  blockSeed: null,
  drawBlocks: null,
  refunds: [],
}
const ready = { stats: { ticketsSold: 10, ticketPrice: 3 }, drawStatus: status, winner: null }
const winner = {
  eventNumber: 1,
  walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  transactionHash: `0x${'cd'.repeat(32)}`,
  ticketNumber: 1,
  randomNumber: '1',
  announcedAt: drawDate,
} as const

const hash = `0x${'ef'.repeat(32)}` as const
/** An anchor counts; `transactionHash`: it is of the list as it is. */
const anchored = (transactionHash: typeof hash | null) => ({
  ...{ commitment: hash, transactionHash, areUnread: false },
  anchors: [{ counts: true }],
})

test('the draw can begin when all conditions are met, with or without an anchor', () => {
  expect(canDraw(drawConditions(event, ready, undefined, after))).toBe(true)
  expect(canDraw(drawConditions(event, ready, anchored(hash), after))).toBe(true)
  expect(canDraw(drawConditions({ ...event, isHalted: true }, ready, undefined, after))).toBe(true)
})

test('each missing condition alone prevents the draw', () => {
  const shut = [
    drawConditions(event, { ...ready, stats: { ticketsSold: 9, ticketPrice: 3 } }, undefined, after),
    drawConditions({ ...event, frozenAt: null }, ready, undefined, after),
    drawConditions(event, ready, undefined, after - 10),
    drawConditions({ ...event, drawDate: null }, ready, undefined, after),
    drawConditions(event, ready, anchored(null), after),
    drawConditions({ ...event, isRefundMode: true }, ready, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, canDraw: false } }, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, isDrawing: true } }, undefined, after),
    drawConditions(event, { ...ready, winner }, undefined, after),
  ]
  expect(shut.map(canDraw)).toEqual(shut.map(() => false))
})

test('another list that is anchored holds the draw up while later anchors are untold, and says so', () => {
  const unread = { ...anchored(null), areUnread: true }
  const anchor = drawConditions(event, ready, unread, after).find(({ name }) => name.includes('앵커'))
  expect(anchor).toMatchObject({ state: 'failed', found: expect.stringContaining('읽히는 대로') })
  expect(drawConditions(event, ready, { ...anchored(hash), areUnread: true }, after)).toSatisfy(canDraw)
})

test('where drand is mixed in, the draw waits for its round and says what it waits for', () => {
  const mixed = { ...event, entropy: 'blocks+drand' } as AdminConfig
  const at = (beacon: 'sealed' | 'awaited' | 'found', canDraw = false) =>
    drawConditions(
      mixed,
      { ...ready, drawStatus: { ...status, beacon, canDraw, beaconDueAt: '2025-09-30T12:01:00.000Z' } },
      undefined,
      after,
    )
  const round = (beacon: 'sealed' | 'awaited' | 'found') =>
    at(beacon).find(({ name }) => name === 'drand 회차')
  expect(round('sealed')).toMatchObject({ state: 'waiting', found: expect.stringContaining('12:01 UTC') })
  expect(round('awaited')).toMatchObject({ state: 'waiting', found: expect.stringContaining('7일') })
  expect(round('found')).toMatchObject({ state: 'passed' })
  expect([canDraw(at('awaited')), canDraw(at('found', true))]).toEqual([false, true])
})
