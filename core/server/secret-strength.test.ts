import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { weaknessOfSecret } from './secrets.ts'

test.each([
  'a'.repeat(32),
  'ab'.repeat(32),
  'password'.repeat(4),
  'changeme'.repeat(8),
  '1234567890'.repeat(4),
  '0123456789abcdef'
    .repeat(2)
    .slice(0, 32)
    .replaceAll(/[89a-f]/g, '0'),
  'abcdefgh'.repeat(4),
  'SecretKey12'.repeat(3),
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'zyxwvutsrqponmlkjihgfedcba9876543210',
])('%s is easy to guess', (secret) => {
  expect(weaknessOfSecret(secret)).toContain('easy to guess')
})

test('what is too short says so', () => {
  expect(weaknessOfSecret('8f3b1c7e2a904d65b1f07c3e9a5d24')).toContain('at least 32')
})

test('random secrets of the shortest length pass, as do sentences', () => {
  for (let i = 0; i < 2_000; i++) {
    const digest = createHash('sha256').update(`${i}`).digest()
    for (const secret of [digest.toString('hex').slice(0, 32), digest.toString('base64url').slice(0, 32)])
      expect([secret, weaknessOfSecret(secret)]).toEqual([secret, undefined])
  }
  expect(weaknessOfSecret('a test secret that is long enough')).toBeUndefined()
})
