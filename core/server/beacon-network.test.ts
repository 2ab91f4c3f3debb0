import { expect, test } from 'vitest'
import { quicknet } from '../draw/beacon.ts'
import { beaconNetworkOf } from './beacon-network.ts'

const key = `0x${'ab'.repeat(96)}`
const local = { rpcUrls: ['http://127.0.0.1:8545'] }

test('the beacon is quicknet, which no variable changes but beside a chain on this machine', () => {
  expect(beaconNetworkOf({ rpcUrls: ['https://a', 'https://b'] }, undefined)).toBe(quicknet)
  expect(beaconNetworkOf(local, '')).toBe(quicknet)
  expect(beaconNetworkOf(local, key)).toMatchObject({ name: 'blockdraw-local', publicKey: key })
  for (const rpcUrls of [[], ['https://node.example'], [...local.rpcUrls, 'https://node.example']])
    expect(() => beaconNetworkOf({ rpcUrls }, key)).toThrow('drand is built in')
  expect(() => beaconNetworkOf(local, '0xab')).toThrow('LOCAL_BEACON_KEY must be')
})
