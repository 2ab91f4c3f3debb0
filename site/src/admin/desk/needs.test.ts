import { expect, test } from 'vitest'
import { usdtUnits } from '../../../../e2e/lab/usdt.ts'
import type { DeskPrize } from '../prize/PrizeDesk.tsx'
import { badgesOf, type DeskFacts, needsOf, offeredDate } from './NeedsYou.tsx'

const units = (amount: number) => `${usdtUnits(amount)}`
const event = {
  eventNumber: 2,
  drawDate: '2055-01-02T00:00:00Z',
  isRefundMode: false,
  isOver: false,
  isHalted: false,
}
const chain = { tone: 'ok', text: '' } as const
const payers = { owed: 0, due: 0, held: 0, sent: 0, settled: 0 }
const nothing: DeskFacts = { refunds: { events: [], payers, unmarkedTransfers: 0 }, prizes: [] }
const debt = (eventNumber: number, due: string) => ({
  ...{ eventNumber, isRefundMode: true, reason: null, due, payers: 1, settled: 0 },
  refundInfo: { totalTickets: 1, totalAmount: 300 },
})
const prize = (part: Partial<DeskPrize>) =>
  ({ eventNumber: 1, place: 1, unpaid: null, holder: { walletAddress: '0x1' }, ...part }) as DeskPrize
const texts = (known: Partial<Parameters<typeof needsOf>[0]>) =>
  needsOf({ facts: nothing, event, chain, ...known }).map(({ tab, text }) => `${tab}: ${text}`)

test('nothing is owed, a date is set and the chain is read: nothing is to be done', () => {
  expect(texts({})).toEqual([])
  expect(badgesOf(nothing)).toEqual({ refund: 0, winner: 0 })
  expect(texts({ facts: undefined, event: undefined })).toEqual([])
})

test('debts of every event, also of those that are over, prizes to be sent, and what is to be decided', () => {
  const refunds = {
    ...{ events: [debt(2, '0'), debt(1, units(2))], unmarkedTransfers: 1 },
    payers: { ...payers, due: 3, held: 1 },
  }
  const prizes = [
    prize({ state: 'due', unpaid: units(500) }),
    prize({ place: 2, state: 'claimed' }),
    prize({ place: 3, state: 'unclaimed' }),
    prize({ place: 4, state: 'delivered' }),
  ]
  expect(texts({ facts: { refunds, prizes } })).toEqual([
    'refund: 이벤트 1: 2 USDT를 돌려주어야 합니다.',
    'refund: 직접 보낸 전송 1건이 무엇이었는지 정해야 합니다.',
    'refund: 보류된 환불 1건을 보낼지 정해야 합니다.',
    'winner: 이벤트 1 경품 1번: 500 USDT를 보내야 합니다.',
    'winner: 이벤트 1 경품 2번: 신청되었습니다. 보내야 합니다.',
  ])
  expect(badgesOf({ refunds, prizes })).toEqual({ refund: 4, winner: 2 })
})

test('a silent chain, a halted sale and a missing date; an event that is over or refunded needs none', () => {
  const open = { ...event, drawDate: null, isHalted: true }
  expect(texts({ event: open, chain: { tone: 'bad', text: '작업자 응답 없음' } })).toEqual([
    'blockchain: 체인 연결: 작업자 응답 없음',
    'blockchain: 판매가 멈춰 있습니다.',
    'config: 이벤트 2의 추첨 일시가 없습니다.',
  ])
  expect(texts({ chain: { tone: 'wait', text: 'b.example 응답 없음', needsYou: true } })).toEqual([
    'blockchain: 체인 연결: b.example 응답 없음',
  ])
  expect(texts({ chain: { tone: 'wait', text: '블록 확정 지연' } })).toEqual([])
  expect(texts({ event: { ...event, drawDate: null, isOver: true } })).toEqual([])
  expect(texts({ event: { ...event, drawDate: null, isRefundMode: true } })).toEqual([])
})

test('the date of one press is one after a week of sale, at a full hour, and the soonest on a trial that draws soon after it', () => {
  const now = Date.parse('2055-01-01T12:00:30Z')
  const offered = (lead: number, isTrial: boolean) => offeredDate(now, lead, isTrial).toISOString()
  expect(offered(60, true)).toBe('2055-01-01T12:07:00.000Z')
  expect(offered(86_400, true)).toBe('2055-01-09T13:00:00.000Z')
  expect(offered(86_400, false)).toBe('2055-01-09T13:00:00.000Z')
})
