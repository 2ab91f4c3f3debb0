import { expect, test } from 'vitest'
import { draftOf, wrongIn } from '../ui/draft.ts'
import { accountFields, firstFields } from './AccountTab.tsx'

const nothing = draftOf(accountFields, {})
const account = (typed: Partial<typeof nothing>) => wrongIn(accountFields, nothing, { ...nothing, ...typed })
const noFirst = draftOf(firstFields, {})
const first = (typed: Partial<typeof noFirst>) => wrongIn(firstFields, noFirst, { ...noFirst, ...typed })

test('an account change needs the password, and the same new password twice', () => {
  expect(account({}).missing).toEqual({ currentPassword: '현재 비밀번호를 입력해주세요' })
  const typed = { currentPassword: 'x', newPassword: 'long enough', confirmation: 'other' }
  expect(account(typed)).toEqual({ bad: { confirmation: '새 비밀번호가 일치하지 않습니다' }, missing: {} })
  expect(account({ ...typed, confirmation: 'long enough' })).toEqual({ bad: {}, missing: {} })
  expect(account({ ...typed, newPassword: 'short', confirmation: 'short' }).bad).toEqual({
    newPassword: '비밀번호는 8자 이상이어야 합니다',
  })
  expect(account({ currentPassword: 'x', newUsername: 'root' })).toEqual({ bad: {}, missing: {} })
})

test('a printed password makes way for another one', () => {
  expect(Object.keys(first({}).missing)).toEqual(['currentPassword', 'newPassword'])
  const same = { currentPassword: 'long enough', newPassword: 'long enough', confirmation: 'long enough' }
  expect(first(same).bad).toEqual({ newPassword: '일회용 비밀번호와 다른 비밀번호를 입력해주세요' })
  expect(first({ ...same, currentPassword: 'printed' })).toEqual({ bad: {}, missing: {} })
})
