import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsOf, formatCents, parseCents, ticketsFor, unitsOf, unitsText, usdt, usdtOf } from './money.ts'

const price = unitsOf(300)

test('99 USDT buy 33 tickets at 3 USDT', () => {
  expect(ticketsFor(unitsOf(99_00), price)).toBe(33)
})

test('one unit below the price buys nothing', () => {
  expect(ticketsFor(price - 1n, price)).toBe(0)
})

test('a price of zero is refused, never infinite tickets', () => {
  expect(() => ticketsFor(price, 0n)).toThrow(RangeError)
})

test('I2, I4: tickets and remainder add up to what was paid, and the remainder is below the price', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 24n), (units, anyPrice) => {
      const count = ticketsFor(units, anyPrice)
      expect(count === undefined).toBe(units / anyPrice > 2_000_000_000n)
      const rest = units - BigInt(count ?? units / anyPrice) * anyPrice
      expect(rest >= 0n && rest < anyPrice).toBe(true)
    }),
  )
})

test('hundredths survive a round trip through units, and rounding is always down', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 10n ** 16n - 1n), (cents, dust) => {
      expect(centsOf(unitsOf(cents) + dust)).toBe(cents)
    }),
  )
})

test('formats and parses amounts as people write them', () => {
  expect([0n, 5n, 9900n, 9950n, 123n].map(formatCents)).toEqual(['0', '0.05', '99', '99.50', '1.23'])
  expect(['3', '2.5', '2.50', '0.1'].map(parseCents)).toEqual([300n, 250n, 250n, 10n])
  expect(['', '-1', '1e3', '2.505', '３', ' 3', '.5', '1,000'].map(parseCents)).toEqual(
    Array(8).fill(undefined),
  )
})

test('amounts have separators, and cents only where there are some', () => {
  expect([300, 9_950, 100_000, 370_350_000, 123_456_789_05n].map(usdt)).toEqual([
    ...['3', '99.50', '1,000', '3,703,500', '123,456,789.05'],
  ])
})

test('amounts are told to the last digit, or to as many as asked for', () => {
  expect(unitsText(3n * 10n ** 18n)).toBe('3')
  expect(unitsText(1_234_500_000_000_000_000_001n)).toBe('1,234.500000000000000001')
  expect(unitsText(41_239_999_999_999_999n, 4)).toBe('0.0412')
  expect(unitsText(0n)).toBe('0')
})

test('an amount of units is cut to hundredths, but never to nothing, and has no sign', () => {
  const one = 10n ** 18n
  expect([0n, 1n, 41_320n * one, 99n * one + 5n * 10n ** 17n + 1n, -3n * one].map(usdtOf)).toEqual([
    '0',
    '0.000000000000000001',
    '41,320',
    '99.50',
    '3',
  ])
  expect(usdtOf(`${10n ** 16n - 1n}`)).toBe('0.009999999999999999')
})
