import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { isSealed } from '../../core/chain/seal.ts'
import { keccak256 } from '../../core/server/keccak.ts'
import { agree, failed, type OnAlarm, onceIn, unavailable } from './agree.ts'
import type { Endpoint } from './endpoint.ts'
import { isFailure, RpcFailure } from './transport.ts'

export type Header = { number: bigint; hash: Hash; timestamp: number }
/** With the address of the producer, in lower case. */
export type MinedHeader = Header & { miner: Address }
/** A header with its parent and the facts for the log check: number of transactions, and bloom filter where
 * it was told. `told`: all fields as they came, for the hash. */
export type Block = Header & {
  parent: Hash
  bloom: Hex | undefined
  transactions: number
  told: Readonly<Record<string, unknown>>
}

/** What an endpoint tells cannot be. */
export const bad = (): RpcFailure => new RpcFailure('contradiction')
export const lower = <T extends string>(text: T): T => text.toLowerCase() as T
export const isHash = (value: unknown): value is Hash =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
export const isQuantity = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)
/** What came, as an object whose fields nobody has looked at. */
export const fieldsOf = (answer: unknown): Record<string, unknown> => (isFields(answer) ? answer : {})
const isFields = (answer: unknown): answer is Record<string, unknown> =>
  typeof answer === 'object' && answer !== null

/** Undefined for null (unknown to this endpoint). Throws RpcFailure for a bad block or another height. */
export function toBlock(answer: unknown, expected?: bigint): Block | undefined {
  if (answer === null) return undefined
  const told = fieldsOf(answer)
  const { number, hash, parentHash, timestamp, logsBloom, transactions } = told
  if (!isQuantity(number) || !isHash(hash) || !isHash(parentHash) || !isQuantity(timestamp)) throw bad()
  if (!Array.isArray(transactions)) throw bad()
  const height = BigInt(number)
  if (expected !== undefined && height !== expected) throw bad()
  const hasBloom = (bloom: unknown): bloom is Hex => typeof bloom === 'string' && bloom.length === 514
  return {
    ...{ number: height, hash: lower(hash), parent: lower(parentHash), timestamp: Number(timestamp) },
    ...{ bloom: hasBloom(logsBloom) ? logsBloom : undefined, transactions: transactions.length, told },
  }
}

export const toHeader = ({ number, hash, timestamp }: Header): Header => ({ number, hash, timestamp })

/** Throws RpcFailure where the endpoint does not say who made the block. */
export function toMinedHeader(block: Block): MinedHeader {
  const { miner } = block.told
  if (typeof miner !== 'string' || !/^0x[0-9a-f]{40}$/i.test(miner)) throw bad()
  return { ...toHeader(block), miner: lower(miner as Address) }
}

/** What two endpoints must say alike of a block. */
export const blockPrint = ({ number, hash, parent, timestamp }: Block): string =>
  `${number} ${hash} ${parent} ${timestamp}`
export const blocksPrint = (blocks: readonly Block[]): string => blocks.map(blockPrint).join('\n')

/** Undefined when this endpoint does not know the block, or does not know it any more. */
export async function readBlock(
  endpoint: Endpoint,
  at: bigint | 'finalized' | 'latest',
): Promise<Block | undefined> {
  const height = typeof at === 'string' ? undefined : at
  const name = height === undefined ? at : numberToHex(height)
  const answer = await endpoint.ask('eth_getBlockByNumber', [name, false]).catch((error: unknown) => {
    if (height !== undefined && isFailure(error, 'rpc') && error.says(saysForgotten)) return null
    throw error
  })
  return toBlock(answer, height)
}

/** In the order given. Throws RpcFailure `behind` when this endpoint lacks one of them. */
export async function readBlocks(endpoint: Endpoint, numbers: readonly bigint[]): Promise<Block[]> {
  const answers = await endpoint.askMany(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })),
  )
  return answers.map((answer, index) => {
    const block = toBlock(answer, numbers[index])
    if (!block) throw new RpcFailure('behind')
    return block
  })
}

export type Headers = {
  /** Consecutive final blocks, told by one endpoint, another in each turn: their hashes are recomputed and
   * chained, and two have the last one. Unknown headers are asked of two. */
  read: (endpoints: readonly Endpoint[], numbers: readonly bigint[]) => Promise<Block[]>
  /** False for ten minutes after a header whose hash is not that of its fields: a false one, or a new form. */
  areKnown: () => boolean
}

const alarmEveryMs = 10 * 60_000

/** `final`: the block that two have just called final, which then needs no question. */
export function openHeaders(final: () => Block | undefined, now: () => number, onAlarm: OnAlarm): Headers {
  const memory = openMemory()
  let turn = 0
  let openAt = Number.NEGATIVE_INFINITY
  const alarm = onceIn(alarmEveryMs, now, onAlarm)

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
          openAt = now()
          alarm('header does not match its hash', { host: endpoint.host, block: `${open.number}` })
          isUnknown = true
          continue
        }
        if (blocks.some(({ parent }, at) => at > 0 && parent !== blocks[at - 1]?.hash)) throw bad()
        if (await isTip(inTurn, endpoint, blocks.at(-1) as Block, next)) {
          memory.keep(blocks)
          return blocks
        }
        failures[endpoint.host] = 'another block'
      } catch (error) {
        failures[endpoint.host] = failed(error)
      }
    }
    // Two say the same of every block, its filter included.
    const print = (blocks: readonly Block[]) =>
      [blocksPrint(blocks), ...blocks.map(({ bloom }) => bloom)].join()
    const read = (endpoint: Endpoint) => readBlocks(endpoint, numbers)
    const agreed = isUnknown ? await agree(inTurn, read, print) : undefined
    if (!agreed) throw unavailable(failures, 0)
    return agreed
  }
  return { read, areKnown: () => now() - openAt >= alarmEveryMs }
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
