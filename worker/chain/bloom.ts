import { type Hex, pad } from 'viem'
import { bloomBits, hasBits } from '../../core/chain/bloom.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchor.ts'
import { transferTopic } from '../../core/payment/payment.ts'
import type { Watch } from './logs.ts'

/**
 * Tests a block's `logsBloom`: false means that the block certainly holds nothing that is looked for; true means that it
 * may. The filter is covered by the block's hash, so unlike an endpoint's log index it cannot be incomplete.
 */
export function watchBloom({ tokens, wallets, outgoing }: Watch): (bloom: Hex) => boolean {
  const logs = [
    ...tokens.map((token): Hex[] => [token, transferTopic]),
    ...(outgoing ? [paidTopic, anchoredTopic].map((topic): Hex[] => [register.address, topic]) : []),
  ]
  const kinds = logs.map((values) => values.flatMap(bloomBits))
  const names = [...wallets.map((wallet) => pad(wallet)), ...(outgoing ? [outgoing.book] : [])].map(bloomBits)
  return (bloom) => {
    const holds = (wanted: readonly number[]) => hasBits(bloom, wanted)
    return kinds.some(holds) && names.some(holds)
  }
}
