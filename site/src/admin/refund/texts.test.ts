import { expect, test } from 'vitest'
import { groupOf, stateOf } from './texts.ts'
import type { DeskRow } from './types.ts'

const row = (state: DeskRow['state'], reason: DeskRow['reason'] = null): DeskRow => ({
  ...{ id: 1, kind: 'event', to: '0x00', payer: '0x00', amount: 300, units: '3', dueUnits: '3' },
  ...{ state, reason, transactionHash: null, revision: 1, offeredAt: null, nonceBound: null },
})

test('each state has its word; a request of another window does not show "sign now"', () => {
  const word = (...args: Parameters<typeof row>) => stateOf(row(...args)).word
  expect(word('planned')).toBe('예정')
  expect(word('planned', 'contract')).toBe('보류, 컨트랙트')
  expect(word('planned', 'exchange')).toBe('보류, 거래소')
  expect(word('planned', 'dust')).toBe('보류, 소액')
  expect(word('planned', 'unchecked')).toBe('주소 확인 중')
  expect(word('planned', 'covered')).toBe('확인 필요')
  expect(word('offered')).toBe('결과 확인 중')
  expect(stateOf(row('offered'), true).word).toBe('서명 대기')
  expect(word('sent')).toBe('전송됨')
  expect(word('settled')).toBe('완료')
  expect(word('failed', 'replaced')).toBe('실패')
})

test('every row is in exactly one group, so that the groups add up', () => {
  const group = (...args: Parameters<typeof row>) => groupOf(row(...args))
  expect([group('planned'), group('failed', 'replaced'), group('planned', 'covered')]).toEqual([
    'left',
    'left',
    'left',
  ])
  expect([group('offered'), group('sent')]).toEqual(['underWay', 'underWay'])
  expect([group('planned', 'dust'), group('planned', 'contract')]).toEqual(['held', 'held'])
  expect([group('settled'), group('settled', 'covered')]).toEqual(['done', 'done'])
})
