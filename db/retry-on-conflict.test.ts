import { beforeEach, expect, test } from 'vitest'
import { retryOnConflict } from './index.ts'

const conflict = () => Object.assign(new Error('deadlock detected'), { cause: { code: '40P01' } })

let calls = 0
beforeEach(() => {
  calls = 0
})
const fail = async (error: Error): Promise<never> => {
  calls++
  throw error
}

test('Q4: a conflict is retried, five attempts in total', async () => {
  expect(await retryOnConflict(async () => (++calls < 5 ? Promise.reject(conflict()) : 'done'))).toBe('done')
  calls = 0
  await expect(retryOnConflict(() => fail(conflict()))).rejects.toThrow('deadlock')
  expect(calls).toBe(5)
})

test('another error is not retried', async () => {
  await expect(retryOnConflict(() => fail(new Error('unique')))).rejects.toThrow('unique')
  expect(calls).toBe(1)
})

test('Q4: a call to a database that hangs is given up', async () => {
  await expect(retryOnConflict(() => new Promise(() => undefined), 20)).rejects.toMatchObject({
    code: 'DB_UNAVAILABLE',
  })
})
