import { expect, test } from 'vitest'
import { addressKey, addressKeys } from './address-list.ts'

test('an IPv4 address is its own key, however it is written', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'])
    expect(addressKeys(address)).toEqual([{ key: '203.0.113.7', last: '203.0.113.7', times: 1 }])
})

test('an IPv6 address counts for its /64, its /56 and its /48', () => {
  expect(addressKeys('2001:db8:1:2ff::5').map(({ key, times }) => [key, times])).toEqual([
    ['2001:0db8:0001:02ff', 1],
    ['2001:0db8:0001:02', 2],
    ['2001:0db8:0001', 4],
  ])
  expect(addressKey('2001:DB8:1:2FF:ffff:ffff:ffff:ffff')).toBe('2001:0db8:0001:02ff')
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0000:0000:0000')
})

test.each([
  ['2001:db8:1:200::', [true, true]],
  ['2001:db8:1:300::', [false, true]],
  ['2001:db8:1:2::', [false, true]],
  ['2001:db8:1::', [false, true]],
  ['2001:db8:10::', [false, false]],
  ['2001:db8:2:2ff::', [false, false]],
])('whether %s lies in the /56 and the /48 of another is told by its text', (address, inside) => {
  const [, of56, of48] = addressKeys('2001:db8:1:2ff::5')
  const text = addressKey(address)
  expect([of56, of48].map((range) => range && text >= range.key && text <= range.last)).toEqual(inside)
})
