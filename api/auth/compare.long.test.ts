import { readdirSync, readFileSync } from 'node:fs'
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

// It reads how its threads stand in /proc, which only Linux has.
test.runIf(process.platform === 'linux')(
  'comparing threads have a lower priority than the event loop (A1, L5)',
  async () => {
    await compare(await hashPassword('x'), 'x')
    const niceOf = (task: string) =>
      Number(
        readFileSync(`/proc/self/task/${task}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[16],
      )
    const most = Math.max(...readdirSync('/proc/self/task').map(niceOf))
    expect(most).toBeGreaterThan(niceOf(`${process.pid}`))
  },
)
