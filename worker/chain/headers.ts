import type { Hash } from 'viem'
import { isSealed } from '../../core/chain/seal.ts'
import { keccak256 } from '../../core/server/keccak.ts'
import { agree, failed, unavailable } from './agree.ts'
import { blockPrint, blocksPrint, readBlock, readBlocks } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import type { OnAlarm } from './set-aside.ts'
import type { Block } from './shapes.ts'

export type Headers = {
  /**
   * Consecutive final blocks, in the order given. One endpoint tells them, another one in each turn: their hashes are
   * those of their fields, each names the one before it, and two have the last one. Where no endpoint tells headers
   * whose hash can be recomputed they are asked of two. What the last one's parents are known to be is not asked for
   * again: scan and refund watch read the same blocks, at two paces.
   */
  read: (endpoints: readonly Endpoint[], numbers: readonly bigint[]) => Promise<Block[]>
  /** False for ten minutes after a header whose hash is not that of its fields: a false one, or a new form. */
  areKnown: () => boolean
}

const alarmEveryMs = 10 * 60_000

/** `final`: the block that two have just called final, which then needs no question. */
export function openHeaders(final: () => Block | undefined, now: () => number, onAlarm: OnAlarm): Headers {
  const memory = openMemory()
  let turn = 0
  let alarmedAt = Number.NEGATIVE_INFINITY

  function alarm(host: string, { number }: Block): void {
    const isNew = now() - alarmedAt >= alarmEveryMs
    alarmedAt = now()
    if (!isNew) return
    onAlarm('header does not match its hash', { host, block: `${number}` })
  }

  async function read(endpoints: readonly Endpoint[], numbers: readonly bigint[]): Promise<Block[]> {
    const known = final()
    if (known && isSealed(known.told, keccak256)) memory.keep([known])
    let found: Block[] = []
    let missing = numbers
    let isHelpful = true
    while (missing.length > 0) {
      const next = found[0] ?? (known && memory.back(known, missing.at(-1) as bigint))
      const remembered = next ? memory.before(next, missing) : []
      found = [...remembered, ...found]
      missing = missing.slice(0, missing.length - remembered.length)
      if (missing.length === 0) break
      // Up to what is remembered below the last; where that turns out to be of another branch, all of it.
      const asked = missing.slice(isHelpful ? memory.highest(missing.slice(0, -1)) + 1 : 0)
      isHelpful = false
      const blocks = await ask(endpoints, asked, found[0] ?? next)
      found = [...blocks, ...found]
      missing = missing.slice(0, missing.length - asked.length)
    }
    return found
  }

  /** `next`: the block after them, or one that two have, whichever is known. */
  async function ask(
    endpoints: readonly Endpoint[],
    numbers: readonly bigint[],
    next: Block | undefined,
  ): Promise<Block[]> {
    const failures: Record<string, string> = {}
    const start = turn++ % endpoints.length
    const inTurn = [...endpoints.slice(start), ...endpoints.slice(0, start)]
    let isUnknown = false
    for (const endpoint of inTurn) {
      try {
        const blocks = await readBlocks(endpoint, numbers)
        const open = blocks.find(({ told }) => !isSealed(told, keccak256))
        if (open) {
          alarm(endpoint.host, open)
          isUnknown = true
          continue
        }
        expectChained(blocks)
        if (await isTip(inTurn, endpoint, blocks.at(-1) as Block, next)) {
          memory.keep(blocks)
          return blocks
        }
        failures[endpoint.host] = 'another block'
      } catch (error) {
        failures[endpoint.host] = failed(error)
      }
    }
    if (isUnknown) return readOfTwo(inTurn, numbers)
    throw unavailable(failures, 0)
  }
  return { read, areKnown: () => now() - alarmedAt >= alarmEveryMs }
}

/** As many as a refund watch that runs once in a minute is behind the scan, at 0.25 s a block. */
const keptBlocks = 300

/** The headers read last, by their hashes: whoever told one, it is what its hash says. */
function openMemory() {
  const kept = new Map<Hash, Block>()
  return {
    keep(blocks: readonly Block[]): void {
      for (const block of blocks) kept.set(block.hash, { ...block, told: {} })
      for (const hash of kept.keys()) {
        if (kept.size <= keptBlocks) return
        kept.delete(hash)
      }
    },
    /** From a block that two have back to the one after `number`, or that one, as far as they are remembered. */
    back(known: Block, number: bigint): Block {
      let at = known
      for (let up = kept.get(at.parent); up && at.number > number + 1n; up = kept.get(at.parent)) at = up
      return at
    },
    /** The last of `numbers`, oldest first, as far back as each is remembered as the one before the next. */
    before(next: Block, numbers: readonly bigint[]): Block[] {
      const found: Block[] = []
      const last = numbers.at(-1)
      let hash = next.number === last ? next.hash : next.parent
      for (let at = kept.get(hash); at && at.number === numbers.at(-1 - found.length); at = kept.get(hash)) {
        found.unshift(at)
        hash = at.parent
      }
      return found
    },
    /** Index of the highest of these heights of which a block is remembered; -1 for none. */
    highest(numbers: readonly bigint[]): number {
      const known = new Set([...kept.values()].map(({ number }) => number))
      return numbers.findLastIndex((number) => known.has(number))
    },
  }
}

/** Two say the same of every block, its filter included. */
async function readOfTwo(endpoints: readonly Endpoint[], numbers: readonly bigint[]): Promise<Block[]> {
  const print = (blocks: readonly Block[]) =>
    `${blocksPrint(blocks)}\n${blocks.map(({ bloom }) => bloom).join('\n')}`
  return (await agree(endpoints, (endpoint) => readBlocks(endpoint, numbers), print)) as Block[]
}

function expectChained(blocks: readonly Block[]): void {
  const isChained = blocks.every((block, index) => index === 0 || block.parent === blocks[index - 1]?.hash)
  if (!isChained) throw new RpcFailure('body')
}

/** Two have this block at its height. */
async function isTip(
  endpoints: readonly Endpoint[],
  teller: Endpoint,
  tip: Block,
  next: Block | undefined,
): Promise<boolean> {
  if (next?.number === tip.number && blockPrint(next) === blockPrint(tip)) return true
  if (next?.number === tip.number + 1n && next.parent === tip.hash) return true
  const ask = async (endpoint: Endpoint) => (endpoint === teller ? tip : readBlock(endpoint, tip.number))
  const agreed = await agree(endpoints, ask, blockPrint)
  if (!agreed) throw new RpcFailure('behind')
  return blockPrint(agreed) === blockPrint(tip)
}
