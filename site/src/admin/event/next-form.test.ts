import { expect, test } from 'vitest'
import type { NextTerms } from '../session/types.ts'
import { changedNext, type NextDraft, nextBody, nextDraftOf, wrongNext } from './next-form.ts'

const promises: NextTerms['next'] = {
  ...{ drawDate: null, saleEndDate: null, minTicketsForDraw: 100, autoDraw: true, entropy: 'blocks' },
  ...{ winners: 1, claimDays: 30, ticketPrice: 3, chainId: 56 },
  ...{ saleLeadSeconds: 86_400, operatorWallet: null, tokenAddress: `0x${'55'.repeat(20)}` },
  prizes: [{ kind: 'goods', amount: null }],
}
const saved: NextTerms = {
  eventNumber: 2,
  draft: {
    ...{ drawDate: '2025-09-30T12:00:00.000Z', minTicketsForDraw: 7, autoDraw: false, claimDays: null },
    ...{ entropy: null, winners: null, prizes: null },
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
    ...{ prizes: null, version: 4 },
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
