import { expect, test } from 'vitest'
import { madeUpRow } from '../../../../e2e/lab/made-up-row.ts'
import { nextStep } from './next-step.ts'
import type { DeskRow } from './types.ts'

const inCents = (units: bigint) => `${units}${'0'.repeat(16)}`
const row = (state: DeskRow['state'], reason?: DeskRow['reason'], [units, due] = [300n, 300n]) =>
  madeUpRow(state, reason, [inCents(units), inCents(due)])
const open = { isPaused: false, isWatching: true }
const step = (rows: DeskRow[], more: Partial<Parameters<typeof nextStep>[0]> = {}) =>
  nextStep({ rows, ...open, asked: 0, ...more })

test('while nothing can go out the sentence says why', () => {
  const rows = [row('planned')]
  expect(step(rows, { isPaused: true })).toMatch(/^환불이 일시 중지되어/)
  expect(step(rows, { isWatching: false })).toMatch(/^체인 기록을 다시 확인하는 대로/)
})

test('what the wallet asks comes first, then what the chain has to decide, then what is left', () => {
  const rows = [
    row('offered'),
    row('sent'),
    row('planned'),
    row('failed', 'replaced'),
    row('planned', 'dust'),
  ]
  expect(step(rows, { asked: 1 })).toBe('지갑에서 1건을 승인하세요.')
  expect(step(rows)).toBe('보낸 2건, 6.00 USDT가 체인에서 확정되면 남은 2건, 6.00 USDT를 승인하세요.')
  expect(step(rows.slice(1, 2))).toBe('보낸 1건, 3.00 USDT가 체인에서 확정되기를 기다립니다.')
  expect(step(rows.slice(2))).toBe('남은 2건, 6.00 USDT를 지갑에서 승인하세요.')
})

test('only the part that has not arrived is named', () => {
  expect(step([row('planned', null, [300n, 120n])])).toBe('남은 1건, 1.20 USDT를 지갑에서 승인하세요.')
})

test('what nobody can sign yet is named with what to do about it', () => {
  expect(step([row('planned', 'unchecked')])).toBe('주소 1개를 체인에서 확인하면 승인할 수 있습니다.')
  expect(step([row('planned', 'unread')])).toMatch(
    /^판매를 두 번째로 읽은 뒤에 1건, .* USDT를 보낼 수 있습니다\.$/,
  )
  expect(step([row('planned', 'covered', [300n, 0n])])).toMatch(/^이미 돈이 나간 1건/)
  expect(step([row('settled'), row('planned', 'contract'), row('planned', 'dust')])).toBe(
    '보류한 2건, 6.00 USDT만 남았습니다. 하나씩 열어 보낼지 정하세요.',
  )
  expect(step([row('planned', 'ahead'), row('planned')])).toMatch(/^장부와 다른 1건/)
})

test('when all is paid there is nothing left to do', () => {
  expect(step([row('settled'), row('settled', 'covered')])).toBe(
    '모두 환불했고 체인에서 확정되었습니다. 더 할 일이 없습니다.',
  )
})
