import { expect, test } from 'vitest'
import { auditChanges } from './AuditLog.tsx'

test('lists only the changed fields, with their former values', () => {
  const before = { minTicketsForDraw: 100, googleFormUrl: null, drawDate: '2030-01-01T00:00:00.000Z' }
  const after = { ...before, minTicketsForDraw: 11, googleFormUrl: 'https://forms.example.com' }
  expect(auditChanges(before, after)).toEqual([
    { label: '최소 참여 인원', from: '100', to: '11' },
    { label: '배송 양식 URL', from: '없음', to: 'https://forms.example.com' },
  ])
})

test('what only follows from another field is not told', () => {
  const before = { operatorWallet: '0xa', version: 1, walletProofMessage: 'I hold the key of 0xa' }
  const after = { operatorWallet: '0xb', version: 2, walletProofMessage: 'I hold the key of 0xb' }
  expect(auditChanges(before, after)).toEqual([{ label: '운영자 지갑', from: '0xa', to: '0xb' }])
})

test('a refusal shows its code, a boolean yes or no, an unnamed field its key', () => {
  expect(auditChanges(null, { refused: 'OTP_REQUIRED' })).toEqual([
    { label: '거절 사유', to: 'OTP_REQUIRED' },
  ])
  expect(auditChanges({ requireOtp: false }, { requireOtp: true, nonce: 7 })).toEqual([
    { label: '인증 코드 요구', from: '아니요', to: '예' },
    { label: 'nonce', to: '7' },
  ])
})

test('counted refusals read as times and words, and a login names its second factor', () => {
  const counted = {
    ...{ refused: 'BAD_JSON', count: 3, codes: { BAD_JSON: 2, UNAUTHENTICATED: 1 }, lastAction: 'login' },
    ...{ firstAt: '2030-01-01T00:00:01.000Z', others: true },
  }
  expect(auditChanges(null, counted)).toEqual([
    { label: '거절 사유', to: 'BAD_JSON' },
    { label: '거절 횟수', to: '3' },
    { label: '사유별 횟수', to: 'BAD_JSON 2, UNAUTHENTICATED 1' },
    { label: '마지막 작업', to: '로그인' },
    { label: '처음', to: '2030-01-01 00:00:01 UTC' },
    { label: '그 밖의 주소', to: '예' },
  ])
  expect(auditChanges(null, { secondFactor: 'recovery' })).toEqual([{ label: '2단계 인증', to: '복구 코드' }])
})

test('without a change all fields are listed, dates formatted', () => {
  const same = { eventNumber: 2, drawDate: '2030-01-01T00:00:07.000Z' }
  expect(auditChanges(same, same)).toEqual([
    { label: '이벤트', to: '2' },
    { label: '추첨 일시', to: '2030-01-01 00:00:07 UTC' },
  ])
})

test('lists, empty values, and rows without content', () => {
  expect(auditChanges([], ['10.0.0.1', '10.0.0.2'])).toEqual([
    { label: '값', from: '없음', to: '10.0.0.1, 10.0.0.2' },
  ])
  expect(auditChanges({ winner: '0x1' }, null)).toEqual([{ label: 'winner', to: '0x1' }])
  expect(auditChanges({ winner: '0x1' }, {})).toEqual([{ label: 'winner', from: '0x1', to: '없음' }])
  expect(auditChanges(null, null)).toEqual([])
})

test('a mail is told by its addresses', () => {
  expect(auditChanges(null, { from: 'a@raffle.example', to: ['b@raffle.example'] })).toEqual([
    { label: '보내는 주소', to: 'a@raffle.example' },
    { label: '받는 주소', to: 'b@raffle.example' },
  ])
})
