import { RaffleError } from '../../core/errors.ts'
import type { Chain, Header } from '../chain/index.ts'

/**
 * Height of the first block whose time is at least `time` (seconds), by binary search over headers; one above
 * `head` if there is none yet. Block times never go back, so every caller gets the same answer. The search
 * begins at `from`, a height that is known not to lie above the answer.
 */
export async function firstBlockSince(chain: Chain, time: number, head: Header, from = 0n): Promise<bigint> {
  if (head.timestamp < time) return head.number + 1n
  let low = from
  let high = head.number
  while (low < high) {
    const middle = (low + high) / 2n
    const header = await chain.header(middle)
    if (!header) throw new RaffleError('RPC_UNAVAILABLE', 'An old block is missing.', { height: `${middle}` })
    if (header.timestamp < time) low = middle + 1n
    else high = middle
  }
  return low
}
