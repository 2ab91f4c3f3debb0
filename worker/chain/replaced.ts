import type { Hash } from 'viem'
import { expectRecent, historyMissing } from './history.ts'
import type { Chain, Header } from './index.ts'

type Place = { height: bigint; hash: Hash }

/**
 * True when the chain shows another block where a cursor stands, below what it calls final. Throws
 * HISTORY_MISSING when the endpoints no longer have that block: those after it are gone as well.
 */
export async function isReplaced(
  chain: Pick<Chain, 'header'>,
  cursor: Place,
  head: Header,
): Promise<boolean> {
  // An endpoint that is behind says nothing about blocks that it does not have yet.
  if (head.number < cursor.height) return false
  const header = await chain.header(cursor.height)
  if (!header) expectRecent(cursor.height, head)
  return header !== undefined && header.hash !== cursor.hash
}

/**
 * The newest recorded block that the chain still has; undefined when it has none of them. `read` answers recorded
 * blocks below a height, newest first, some at a time; none means that there are no more. Throws HISTORY_MISSING
 * when the endpoints no longer have one of them: a forgotten block is not a replaced one.
 */
export async function lastAgreed<T extends Place>(
  chain: Pick<Chain, 'header'>,
  from: bigint,
  read: (below: bigint) => Promise<readonly T[]>,
): Promise<T | undefined> {
  for (let below = from, count = 1; ; ) {
    const blocks = await read(below)
    const last = blocks.at(-1)
    if (!last) return undefined
    // The newest is mostly it: older ones, which an endpoint may have forgotten, are not asked for without need.
    for (let at = 0; at < blocks.length; count *= 4) {
      const next = blocks.slice(at, at + count)
      at += next.length
      const headers = await Promise.allSettled(next.map(({ height }) => chain.header(height)))
      for (const [index, block] of next.entries()) {
        const header = toldBy(headers[index] as PromiseSettledResult<Header | undefined>)
        if (!header) throw historyMissing(block.height)
        if (header.hash === block.hash) return block
      }
    }
    below = last.height
  }
}

function toldBy<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
