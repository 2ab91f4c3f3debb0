import { expect, test } from 'vitest'
import { AdminError } from '../session/api.ts'
import { errorText, errorTexts, networkText, Trouble } from './error-text.ts'

const refused = (status: number, body: unknown) => new AdminError(status, JSON.stringify(body))

test('the server’s Korean sentence is shown unchanged, an English one is replaced by its code’s text', () => {
  expect(errorText(refused(409, { code: 'WOULD_LOCK_OUT', error: '차단됩니다.' }), '실패')).toBe(
    '차단됩니다.',
  )
  expect(errorText(refused(409, { code: 'VERSION_CONFLICT', error: 'Reload.' }), '실패')).toContain(
    '다른 관리자',
  )
  expect(errorText(refused(404, { code: 'TRANSACTION_NOT_FOUND', error: 'x' }), '실패')).toContain(
    'transaction not found',
  )
  expect(errorText(refused(422, { code: 'NEW_CODE', error: 'Something new.' }), '실패')).toBe(
    'Something new.',
  )
})

test('a refused value is told without the name that it has in the call', () => {
  const value = { code: 'INVALID_URL', field: 'webhook', error: 'url: 올바른 주소가 아닙니다.' }
  expect(errorText(refused(422, value), '실패')).toBe('올바른 주소가 아닙니다.')
  const own = { code: 'INVALID_VALUE', error: 'RPC_URLS: 주소를 확인하세요.' }
  expect(errorText(refused(422, own), '실패')).toBe(own.error)
})

test('the code decides whose sentence is shown, in any language', () => {
  expect(errorText(refused(409, { code: 'VERSION_CONFLICT', error: '다른 문장입니다.' }), '실패')).toBe(
    errorTexts.VERSION_CONFLICT,
  )
  expect(errorText(refused(422, { code: 'INVALID_VALUE', error: 'No letters.' }), '실패')).toBe('No letters.')
})

test('every code of the server has a Korean sentence', () => {
  for (const [code, text] of Object.entries(errorTexts)) {
    expect([code, /[가-힣]/.test(text)]).toEqual([code, true])
    expect(errorText(refused(409, { code, error: 'Some English sentence.' }), '실패')).toBe(text)
  }
  expect(errorText(refused(500, { code: 'INTERNAL', error: 'Something went wrong.' }), '실패')).toContain(
    '서버에서 오류',
  )
  for (const code of ['constructor', '__proto__'])
    expect(errorText(refused(409, { code, error: 'Text.' }), '실패')).toBe('Text.')
})

test('without a sentence the page shows its own', () => {
  expect(errorText(refused(422, {}), '실패')).toBe('실패')
  expect(errorText(new AdminError(502, '<html>'), '실패')).toBe(networkText)
  expect(errorText(new TypeError('fetch failed'), '실패')).toBe(networkText)
  expect(errorText(new Error('bug'), '실패')).toBe('실패')
  expect(errorText(new Trouble('지갑이 없습니다.'), '실패')).toBe('지갑이 없습니다.')
})

test('the message is the status, a colon and the body', () => {
  expect(new AdminError(404, 'gone').message).toBe('404: gone')
})
