import { type Hash, pad } from 'viem'
import { type RpcLog, transferTopic } from '../../core/payment.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { readLogsOfBlocks, readReceiptsOfBlocks, type Watch } from './logs.ts'
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
  if (!byReceipts) return readLogsOfBlocks(endpoint, watch, blocks)
  try {
    return await (isFresh ? readReceiptsOfBlocks(endpoint, blocks) : readOnce(endpoint, watch, blocks))
  } catch (error) {
    if (endpoint.logs.ranges.isOff || !(error instanceof RpcFailure) || error.kind !== 'no-logs') throw error
    return readLogsOfBlocks(endpoint, watch, blocks)
  }
}

/** An endpoint whose index tells a log that the block itself lacks contradicts itself. */
export function expectAmong(settled: readonly RpcLog[], told: readonly RpcLog[]): void {
  const facts = ({ blockHash, logIndex, transactionIndex, transactionHash, topics, data }: RpcLog) =>
    [Number(logIndex), Number(transactionIndex), blockHash, transactionHash, ...topics, data]
      .join()
      .toLowerCase()
  const known = new Set(settled.map(facts))
  if (!told.every((log) => known.has(facts(log)))) throw new RpcFailure('body')
}

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
  const watched = [watch.token, ...[...watch.wallets].sort()].join().toLowerCase()
  const keyOf = (hash: Hash, outgoing = false) => `${hash} ${watched} ${outgoing}`
  const left = new Map(blocks.map(({ hash }) => [hash, kept.get(keyOf(hash, !watch.outgoing))]))
  const missing = blocks.filter(({ hash }) => !left.get(hash))
  const logs = (await readReceiptsOfBlocks(endpoint, missing)).filter(isOf(watch))
  const read = Map.groupBy(logs, (log) => log.blockHash.toLowerCase())
  for (const { hash } of blocks) kept.delete(keyOf(hash, !watch.outgoing))
  for (const { hash } of missing) kept.set(keyOf(hash, watch.outgoing), read.get(hash) ?? [])
  for (const key of kept.keys()) {
    if (kept.size <= keptBlocks) break
    kept.delete(key)
  }
  return blocks.flatMap(({ hash }) => left.get(hash) ?? read.get(hash) ?? [])
}

/** Transfers of the token in either direction. */
function isOf({ token, wallets }: Watch): (log: RpcLog) => boolean {
  const parties = new Set<string>(wallets.map((wallet) => pad(wallet).toLowerCase()))
  return ({ address, topics: [kind, from, to] }) =>
    kind === transferTopic &&
    address.toLowerCase() === token.toLowerCase() &&
    (parties.has(`${from}`.toLowerCase()) || parties.has(`${to}`.toLowerCase()))
}
