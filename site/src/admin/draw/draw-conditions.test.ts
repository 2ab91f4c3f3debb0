import { expect, test } from 'vitest'
import type { AdminConfig } from '../session/session.ts'
import { anchorToSend, drawConditions, drawStanding } from './draw-conditions.ts'

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

const stands = (part: Partial<AdminConfig>, told: object = {}, now = after) =>
  drawStanding({ ...event, ...part }, { ...ready, ...told }, now)

test('the draw can begin when all conditions are met, also while the list is made again', () => {
  expect(stands({})).toEqual({ state: 'ready', text: '추첨할 수 있습니다.' })
  expect(stands({ isHalted: true }).state).toBe('ready')
})

test('each missing condition alone prevents the draw', () => {
  const states = [
    stands({}, { stats: { ticketsSold: 9, ticketPrice: 3 } }),
    stands({ isRefundMode: true }),
    stands({ frozenAt: null }),
    stands({}, {}, after - 10),
    stands({ drawDate: null }),
    stands({}, { drawStatus: { ...status, canDraw: false } }),
    stands({}, { drawStatus: { ...status, isDrawing: true } }),
    stands({}, { winner }),
  ].map(({ state }) => state)
  expect(states).toEqual(['failed', 'failed', ...Array(6).fill('waiting')])
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

test('where drand is mixed in, the draw time has come with its round, and it says what it waits for', () => {
  const at = (beacon: 'sealed' | 'awaited' | 'found') =>
    drawConditions(
      { ...event, entropy: 'blocks+drand' } as AdminConfig,
      { ...ready, drawStatus: { ...status, beacon, beaconDueAt: '2025-09-30T12:01:00.000Z' } },
      after,
    ).at(-1)
  expect(at('sealed')).toMatchObject({ state: 'waiting', found: expect.stringContaining('12:01 UTC') })
  expect(at('awaited')).toMatchObject({ state: 'waiting', found: expect.stringContaining('7일') })
  expect(at('found')).toMatchObject({ state: 'passed', found: '2025-09-30 12:00 UTC' })
})

test('what comes next is the first condition that waits; what cannot come any more is told before it', () => {
  expect(stands({ frozenAt: null })).toMatchObject({ state: 'waiting', next: '판매 종료와 명단 확정' })
  expect(stands({ frozenAt: null, isRefundMode: true })).toEqual({
    state: 'failed',
    text: '이 이벤트는 환불 중입니다.',
  })
  expect(stands({}, {}, Date.parse(drawDate) - 1).next).toBe('추첨 시각')
})
