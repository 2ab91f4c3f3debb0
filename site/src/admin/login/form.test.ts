import { expect, test } from 'vitest'
import { AdminError } from '../session/session.ts'
import { type Draft, draftOf, wrongIn } from '../ui/draft.ts'
import { loginErrorText, loginFields } from './LoginForm.tsx'

const refused = (status: number, code: string, error: string, values = {}) =>
  loginErrorText(new AdminError(status, JSON.stringify({ code, error, values })))

test('a refused login shows the texts of docs/spec.md in any language of the server', () => {
  expect(refused(401, 'INVALID_OTP', 'x')).toBe('잘못된 인증 코드입니다. 다시 시도하세요.')
  expect(refused(422, 'INVALID_OTP_FORMAT', '6자리')).toBe('잘못된 인증 코드입니다. 다시 시도하세요.')
  expect(refused(403, 'IP_NOT_ALLOWED', 'x')).toBe('허용되지 않은 IP 주소입니다.')
  expect(refused(429, 'LOGIN_THROTTLED', 'x')).toContain('로그인 시도가 너무 많습니다.')
  expect(refused(429, 'LATER', '10분 뒤에 다시 시도해주세요.')).toBe('10분 뒤에 다시 시도해주세요.')
  expect(refused(503, 'DB_UNAVAILABLE', 'x', { reason: 'away' })).toContain('데이터베이스')
  for (const silent of [
    new AdminError(403, ''),
    new AdminError(418, ''),
    new AdminError(502, '<html></html>'),
  ])
    expect(loginErrorText(silent)).toBe('로그인에 실패했습니다.')
  expect(loginErrorText(new TypeError('fetch failed'))).toBe('로그인 중 오류가 발생했습니다.')
})

/** What the form says of these, had all been touched. */
function wrongLogin(typed: Draft<typeof loginFields>): Record<string, string> {
  const { bad, missing } = wrongIn(loginFields, draftOf(loginFields, {}), typed)
  return { ...missing, ...bad }
}

test('the form checks the rules of docs/spec.md', () => {
  const empty = { username: '', password: '', otpCode: '', recoveryCode: '' }
  expect(wrongLogin(empty)).toEqual({ username: '사용자명을 입력하세요', password: '비밀번호를 입력하세요' })
  const filled = { ...empty, username: 'a', password: 'b' }
  expect(wrongLogin(filled)).toEqual({})
  expect(Object.keys(wrongLogin({ ...filled, otpCode: '1234567' }))).toEqual(['otpCode'])
})
