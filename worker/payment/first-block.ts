import { findFirstBlock } from '../../core/chain/first-block.ts'
import { RaffleError } from '../../core/errors.ts'
import { realClock } from '../../core/server/time.ts'
import { historyMissing, pastLag } from '../chain/finality.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'

/** While history is missing one question now and then shows whether it is back: a ticket must be credited
 * within 5 s after the endpoint has recovered. */
const askAgainMs = 1_000
type Missing = { missing: number; at: number }
const missingOf = new WeakMap<object, Map<string, Missing>>()

/** The first block whose time is at least `time` (seconds), one above `head` if there is none, not below
 * `from`. Throws HISTORY_MISSING, or RPC_UNAVAILABLE for a block that may just be late. */
export async function firstBlockSince(
  chain: Pick<Chain, 'header'>,
  time: number,
  head: Pick<Header, 'number' | 'timestamp'>,
  from = 0n,
  { now } = realClock,
): Promise<bigint> {
  const known = missingOf.get(chain) ?? new Map()
  missingOf.set(chain, known)
  const key = `${time} ${from}`
  const read = (number: number) => chain.header(BigInt(number)).catch(withoutHalfKnown)
  const before = known.get(key)
  if (before && (now() - before.at < askAgainMs || !(await isBack(read, before, now))))
    throw historyMissing(before.missing)
  /** Near the head, and older blocks are there. */
  const isLate = async (missing: number) => {
    const past = Number(head.number - pastLag) - 1
    return missing >= past && (await read(Math.max(Number(from), past))) !== undefined
  }
  const found = await findFirstBlock(read, {
    time,
    head: { number: Number(head.number), timestamp: head.timestamp },
    from: Number(from),
  })
  if ('height' in found) {
    known.delete(key)
    return BigInt(found.height)
  }
  if (await isLate(found.missing)) throw notYet(found.missing)
  known.set(key, { missing: found.missing, at: now() })
  throw historyMissing(found.missing)
}

/** Postpones the next question before this one is answered, so that parallel calls do not ask it too. */
async function isBack(
  read: (number: number) => Promise<unknown>,
  missing: Missing,
  now: () => number,
): Promise<boolean> {
  missing.at = now()
  return (await read(missing.missing)) !== undefined
}

const notYet = (height: number): RaffleError =>
  new RaffleError('RPC_UNAVAILABLE', { reason: 'chain', data: { missing: `${height}` } })

/** Known to one of two endpoints alone. */
function withoutHalfKnown(error: unknown): undefined {
  if (error instanceof RaffleError && error.data.isHalfKnown) return undefined
  throw error
}
