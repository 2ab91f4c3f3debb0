import { afterEach, expect, test } from 'vitest'
import { buttonsOf, linesOf, markupOf } from '../../../../e2e/lab/islands.ts'
import { AccountTab } from '../account/AccountTab.tsx'
import { $enrolment, $readOnly } from '../session/session.ts'
import { ActionButton } from '../ui/action.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { $tab } from '../ui/tab.ts'
import { Enrolment, ReadOnlyNote } from './Dashboard.tsx'

afterEach(() => {
  $readOnly.set(false)
  $enrolment.set('done')
  $tab.set('config')
})

const act = { name: '보류', failure: '', run: async () => {}, told: () => ['', ''] as const }
const form = {
  changes: [{ label: '최소 수량' }],
  isWrong: false,
  isBusy: false,
  reset: () => {},
  isAlwaysOn: false,
}
const bar = { of: form, label: '저장' }
const all = () => [
  ...buttonsOf(<ActionButton action={{ ...act, writes: true }} row={1} onDone={() => {}} />),
  ...buttonsOf(<ActionButton action={{ ...act, name: '보기' }} row={1} onDone={() => {}} />),
  ...buttonsOf(<SaveBar {...bar} />).slice(1),
]

test('a read-only administrator is told so: what changes something is off, and says why', () => {
  expect([all(), linesOf(markupOf(<ReadOnlyNote />))]).toEqual([['보류', '보기', '저장 변경 1개 저장'], []])
  $readOnly.set(true)
  expect(all()).toEqual(['- 보류', '보기', '- 저장 변경 1개 저장'])
  expect(markupOf(<SaveBar {...bar} />)).toContain('title="읽기 전용 계정은 할 수 없습니다."')
  expect(linesOf(markupOf(<ReadOnlyNote />))[0]).toContain('읽기 전용')
})

test('but changes the own name and password', () => {
  $readOnly.set(true)
  expect(buttonsOf(<AccountTab />).at(-1)).toBe('정보 변경 정보 변경')
})

test('one question for a second factor, which a trial on this machine alone may put off', () => {
  const buttons = () => buttonsOf(<Enrolment />)
  expect(linesOf(markupOf(<Enrolment />))).toEqual([])
  $enrolment.set('asked')
  expect(buttons()).toEqual(['지금 설정', '나중에'])
  $enrolment.set('due')
  expect(buttons()).toEqual(['지금 설정'])
  expect(linesOf(markupOf(<Enrolment />))[0]).toContain('다른 메뉴를 쓸 수 있습니다.')
  $tab.set('security')
  expect(buttons()).toEqual([])
})
