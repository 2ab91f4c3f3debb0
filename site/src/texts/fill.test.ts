import fc from 'fast-check'
import { test } from 'vitest'
import { count } from './index.ts'

test('a whole number gets English separators', () => {
  const whole = fc.oneof(fc.maxSafeInteger(), fc.bigInt())
  fc.assert(fc.property(whole, (value) => count(value) === value.toLocaleString('en-US')))
})
