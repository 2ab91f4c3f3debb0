import { expect, test } from 'vitest'
import { goesElsewhere } from './elsewhere.ts'

const [one, two, three] = [0xaa, 0xbb, 0xcc].map((byte) => `0x${byte.toString(16).repeat(20)}`) as [
  string,
  string,
  string,
]
const list = [
  { id: 1, to: one },
  { id: 2, to: two },
]

test('what was handed out goes where the list says, row by row and in whatever case, or is not signed', () => {
  expect(goesElsewhere([{ id: 1, to: one.replaceAll('a', 'A') }], list)).toBe(false)
  expect(goesElsewhere([{ id: 1, to: two }], list)).toBe(true)
  expect(goesElsewhere([{ id: 2, to: three }], list)).toBe(true)
})

test('a row beside the list goes where a listed one does', () => {
  expect(goesElsewhere([{ id: 3, to: two }], list)).toBe(false)
  expect(goesElsewhere([{ id: 3, to: three }], list)).toBe(true)
})
