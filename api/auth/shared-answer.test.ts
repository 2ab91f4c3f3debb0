import { expect, test } from 'vitest'
import { sharedAnswer } from './shared-answer.ts'

const now = () => performance.now()

test('who was here before the question was put shares its answer; who came after it asks anew', async () => {
  let truth = 'old'
  let asked = 0
  const ask = sharedAnswer(async () => {
    asked++
    return truth
  })
  const crowd = [now(), now(), now()]
  await Bun.sleep(1)
  expect(await Promise.all(crowd.map(ask))).toEqual(['old', 'old', 'old'])
  expect(asked).toBe(1)
  truth = 'new'
  expect(await ask(now())).toBe('new')
  // Late with his question, but true when he came.
  expect(await ask(crowd[0] as number)).toBe('new')
  expect(asked).toBe(2)
})

test('a failure is told to those who wait for it, and the next one asks again', async () => {
  let isDown = true
  const ask = sharedAnswer(async () => {
    if (isDown) throw new Error('down')
    return 'up'
  })
  const cameAt = now()
  await Bun.sleep(1)
  const crowd = [ask(cameAt), ask(cameAt)]
  for (const answer of crowd) await expect(answer).rejects.toThrow('down')
  isDown = false
  expect(await ask(cameAt)).toBe('up')
})
