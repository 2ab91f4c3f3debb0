import { type Hex, pad } from 'viem'
import { bloomBits, hasBits } from '../../core/chain/bloom.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic, waivedTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchored.ts'
import { transferTopic } from '../../core/payment/payment.ts'
import type { Watch } from './logs.ts'

/**
 * Tests a block's `logsBloom`: false means that the block certainly holds no transfer of `tokens` to or from
 * any of `wallets`, and with `outgoing` nothing that the register says of them, or no anchor of theirs; true means that it may. The filter is
 * covered by the block's hash, so unlike an endpoint's log index it cannot be incomplete.
 */
export function watchBloom({ tokens, wallets, outgoing, anchorsOf }: Watch): (bloom: Hex) => boolean {
  const logs = [
    ...tokens.map((token): Hex[] => [token, transferTopic]),
    ...(outgoing ? [paidTopic, waivedTopic].map((topic): Hex[] => [register.address, topic]) : []),
    ...(anchorsOf !== undefined ? [[register.address, anchoredTopic]] : []),
  ]
  const kinds = logs.map((values) => values.flatMap(bloomBits))
  const each = wallets.map((wallet) => bloomBits(pad(wallet)))
  return (bloom) => {
    const holds = (wanted: readonly number[]) => hasBits(bloom, wanted)
    return kinds.some(holds) && each.some(holds)
  }
}
