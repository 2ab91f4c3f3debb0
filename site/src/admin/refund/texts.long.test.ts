import { expect, test } from 'vitest'
import { madeUpRow } from '../../../../e2e/lab/made-up-row.ts'
import { stateOf, transferClass } from './texts.ts'

test('each state has its word; a request of another window does not show "sign now"', () => {
  const word = (...args: Parameters<typeof madeUpRow>) => stateOf(madeUpRow(...args)).word
  expect(word('planned')).toBe('예정')
  expect(word('planned', 'contract')).toBe('보류, 컨트랙트')
  expect(word('planned', 'exchange')).toBe('보류, 거래소')
  expect(word('planned', 'dust')).toBe('보류, 소액')
  expect(word('planned', 'unchecked')).toBe('주소 확인 중')
  expect(word('planned', 'covered')).toBe('확인 필요')
  expect([word('planned', 'unread'), word('failed', 'unread')]).toEqual([
    '두 번째 판독 대기',
    '두 번째 판독 대기',
  ])
  expect(word('planned', 'ahead')).toBe('장부보다 앞섬')
  expect(word('offered')).toBe('결과 확인 중')
  expect(stateOf(madeUpRow('offered'), true).word).toBe('서명 대기')
  const call = { ...madeUpRow('offered'), offeredPath: 'register' as const }
  expect([stateOf(call).word, stateOf(call, true).word]).toEqual(['결과 확인 중', '서명 대기'])
  expect(stateOf(call).text).toMatch(/다시 승인해도 두 번 지급되지 않습니다/)
  expect(word('sent')).toBe('전송됨')
  expect(word('settled')).toBe('완료')
  expect(word('failed', 'replaced')).toBe('실패')
  expect(stateOf(madeUpRow('offered', 'ahead'))).toMatchObject({
    ...{ tone: 'bad', word: '장부보다 앞섬' },
    text: expect.stringMatching(/^컨트랙트가 이 장부보다 더 많은 지급을 기억합니다\./),
  })
})

test('a transfer out says what it counts as', () => {
  const word = (notRefund: boolean, viaRegister: boolean, rowId: number | null) =>
    transferClass({ notRefund, viaRegister, rowId }).word
  expect(word(true, false, 1)).toBe('환불 아님')
  expect(word(false, true, 1)).toBe('환불, 컨트랙트')
  expect(word(false, false, 1)).toBe('환불')
  expect(word(false, false, null)).toBe('환불에서 뺌')
})
