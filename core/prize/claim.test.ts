import { expect, test } from 'vitest'
import { normalizeClaimCode } from './claim.ts'

test('letters that look like digits are read as those digits', () => {
  expect(normalizeClaimCode('oil0 1abc')).toBe('0110-1ABC')
})
