import { expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { holdBack } from './hold-back.ts'

const flood = () => new RaffleError('RATE_LIMITED', 'no', { isFlood: true })

test('the answer to a flood waits, and whoever else is refused does not', async () => {
  const hold = holdBack()
  const order: string[] = []
  await Promise.all([
    hold(flood()).then(() => order.push('flood')),
    hold(new RaffleError('RATE_LIMITED', 'no')).then(() => order.push('refused')),
    hold(new Error('a bug')).then(() => order.push('bug')),
  ])
  expect(order).toEqual(['refused', 'bug', 'flood'])
})

test('more of a flood than memory is kept for is answered at once', async () => {
  const hold = holdBack()
  const held = Array.from({ length: 4_000 }, () => hold(flood()))
  const answered = await Promise.race([hold(flood()).then(() => 'at once'), ...held])
  expect(answered).toBe('at once')
  await Promise.all(held)
  expect(await Promise.race([hold(flood()).then(() => 'held'), Promise.resolve('again')])).toBe('again')
})
