import { expect, test } from 'vitest'
import type { AdminConfig } from '../frame/types.ts'
import { canDraw, drawConditions } from './draw-conditions.ts'

const drawDate = '2025-09-30T12:00:00.000Z'
const after = Date.parse(drawDate) + 1
const event = {
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
  refundNotice: false,
  refundReason: null,
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

test('the draw can begin when all conditions are met, with or without an anchor', () => {
  expect(canDraw(drawConditions(event, ready, undefined, after))).toBe(true)
  expect(canDraw(drawConditions(event, ready, `0x${'ef'.repeat(32)}`, after))).toBe(true)
})

test('each missing condition alone prevents the draw', () => {
  const shut = [
    drawConditions(event, { ...ready, stats: { ticketsSold: 9, ticketPrice: 3 } }, undefined, after),
    drawConditions({ ...event, frozenAt: null }, ready, undefined, after),
    drawConditions(event, ready, undefined, after - 10),
    drawConditions({ ...event, drawDate: null }, ready, undefined, after),
    drawConditions({ ...event, isHalted: true }, ready, undefined, after),
    drawConditions({ ...event, isRefundMode: true }, ready, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, canDraw: false } }, undefined, after),
    drawConditions(event, { ...ready, drawStatus: { ...status, isDrawing: true } }, undefined, after),
    drawConditions(event, { ...ready, winner }, undefined, after),
  ]
  expect(shut.map(canDraw)).toEqual(shut.map(() => false))
})
