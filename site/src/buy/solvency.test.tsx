import { expect, test } from 'vitest'
import { now, read, tell } from '../../../e2e/lab/islands.ts'
import { covers } from '../../../e2e/lab/told.ts'
import { en } from '../texts/en.ts'
import { SolvencyLine } from './SolvencyLine.tsx'

test('one sentence says what the operator holds and owes, a shortage to the last unit, or that it is not known', () => {
  const states = covers(now)
  const line = (name: keyof typeof states) => {
    tell({ solvency: states[name] })
    return read(<SolvencyLine />)
  }
  expect(line('loading')).toEqual([en.cover.loading])
  expect(line('covered')).toEqual([
    'The operator holds 41,320.50 USDT, enough for the 37,131 USDT that are owed (block 124,045,349).',
  ])
  expect(line('short')).toEqual([
    'The operator holds 37,130.99 USDT, less than the 37,131 USDT that are owed (block 124,045,349).',
  ])
  expect(line('unknown')).toEqual([en.cover.unknown])
  tell({ solvency: { ...states.covered, state: 'later' as never } })
  expect(read(<SolvencyLine />)).toEqual([en.cover.unknown])
})
