import { expect, test } from 'vitest'
import { hashPassword } from '../../core/server/password.ts'
import { compare } from './compare.ts'

test('many comparisons at once each answer for their own password (A1)', async () => {
  const hash = await hashPassword('correct horse')
  const tried = ['correct horse', 'wrong', 'correct horse', '', 'Correct horse']
  expect(await Promise.all(tried.map((password) => compare(hash, password)))).toEqual([
    true,
    false,
    true,
    false,
    false,
  ])
})

test('errors do not stop the queue: the next password is still compared', async () => {
  await expect(compare('no hash at all', 'x')).rejects.toThrow('could not be compared')
  expect(await compare(await hashPassword('x'), 'x')).toBe(true)
})
