import { expect, test } from 'vitest'
import { buttonsOf, linesOf, markupOf } from '../../../../e2e/lab/islands.ts'
import { type Access, Blocked, LoginForm } from './LoginForm.tsx'

const nothing = () => {}
const form = (access: Access) => <LoginForm access={access} onRetry={nothing} onIn={nothing} />
const lines = (access: Access) => linesOf(markupOf(form(access)))
const fields = ['사용자명', '비밀번호', '로그인']

test('the form says whether this address may log in, and only then can be sent', () => {
  const ip = '203.0.113.9'
  expect(lines({ state: 'checking' })).toEqual([
    ...['관리자 로그인', '접근 권한을 확인하고 있습니다.', ...fields],
  ])
  expect(lines({ state: 'allowed', ip })).toEqual(['관리자 로그인', `접근이 허용된 IP ${ip}`, ...fields])
  expect(lines({ state: 'failed' })).toContain('접근 확인 중 오류가 발생했습니다.')
  const states: Access[] = [{ state: 'checking' }, { state: 'failed' }, { state: 'allowed', ip }]
  expect(states.map((access) => buttonsOf(form(access)).at(-1))).toEqual(['- 로그인', '- 로그인', '로그인'])
})

test('username with its placeholder, a masked password, and no code before the server asks for it', () => {
  const markup = markupOf(form({ state: 'allowed', ip: '' }))
  const inputs = [...markup.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  expect(inputs).toHaveLength(2)
  expect(inputs[0]).toMatch(/name="username".*placeholder="admin"|placeholder="admin".*name="username"/)
  expect(inputs[1]).toContain('type="password"')
})

test('a blocked address is named, with what to ask the administrator for', () => {
  const blocked = <Blocked ip="203.0.113.9" onRetry={nothing} />
  expect(linesOf(markupOf(blocked))).toEqual([
    ...['접근 차단', '접근이 차단되었습니다. 현재 IP: 203.0.113.9', '203.0.113.9', '복사'],
    '현재 IP는 관리자 접근이 허용되지 않았습니다. 관리자에게 이 주소를 화이트리스트에 추가해 달라고 요청하세요.',
    '다시 확인',
  ])
})
