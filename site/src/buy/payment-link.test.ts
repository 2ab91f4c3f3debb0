import { expect, test } from 'vitest'
import { paymentLink } from './PhonePay.tsx'

test('a wallet reads token, chain, recipient and exact units', () => {
  const token = '0x55d398326f99059fF775485246999027B3197955'
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(paymentLink(token, 56, to, 99n * 10n ** 18n)).toBe(
    `ethereum:${token}@56/transfer?address=${to}&uint256=99000000000000000000`,
  )
})
