import { findFirstBlock } from '../../core/first-block.ts'
import { historyMissing } from '../chain/history.ts'
import type { Chain, Header } from '../chain/index.ts'

/** History does not come back by itself: the search is not repeated at every call. */
const searchAgainMs = 30_000
const missingOf = new WeakMap<object, Map<string, { missing: number; at: number }>>()

/**
 * Height of the first block whose time is at least `time` (seconds), as findFirstBlock says; one above `head`
 * if there is none yet. `from` is a height that is known not to lie above the answer. Throws HISTORY_MISSING
 * if the endpoints no longer have the blocks that tell: nothing is assumed to be empty.
 */
export async function firstBlockSince(
  chain: Pick<Chain, 'header'>,
  time: number,
  head: Pick<Header, 'number' | 'timestamp'>,
  from = 0n,
): Promise<bigint> {
  const known = missingOf.get(chain) ?? new Map()
  missingOf.set(chain, known)
  const key = `${time} ${from}`
  const before = known.get(key)
  if (before && performance.now() - before.at < searchAgainMs) throw historyMissing(before.missing)
  const found = await findFirstBlock((number) => chain.header(BigInt(number)), {
    time,
    head: { number: Number(head.number), timestamp: head.timestamp },
    from: Number(from),
  })
  if ('height' in found) {
    known.delete(key)
    return BigInt(found.height)
  }
  known.set(key, { missing: found.missing, at: performance.now() })
  throw historyMissing(found.missing)
}
