import { type Hex, keccak256 } from 'viem'

/** The three bits of 2,048 that a value sets in a block's bloom filter. */
export function bloomBits(value: Hex): number[] {
  const hash = keccak256(value)
  return [2, 6, 10].map((at) => Number.parseInt(hash.slice(at, at + 4), 16) & 2047)
}

/** Whether a filter of 256 bytes, as JSON-RPC tells it, has all these bits. */
export const hasBits = (bloom: string, bits: readonly number[]): boolean =>
  bits.every((bit) => isSet(bloom, bit))

function isSet(bloom: string, bit: number): boolean {
  const nibble = bloom.charCodeAt(2 + 511 - (bit >> 2))
  const value = nibble <= 57 ? nibble - 48 : (nibble | 32) - 87
  return ((value >> (bit & 3)) & 1) === 1
}
