import { expect, test } from 'vitest'
import type { NextTerms } from '../frame/types.ts'
import { changedNext, type NextDraft, nextBody, nextDraftOf, wrongNext } from './next-form.ts'

const promises: NextTerms['next'] = {
  ...{ drawDate: null, saleEndDate: null, minTicketsForDraw: 100, autoDraw: true, entropy: 'blocks' },
  ...{ winners: 1, claimDays: 30, maxTickets: null, maxPerWallet: null, ticketPrice: 3, chainId: 56 },
  ...{ saleLeadSeconds: 86_400, operatorWallet: null, tokenAddress: `0x${'55'.repeat(20)}` },
  prizes: [{ kind: 'goods', amount: null }],
}
const saved: NextTerms = {
  eventNumber: 2,
  draft: {
    ...{ drawDate: '2025-09-30T12:00:00.000Z', minTicketsForDraw: 7, autoDraw: false, claimDays: null },
    ...{ entropy: null, winners: null, prizes: null, maxTickets: null, maxPerWallet: null },
  },
  ...{ savedAt: '2025-09-01T00:00:00.000Z', current: promises, next: promises, terms: '' },
  ...{ canOpen: false, version: 4 },
}
const now = Date.parse('2025-09-01T00:00:00Z')
const edited = (part: Partial<NextDraft>) => ({ ...nextDraftOf(saved), ...part })

test('the same draft in another spelling is not a change; an emptied field is left to the server', () => {
  const names = (part: Partial<NextDraft>) => changedNext(saved, edited(part)).map(({ name }) => name)
  expect(names({ drawDate: '2025-9-30T12:00', minTicketsForDraw: ' 7' })).toEqual([])
  expect(names({ drawDate: '', autoDraw: '', claimDays: '9' })).toEqual(['drawDate', 'autoDraw', 'claimDays'])
  expect(nextBody(saved, edited({ drawDate: '', autoDraw: '', claimDays: '9' }))).toEqual({
    ...{ drawDate: null, minTicketsForDraw: 7, autoDraw: null, claimDays: 9, entropy: null, winners: null },
    ...{ prizes: null, maxTickets: null, maxPerWallet: null, version: 4 },
  })
  expect(nextBody(saved, edited({ autoDraw: 'on' }))).toMatchObject({
    ...{ drawDate: '2025-09-30T12:00:00Z', autoDraw: true },
  })
  // A draft of an older release may name them.
  const named = { ...saved, draft: { ...saved.draft, winners: 3 } }
  expect(nextBody(named, edited({ entropy: 'blocks+drand' }))).toMatchObject({
    ...{ entropy: 'blocks+drand', winners: null, prizes: null },
  })
})

test('caps are numbers or none, and leave the minimum within reach', () => {
  expect(nextBody(saved, edited({ maxTickets: ' 12', maxPerWallet: '' }))).toMatchObject({
    ...{ maxTickets: 12, maxPerWallet: null },
  })
  expect(wrongNext(saved, edited({ maxTickets: '6' }), now)).toEqual({
    maxTickets: expect.stringContaining('(7)'),
  })
  const left = { minTicketsForDraw: '', maxTickets: '99' }
  expect(wrongNext(saved, edited(left), now)).toEqual({ maxTickets: expect.stringContaining('(100)') })
  expect(wrongNext(saved, edited({ maxTickets: '12', maxPerWallet: '13' }), now)).toEqual({
    maxPerWallet: expect.stringContaining('(12)'),
  })
  expect(wrongNext(saved, edited({ maxTickets: '2000000001', maxPerWallet: '0' }), now)).toEqual({
    maxTickets: '1에서 2,000,000,000 사이의 정수를 입력하세요.',
    maxPerWallet: '1에서 2,000,000,000 사이의 정수를 입력하세요.',
  })
})

test('each wrong field has its own sentence, also a saved date that has become past', () => {
  expect(wrongNext(saved, edited({}), now)).toEqual({})
  expect(wrongNext(saved, edited({ drawDate: '', minTicketsForDraw: '', claimDays: '' }), now)).toEqual({})
  const wrong = wrongNext(saved, edited({ drawDate: 'soon', minTicketsForDraw: '0', claimDays: '91' }), now)
  expect(wrong).toEqual({
    drawDate: expect.stringContaining('형식'),
    minTicketsForDraw: '1에서 10,000,000 사이의 정수를 입력하세요.',
    claimDays: '7에서 90 사이의 정수를 입력하세요.',
  })
  const later = Date.parse('2025-09-29T12:00:00Z')
  expect(wrongNext(saved, edited({}), later).drawDate).toContain('이미 지났습니다')
})
