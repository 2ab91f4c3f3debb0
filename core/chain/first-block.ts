/**
 * Height of the first block whose time is at least `time` (seconds); one above `head` if none is. In doubling steps back from
 * the head, then by halves, as nodes may keep only the newest blocks; `missing` is one that is gone where the answer may lie at
 * or below it. No block below `from` is read.
 */
export async function findFirstBlock(
  read: (number: number) => Promise<{ timestamp: number } | undefined>,
  { time, head, from = 0 }: { time: number; head: { number: number; timestamp: number }; from?: number },
): Promise<{ height: number } | { missing: number }> {
  if (head.timestamp < time) return { height: head.number + 1 }
  // The newest block known to be older than `time`, or missing; `since` is known to be neither.
  let below = from - 1
  let isMissing = false
  let since = head.number
  for (let step = 1; since - below > 1; step *= 2) {
    const at = below < from ? Math.max(from, since - step) : Math.floor((below + since) / 2)
    const block = await read(at)
    if (block && block.timestamp >= time) since = at
    else {
      below = at
      isMissing = block === undefined
    }
  }
  return isMissing ? { missing: below } : { height: since }
}

/** How nodes that keep only the newest blocks refuse an old one; the wording differs by node software. */
export const saysForgotten = (text: string): boolean =>
  /prun|histor|archive|missing trie|(block|header) not found|unknown block/i.test(text)
