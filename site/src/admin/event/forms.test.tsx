import { expect, onTestFinished, test } from 'vitest'
import { linesOf, markupOf } from '../../../../e2e/lab/islands.ts'
import { $now } from '../../live/clock.ts'
import { wrongImage } from '../content/Uploads.tsx'
import { $event } from '../session/config.ts'
import type { AdminConfig } from '../session/session.ts'
import { bodyOf, changesBetween, differencesOf, draftOf, wrongIn } from '../ui/draft.ts'
import { noticeFields } from './next-form.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { settingsFields } from './settings-form.tsx'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** Its checksum fails if a letter changes case. */
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const now = Date.parse('2025-09-01T00:00:00Z')
const event: AdminConfig = {
  eventNumber: 1,
  drawDate: '2025-09-30T12:00:00.000Z',
  saleEndDate: '2025-09-29T12:00:00.000Z',
  googleFormUrl: null,
  operatorWallet: wallet,
  ...{ entropy: 'blocks', winners: 1, prizes: [{ kind: 'goods', amount: null }] },
  minTicketsForDraw: 100,
  isRefundMode: false,
  isHalted: false,
  refundNotice: false,
  ticketsSold: 0,
  saleLeadSeconds: 86_400,
  frozenAt: null,
  ledgerSha256: null,
  walletProven: false,
  walletProvenAt: null,
  walletProofMessage: '',
  ...{ lockedAt: null, locks: {} },
  walletPinned: false,
  firstPaymentAt: null,
  formHosts: ['docs.google.com', 'forms.gle'],
  isOver: false,
  version: 1,
}
const fields = settingsFields(event, now)
const saved = draftOf(fields, event)
const namesBetween = (before: typeof saved, after: typeof saved) =>
  changesBetween(fields, before, after).map(({ name }) => name)
const changed = (part: Partial<typeof saved>) => {
  const draft = { ...saved, ...part }
  return { names: namesBetween(saved, draft), wrong: wrongIn(fields, saved, draft).bad }
}

test('the same settings in another spelling are not a change', () => {
  expect(changed({})).toEqual({ names: [], wrong: {} })
  expect(
    changed({ drawDate: '2025-9-30T12:00', operatorWallet: wallet.toLowerCase(), minTicketsForDraw: ' 100' }),
  ).toEqual({
    names: [],
    wrong: {},
  })
})

test('each wrong setting that was changed has its own sentence', () => {
  expect(changed({ minTicketsForDraw: '0' }).wrong.minTicketsForDraw).toContain('정수')
  expect(changed({ minTicketsForDraw: '10000001' }).wrong.minTicketsForDraw).toContain('정수')
  expect(changed({ googleFormUrl: 'http://x.example' }).wrong.googleFormUrl).toContain('https://')
  for (const googleFormUrl of [
    'https://forms.example/1',
    'https://forms.gle.example/1',
    'https://forms.gle:444/1',
  ])
    expect(changed({ googleFormUrl }).wrong.googleFormUrl).toBe(
      'docs.google.com, forms.gle 주소만 쓸 수 있습니다.',
    )
  expect(changed({ googleFormUrl: 'https://forms.gle/1' }).wrong.googleFormUrl).toBeUndefined()
  expect(changed({ entropy: 'blocks+drand' })).toEqual({
    names: ['entropy'],
    wrong: {},
  })
  expect(changed({ operatorWallet: other.replace('c', 'C') }).wrong.operatorWallet).toContain('체크섬')
  expect(changed({ operatorWallet: `0x${'0'.repeat(40)}` }).wrong.operatorWallet).toBeDefined()
  expect(changed({ drawDate: '2025-09-02 00:00' }).wrong.drawDate).toContain('이미 지났습니다')
  expect(changed({ drawDate: '2025-09-02 00:01' })).toEqual({ names: ['drawDate'], wrong: {} })
  expect(changed({ drawDate: '' })).toEqual({ names: ['drawDate'], wrong: {} })
})

test('a draw date lies 180 days ahead at most', () => {
  expect(changed({ drawDate: '2026-09-30 12:00' }).wrong.drawDate).toContain('180일')
})

test('only changed fields of the next event are sent, and an empty one is cleared', () => {
  const settings = {
    ...{ prizeImageUrl: '/api/uploads/a.png', prizeValue: '$3,000', prizeDescription: null },
    eventStartDate: null,
  }
  const before = draftOf(noticeFields, settings)
  const draft = { ...before, prizeValue: ' ', eventStartDate: '2030-01-02 03:04' }
  const names = changesBetween(noticeFields, before, draft).map(({ name }) => name)
  expect(bodyOf(noticeFields, draft, names)).toEqual({
    prizeValue: null,
    eventStartDate: '2030-01-02T03:04:00Z',
  })
  expect(wrongIn(noticeFields, before, { ...draft, eventStartDate: 'soon' }).bad).toHaveProperty(
    'eventStartDate',
  )
})

test('an image is a JPG or PNG of at most 5,242,880 bytes', () => {
  expect(wrongImage({ type: 'image/png', size: 5_242_880 })).toBeUndefined()
  expect(wrongImage({ type: 'image/jpeg', size: 5_242_881 })).toContain('5MB')
  expect(wrongImage({ type: 'image/svg+xml', size: 10 })).toContain('JPG')
  expect(wrongImage({ type: 'image/png', size: 0 })).toBeDefined()
})

test('only changed settings are sent, and undo sends the old values of the same fields', () => {
  const draft = {
    ...saved,
    ...{ drawDate: '', minTicketsForDraw: '7', googleFormUrl: ' https://forms.gle/1 ' },
  }
  const names = namesBetween(saved, draft)
  expect(bodyOf(fields, draft, names)).toEqual({
    ...{ drawDate: null, minTicketsForDraw: 7, googleFormUrl: 'https://forms.gle/1' },
  })
  expect(bodyOf(fields, saved, names)).toEqual({
    ...{ drawDate: '2025-09-30T12:00:00Z', minTicketsForDraw: 100, googleFormUrl: null },
  })
})

test('a change by another administrator is shown with both values', () => {
  const theirs = draftOf(fields, { ...event, version: 2, minTicketsForDraw: 20, drawDate: null })
  expect(namesBetween(saved, draftOf(fields, { ...event, version: 2 }))).toEqual([])
  expect(differencesOf(fields, saved, theirs, namesBetween(saved, theirs))).toEqual([
    { label: '추첨 일시', from: '2025-09-30 12:00', to: '' },
    { label: '최소 참여 인원', from: '100', to: '20' },
  ])
})

test('a field that is shut says since when; nothing is shut where the event is over', () => {
  const locks = { drawDate: 'ticket', minTicketsForDraw: 'ticket', operatorWallet: 'ticket' } as const
  const shut = { ...event, lockedAt: '2025-09-01T00:00:00.000Z', locks }
  const lockedIn = (one: AdminConfig) =>
    Object.entries(settingsFields(one, now)).flatMap(([name, { locked }]) => (locked ? [name] : []))
  expect(lockedIn(shut)).toEqual(['drawDate', 'minTicketsForDraw', 'operatorWallet'])
  expect(lockedIn({ ...event, walletPinned: true })).toEqual(['operatorWallet'])
  expect(lockedIn({ ...shut, isOver: true })).toEqual(['entropy'])
})

test('the settings begin with where the event stands; each field is there by its name, what only experts need is folded', () => {
  onTestFinished(() => $event.set(undefined))
  $now.set(now) // another file's island may have let it run
  $event.set(event)
  const lines = linesOf(markupOf(<SettingsTab />))
  expect(lines.slice(0, 2).join()).toContain('추첨 일정과 배송 양식,첫 티켓이 팔리면')
  for (const label of ['추첨 일시 (UTC)', '최소 참여 인원', '지갑 주소', 'Google Form URL'])
    expect(lines).toContain(label)
  expect(lines).toContain('추첨 방식과 경품: 블록 해시 5개, 당첨자 1명, 물건')
  $event.set({ ...event, lockedAt: '2025-09-01T00:00:00.000Z', locks: { drawDate: 'ticket' } })
  expect(linesOf(markupOf(<SettingsTab />))[1]).toContain('구매자에게 약속한 조건이 모두 잠겼습니다.')
})
