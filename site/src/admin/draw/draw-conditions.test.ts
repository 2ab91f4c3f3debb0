import { expect, test } from 'vitest'
import type { AdminConfig } from '../session/session.ts'
import { anchorToSend, canDraw, drawConditions, nextCondition } from './draw-conditions.ts'

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
const anchored = (transactionHash: typeof hash | null) => ({
  terms: { commitment: hash, transactionHash: hash },
  list: { commitment: hash, transactionHash },
})

test('the draw can begin when all conditions are met, with or without an anchor', () => {
  expect(canDraw(drawConditions(event, ready, undefined, after))).toBe(true)
  expect(canDraw(drawConditions(event, ready, anchored(hash), after))).toBe(true)
  expect(canDraw(drawConditions(event, ready, anchored(null), after))).toBe(true)
  expect(canDraw(drawConditions({ ...event, isHalted: true }, ready, undefined, after))).toBe(true)
})

test('each missing condition alone prevents the draw', () => {
  const shut = [
    drawConditions(event, { ...ready, stats: { ticketsSold: 9, ticketPrice: 3 } }, undefined, after),
    drawConditions({ ...event, frozenAt: null }, ready, undefined, after),
    drawConditions(event, ready, undefined, after - 10),
    drawConditions({ ...event, drawDate: null }, ready, undefined, after),
    drawConditions({ ...event, isRefundMode: true }, ready, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, canDraw: false } }, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, isDrawing: true } }, undefined, after),
    drawConditions(event, { ...ready, winner }, undefined, after),
  ]
  expect(shut.map(canDraw)).toEqual(shut.map(() => false))
})

test('the terms are anchored before the sale end, the list before the draw date, and nothing twice', () => {
  const terms = { terms: { commitment: hash, transactionHash: null }, list: null }
  const end = Date.parse(event.saleEndDate as string)
  expect(anchorToSend(event, terms, end - 1)).toBe(hash)
  expect(anchorToSend(event, terms, end)).toBeUndefined()
  expect(anchorToSend({ drawDate: null, saleEndDate: null }, terms, end)).toBeUndefined()
  expect(anchorToSend(event, anchored(null), after - 2)).toBe(hash)
  expect(anchorToSend(event, anchored(null), after)).toBeUndefined()
  expect(anchorToSend(event, anchored(hash), after - 2)).toBeUndefined()
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

test('what comes next is the first condition that waits; what cannot come any more is told before it', () => {
  const next = (part: Partial<AdminConfig>, now = after) =>
    nextCondition(drawConditions({ ...event, ...part }, ready, undefined, now))?.name
  expect(next({})).toBeUndefined()
  expect(next({ frozenAt: null })).toBe('판매 종료와 명단 확정')
  expect(next({ frozenAt: null, isRefundMode: true })).toBe('환불 모드 아님')
  expect(next({}, Date.parse(drawDate) - 1)).toBe('추첨 시각')
})
