import { keccak256 as plain } from 'viem'
import { expect, test } from 'vitest'
import { chance } from '../../e2e/lab/test-time.ts'
import { keccak256 } from './keccak.ts'

test('hashes as the plain one does, at every length around the ends of its blocks', () => {
  const bytes = new Uint8Array(chance('keccak').bytes(2_000))
  for (const length of [...Array(420).keys(), 543, 544, 545, 1_999, 2_000])
    expect([length, keccak256(bytes.subarray(0, length))]).toEqual([length, plain(bytes.subarray(0, length))])
})

test('the bytes of one before do not get into the next, however many there are', () => {
  for (const bytes of [new Uint8Array(64_000).fill(255), new Uint8Array(0), new Uint8Array(200_000).fill(7)])
    expect(keccak256(bytes)).toBe(plain(bytes))
})
