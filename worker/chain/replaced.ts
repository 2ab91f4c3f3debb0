import type { Hash } from 'viem'
import { expectRecent } from './history.ts'
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
 * blocks below a height, newest first, some at a time; none means that there are no more.
 */
export async function lastAgreed<T extends Place>(
  chain: Pick<Chain, 'header'>,
  from: bigint,
  read: (below: bigint) => Promise<readonly T[]>,
): Promise<T | undefined> {
  for (let below = from; ; ) {
    const blocks = await read(below)
    const last = blocks.at(-1)
    if (!last) return undefined
    const headers = await Promise.all(blocks.map(({ height }) => chain.header(height)))
    const agreed = blocks.find(({ hash }, index) => headers[index]?.hash === hash)
    if (agreed) return agreed
    below = last.height
  }
}
