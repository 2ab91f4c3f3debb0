import { type Address, type Hex, keccak256, pad } from 'viem'
import { transferTopic } from '../../core/payment.ts'

/**
 * Tests a block's `logsBloom`: false means that the block certainly holds no transfer of `token` to or from
 * any of `wallets`; true means that it may. The filter is covered by the block's hash, so unlike an
 * endpoint's log index it cannot be incomplete.
 */
export function transferBloom(token: Address, wallets: readonly Address[]): (bloom: Hex) => boolean {
  const always = [...bits(token), ...bits(transferTopic)]
  const each = wallets.map((wallet) => bits(pad(wallet)))
  return (bloom) =>
    always.every((bit) => isSet(bloom, bit)) &&
    each.some((wallet) => wallet.every((bit) => isSet(bloom, bit)))
}

/** The three bits of 2,048 that a value sets. */
function bits(value: Hex): number[] {
  const hash = keccak256(value)
  return [2, 6, 10].map((at) => Number.parseInt(hash.slice(at, at + 4), 16) & 2047)
}

function isSet(bloom: Hex, bit: number): boolean {
  const nibble = bloom.charCodeAt(2 + 511 - (bit >> 2))
  const value = nibble <= 57 ? nibble - 48 : (nibble | 32) - 87
  return ((value >> (bit & 3)) & 1) === 1
}
