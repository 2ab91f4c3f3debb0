import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

const heavy = (seconds: number) => ({ seconds, isHeavy: true })
const light = (seconds: number) => ({ seconds, isHeavy: false })

test('the longest start first, and one heavy file at a time runs beside light ones', () => {
  const files = [light(1), heavy(50), light(40), heavy(30), light(30), heavy(20), light(20)]
  expect(inTurn(files, 2)).toEqual([
    heavy(50),
    light(40),
    light(30),
    heavy(30),
    light(20),
    heavy(20),
    light(1),
  ])
})

test('a run of heavy files alone leaves none out', () => {
  expect(inTurn([heavy(1), heavy(3), heavy(2)], 2)).toEqual([heavy(3), heavy(2), heavy(1)])
})
