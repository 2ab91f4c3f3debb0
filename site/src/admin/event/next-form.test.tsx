import { expect, test } from 'vitest'
import { firstEventContent } from '../../../../core/content/first-event.ts'
import { buttonsOf, linesOf, markupOf } from '../../../../e2e/lab/islands.ts'
import type { NextTerms } from '../session/session.ts'
import { bodyOf, changesBetween, draftOf, wrongIn } from '../ui/draft.ts'
import { NextEventForm } from './EventTab.tsx'
import { termFields, termsBody } from './next-form.tsx'

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
    entropy: null,
  },
  ...{ savedAt: '2025-09-01T00:00:00.000Z', current: promises, next: promises, terms: '' },
  ...{ canOpen: false, version: 4 },
}
const now = Date.parse('2025-09-01T00:00:00Z')
const fieldsAt = (moment: number) => termFields(saved, moment)
const fields = fieldsAt(now)
const before = draftOf(fields, saved.draft)
type Part = Partial<typeof before>
const edited = (part: Part) => ({ ...before, ...part })
const nextBody = (part: Part) => termsBody(bodyOf(fields, edited(part)), saved.version)
const wrongNext = (part: Part, moment: number) => wrongIn(fieldsAt(moment), before, edited(part)).bad

test('the same draft in another spelling is not a change; an emptied field is left to the server', () => {
  const names = (part: Part) => changesBetween(fields, before, edited(part)).map(({ name }) => name)
  expect(names({ drawDate: '2025-9-30T12:00', minTicketsForDraw: ' 7' })).toEqual([])
  expect(names({ drawDate: '', autoDraw: '', claimDays: '9' })).toEqual(['drawDate', 'autoDraw', 'claimDays'])
  expect(nextBody({ drawDate: '', autoDraw: '', claimDays: '9' })).toEqual({
    ...{ drawDate: null, minTicketsForDraw: 7, autoDraw: null, claimDays: 9, entropy: null, version: 4 },
  })
  expect(nextBody({ autoDraw: 'on' })).toMatchObject({
    ...{ drawDate: '2025-09-30T12:00:00Z', autoDraw: true },
  })
  expect(nextBody({ entropy: 'blocks+drand' })).toMatchObject({
    entropy: 'blocks+drand',
  })
})

test('each wrong field has its own sentence, also a saved date that has become past', () => {
  expect(wrongNext({}, now)).toEqual({})
  expect(wrongNext({ drawDate: '', minTicketsForDraw: '', claimDays: '' }, now)).toEqual({})
  const wrong = wrongNext({ drawDate: 'soon', minTicketsForDraw: '0', claimDays: '91' }, now)
  expect(wrong).toEqual({
    drawDate: expect.stringContaining('형식'),
    minTicketsForDraw: '1에서 10,000,000 사이의 정수를 입력하세요.',
    claimDays: '7에서 90 사이의 정수를 입력하세요.',
  })
  const later = Date.parse('2025-09-29T12:00:00Z')
  expect(wrongNext({}, later).drawDate).toContain('이미 지났습니다')
})

test('the next event is one form: what is announced, when, how many, and its content folded, with one save and one start', () => {
  const announced = {
    prizeImageUrl: null,
    prizeValue: '$3,000',
    prizeDescription: null,
    eventStartDate: null,
  }
  const next = {
    terms: { ...saved, canOpen: true },
    saved: {
      ...saved.draft,
      ...firstEventContent,
      ...announced,
      isActive: false,
      updatedAt: null,
      eventNumber: 2,
    },
    ...{ isContentDrafted: false, last: firstEventContent, version: '{}' },
  }
  const form = <NextEventForm next={next} reload={() => Promise.resolve()} />
  const markup = markupOf(form)
  const lines = linesOf(markup)
  for (const label of [
    '상품 이미지',
    '상품 가치',
    '이벤트 시작 (UTC)',
    '상품 설명',
    '추첨 일시 (UTC)',
    '최소 참여 인원',
  ])
    expect(lines).toContain(label)
  expect(markup).toContain('value="2025-09-30 12:00"')
  expect(markup.match(/<details(?! open)/g)?.length).toBeGreaterThan(2)
  expect(lines).toContain('지난 이벤트와 같은 글')
  const own = ['지난번처럼 채우기', '초안 버리기', '이벤트 2 시작', '이벤트 저장 이벤트 저장']
  expect(
    buttonsOf(form)
      .map((name) => name.replace('- ', ''))
      .filter((name) => own.includes(name)),
  ).toEqual(own)
})
