import { expect, test } from 'vitest'
import { isProxyAddress } from './Dashboard.tsx'

test.each([
  ['172.18.0.1', 'raffle.example', true],
  ['127.0.0.1', 'raffle.example', true],
  ['fd00::1', 'raffle.example', true],
  ['::ffff:10.0.0.1', 'raffle.example', true],
  // Containers on this machine, or a proxy that is not listed.
  ['172.18.0.1', 'localhost', true],
  ['203.0.113.7', 'raffle.example', false],
  ['2001:4860:4860::8888', 'raffle.example', false],
  ['127.0.0.1', 'localhost', false],
  ['::1', '[::1]', false],
  ['127.0.0.1', '127.0.0.1', false],
  ['192.168.1.20', '192.168.1.5', false],
  ['nonsense', 'raffle.example', false],
])('A4: a visitor who is seen as %s at %s is seen as a proxy: %s', (ip, host, expected) => {
  expect(isProxyAddress(ip, host)).toBe(expected)
})
