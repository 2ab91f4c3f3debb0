import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'

test('each fault that `test:faults` plants has its one place in the source', () => {
  const places = ({ file, find }: (typeof faults)[number]) =>
    readFileSync(file, 'utf8').split(find).length - 1
  expect(faults.filter((fault) => places(fault) !== 1).map(({ name }) => name)).toEqual([])
})
