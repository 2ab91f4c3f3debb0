import { type Hash, pad } from 'viem'
import { register } from '../../core/chain/register.ts'
import { type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { readLargeBlock } from './large-block.ts'
import { filtersOf, readLogsOfBlocks, readReceiptsOfBlocks, type Watch } from './logs.ts'
import type { Block } from './shapes.ts'

/**
 * The transfers in `blocks` by the blocks themselves, not by the node's log index. Whole receipts are safest;
 * for many old blocks their logs by hash suffice, at a hundredth of the bytes. `isFresh`: what is known of a block
 * from an earlier reading does not count.
 */
export async function settle(
  endpoint: Endpoint,
  watch: Watch,
  {
    blocks,
    byReceipts,
    isFresh = false,
  }: { blocks: readonly Block[]; byReceipts: boolean; isFresh?: boolean },
): Promise<RpcLog[]> {
  if (blocks.length === 0) return []
  if (!byReceipts) return readLogsOfBlocks(endpoint, filtersOf(watch), blocks)
  try {
    return await (isFresh ? readWhole(endpoint, watch, blocks) : readOnce(endpoint, watch, blocks))
  } catch (error) {
    if (endpoint.logs.ranges.isOff || !(error instanceof RpcFailure) || error.kind !== 'no-logs') throw error
    return readLogsOfBlocks(endpoint, filtersOf(watch), blocks)
  }
}

/** Of a block too large for its receipts the transfers of the watched wallets alone. */
const readWhole = (endpoint: Endpoint, watch: Watch, blocks: readonly Block[]): Promise<RpcLog[]> =>
  readReceiptsOfBlocks(endpoint, blocks, (block) => readLargeBlock(endpoint, watch, block, isOf(watch)))

/** An endpoint whose index tells a log that the block itself lacks contradicts itself. */
export function expectAmong(settled: readonly RpcLog[], told: readonly RpcLog[]): void {
  const placeOf = ({ blockHash, logIndex }: RpcLog) => `${blockHash.toLowerCase()} ${Number(logIndex)}`
  let known: Map<string, RpcLog> | undefined
  let next = 0
  for (const log of told) {
    // Both are mostly in the same order: a table of all of them costs more than the comparison.
    let own = settled[next]
    if (own && isAlike(own.blockHash, log.blockHash) && Number(own.logIndex) === Number(log.logIndex)) next++
    else {
      known ??= new Map(settled.map((one) => [placeOf(one), one]))
      own = known.get(placeOf(log))
    }
    if (!own || !isSame(own, log)) throw new RpcFailure('body')
  }
}

/** Field by field: a text of all of them costs as much as reading the logs. */
const isSame = (a: RpcLog, b: RpcLog): boolean =>
  Number(a.transactionIndex) === Number(b.transactionIndex) &&
  isAlike(a.transactionHash, b.transactionHash) &&
  isAlike(a.data, b.data) &&
  a.topics.length === b.topics.length &&
  a.topics.every((topic, index) => isAlike(topic, b.topics[index] ?? ''))

const isAlike = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase()

/** As many as are read near the head (range.ts): scan and refund watch read the same blocks, at two paces. */
const keptBlocks = 2_000
const keptOf = new WeakMap<Endpoint, Map<string, RpcLog[]>>()

/**
 * Receipts of a busy block are a megabyte, and payments and refunds are both looked for in them: what they say
 * of the watched wallets is left for the other reader, by the block's hash, who takes it once. A reading that
 * failed asks again, so a node's wrong answer ends with the node's error.
 */
async function readOnce(endpoint: Endpoint, watch: Watch, blocks: readonly Block[]): Promise<RpcLog[]> {
  const kept = keptOf.get(endpoint) ?? new Map<string, RpcLog[]>()
  keptOf.set(endpoint, kept)
  const watched = [...watch.tokens.toSorted(), ...watch.wallets.toSorted()].join().toLowerCase()
  const keyOf = (hash: Hash, isOutgoing: boolean) => `${hash} ${watched} ${isOutgoing}`
  const left = new Map(blocks.map(({ hash }) => [hash, kept.get(keyOf(hash, !watch.outgoing))]))
  const missing = blocks.filter(({ hash }) => !left.get(hash))
  const logs = (await readWhole(endpoint, watch, missing)).filter(isOf(watch))
  const read = Map.groupBy(logs, (log) => log.blockHash.toLowerCase())
  for (const { hash } of blocks) kept.delete(keyOf(hash, !watch.outgoing))
  for (const { hash } of missing) kept.set(keyOf(hash, !!watch.outgoing), read.get(hash) ?? [])
  for (const key of kept.keys()) {
    if (kept.size <= keptBlocks) break
    kept.delete(key)
  }
  return blocks.flatMap(({ hash }) => left.get(hash) ?? read.get(hash) ?? [])
}

/** Transfers of the tokens in either direction, and what the register tells. */
function isOf({ tokens, wallets }: Watch): (log: RpcLog) => boolean {
  const parties = new Set<string>(wallets.map((wallet) => pad(wallet).toLowerCase()))
  const contracts = new Set<string>(tokens.map((token) => token.toLowerCase()))
  const isParty = (topic: string | undefined) => parties.has(`${topic}`.toLowerCase())
  return ({ address, topics: [kind, from, to] }) =>
    kind === transferTopic
      ? contracts.has(address.toLowerCase()) && (isParty(from) || isParty(to))
      : address.toLowerCase() === register.address.toLowerCase()
}
