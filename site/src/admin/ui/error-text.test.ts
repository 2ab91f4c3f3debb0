import { expect, test } from 'vitest'
import { RaffleError } from '../../../../core/errors.ts'
import { AdminError } from '../session/session.ts'
import { errorText, networkText, Trouble } from './error-text.ts'

const refused = (status: number, body: unknown) => new AdminError(status, JSON.stringify(body))

test('code, reason and values make the sentence, whatever the server says beside them', () => {
  const code = 'WOULD_LOCK_OUT'
  const values = { reason: 'address', address: '203.0.113.7' }
  expect(errorText(refused(409, { code, values, error: 'Some sentence.' }), '실패')).toBe(
    '현재 IP(203.0.113.7)가 목록에 없어 저장하면 접속이 차단됩니다.',
  )
  expect(errorText(refused(409, { code: 'VERSION_CONFLICT', error: 'Reload.' }), '실패')).toContain(
    '다른 관리자',
  )
  expect(errorText(new RaffleError('INVALID_IP'), '실패')).toContain('CIDR')
})

test('a refused value is told without the name that it has in the call', () => {
  const values = { reason: 'https', name: 'url' }
  expect(errorText(refused(422, { code: 'INVALID_URL', field: 'webhook', values }), '실패')).toBe(
    'https:// 로 시작하는 올바른 주소가 아닙니다.',
  )
})

test('the server’s sentence is shown where the code or its reason is not known here', () => {
  for (const code of ['NEW_CODE', 'INVALID_VALUE', 'constructor', '__proto__'])
    for (const values of [undefined, { reason: 'toString' }, { reason: 'new' }])
      expect(errorText(refused(422, { code, values, error: 'Something new.' }), '실패')).toBe(
        'Something new.',
      )
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
