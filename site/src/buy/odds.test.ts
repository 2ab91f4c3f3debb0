import { expect, test } from 'vitest'
import { oneIn } from './BuySlip.tsx'

test('odds are one in all tickets divided by my tickets', () => {
  expect([oneIn(1, 1), oneIn(1, 213), oneIn(33, 213), oneIn(1, 1_234_567), oneIn(9, 10)]).toEqual([
    ...['1', '213', '6.5', '1,234,567', '1.1'],
  ])
})
