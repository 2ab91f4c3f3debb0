import { expect, test } from 'vitest'
import type { AdminConfig } from '../session/types.ts'
import { eventBody, eventDraftOf, undoBody, wrongEvent } from './event-form.ts'
import { changedFields, changedMeanwhile, draftOf, settingsBody, wrongFields } from './settings-form.ts'
import { wrongImage } from './upload.ts'

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
const changed = (part: Partial<ReturnType<typeof draftOf>>) => {
  const draft = { ...draftOf(event), ...part }
  return {
    names: changedFields(event, draft).map(({ name }) => name),
    wrong: wrongFields(event, draft, now),
  }
}

test('the same settings in another spelling are not a change', () => {
  expect(changed({})).toEqual({ names: [], wrong: {} })
  expect(changed({ drawDate: '2025-9-30T12:00', wallet: wallet.toLowerCase(), minTickets: ' 100' })).toEqual({
    names: [],
    wrong: {},
  })
})

test('each wrong setting that was changed has its own sentence', () => {
  expect(changed({ minTickets: '0' }).wrong.minTickets).toContain('정수')
  expect(changed({ minTickets: '10000001' }).wrong.minTickets).toContain('정수')
  expect(changed({ formUrl: 'http://x.example' }).wrong.formUrl).toContain('https://')
  for (const formUrl of ['https://forms.example/1', 'https://forms.gle.example/1', 'https://forms.gle:444/1'])
    expect(changed({ formUrl }).wrong.formUrl).toBe('docs.google.com, forms.gle 주소만 쓸 수 있습니다.')
  expect(changed({ formUrl: 'https://forms.gle/1' }).wrong.formUrl).toBeUndefined()
  expect(changed({ winners: '21' }).wrong.winners).toContain('20')
  expect(changed({ entropy: 'blocks+drand', winners: '20' })).toEqual({
    names: ['entropy', 'winners'],
    wrong: {},
  })
  expect(changed({ wallet: other.replace('c', 'C') }).wrong.wallet).toContain('체크섬')
  expect(changed({ wallet: `0x${'0'.repeat(40)}` }).wrong.wallet).toBeDefined()
  expect(changed({ drawDate: '2025-09-02 00:00' }).wrong.drawDate).toContain('이미 지났습니다')
  expect(changed({ drawDate: '2025-09-02 00:01' })).toEqual({ names: ['drawDate'], wrong: {} })
  expect(changed({ drawDate: '' })).toEqual({ names: ['drawDate'], wrong: {} })
})

test('a draw date lies 180 days ahead at most', () => {
  expect(changed({ drawDate: '2026-09-30 12:00' }).wrong.drawDate).toContain('180일')
})

test('only changed fields of the next event are sent, and an empty one is cleared', () => {
  const settings = {
    prizeImageUrl: '/api/uploads/a.png',
    prizeValue: '$3,000',
    prizeDescription: null,
    eventStartDate: null,
    isActive: false,
    updatedAt: null,
  }
  const draft = { ...eventDraftOf(settings), prizeValue: ' ', eventStartDate: '2030-01-02 03:04' }
  expect(eventBody(settings, draft, null)).toEqual({
    prizeValue: null,
    eventStartDate: '2030-01-02T03:04:00Z',
    isActive: true,
    version: null,
  })
  expect(wrongEvent({ ...draft, eventStartDate: 'soon' })).toHaveProperty('eventStartDate')
})

test('an image is a JPG or PNG of at most 5,242,880 bytes', () => {
  expect(wrongImage({ type: 'image/png', size: 5_242_880 })).toBeUndefined()
  expect(wrongImage({ type: 'image/jpeg', size: 5_242_881 })).toContain('5MB')
  expect(wrongImage({ type: 'image/svg+xml', size: 10 })).toContain('JPG')
  expect(wrongImage({ type: 'image/png', size: 0 })).toBeDefined()
})

test('only changed settings are sent, and undo sends the old values of the same fields', () => {
  const draft = { ...draftOf(event), drawDate: '', minTickets: '7', formUrl: ' https://forms.example/1 ' }
  const changes = changedFields(event, draft)
  expect(settingsBody(draft, changes)).toEqual({
    drawDate: null,
    minTicketsForDraw: 7,
    googleFormUrl: 'https://forms.example/1',
  })
  expect(settingsBody(draftOf(event), changes)).toEqual({
    drawDate: '2025-09-30T12:00:00Z',
    minTicketsForDraw: 100,
    googleFormUrl: '',
  })
})

test('a change by another administrator is shown with both values', () => {
  expect(changedMeanwhile(event, { ...event, version: 2 })).toEqual([])
  const now = { ...event, version: 2, minTicketsForDraw: 20, drawDate: null }
  expect(changedMeanwhile(event, now)).toEqual([
    { name: 'drawDate', label: '추첨 일시', from: '2025-09-30 12:00', to: '' },
    { name: 'minTickets', label: '최소 참여 인원', from: '100', to: '20' },
  ])
})

test('undo restores the event, including its state', () => {
  const before = {
    prizeImageUrl: null,
    prizeValue: '$1',
    prizeDescription: null,
    eventStartDate: '2030-01-02T03:04:05.000Z',
    isActive: false,
    updatedAt: null,
  }
  const saved = { ...before, prizeValue: '$2', prizeDescription: 'new', isActive: true, updatedAt: 'later' }
  expect(undoBody(before, saved)).toEqual({
    prizeValue: '$1',
    prizeDescription: null,
    isActive: false,
    version: 'later',
  })
})
