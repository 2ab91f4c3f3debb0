import { type Hash, numberToHex, pad } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchor.ts'
import { type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import { mapLimit } from '../../core/server/concurrency.ts'
import type { Endpoint } from './endpoint.ts'
import { type Block, bad, fieldsOf, isHash, isQuantity, lower, readBlocks, toBlock } from './headers.ts'
import {
  type Filter,
  filtersOf,
  isTrouble,
  logsMaxBytes,
  readLogsOfBlocks,
  toLogs,
  type Watch,
} from './logs.ts'
import { isFailure, isTooLarge, mebibyte, RpcFailure } from './transport.ts'

export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hash
  transactionIndex: number
  logs: RpcLog[]
}
type TransactionReceipt = Receipt & { transactionHash: Hash }

/** The logs of a transaction that its reader needs: a stranger can make one with tens of thousands. */
export type PickLogs = (logs: readonly RpcLog[]) => RpcLog[]

/** A hundred common receipts; larger ones come in smaller batches. */
const batchMaxBytes = 2 * mebibyte
const blocksAtOnce = 4

/** Undefined for null and for a transaction not in a block yet. Throws RpcFailure for anything malformed. */
export function toReceipt(answer: unknown, expected?: Hash): TransactionReceipt | undefined {
  if (answer === null) return undefined
  const { transactionHash, transactionIndex, status, blockNumber, blockHash, logs } = fieldsOf(answer)
  if (blockHash === null || blockNumber === null) return undefined
  if (!isHash(transactionHash) || !isHash(blockHash) || !isQuantity(blockNumber)) throw bad()
  if (!isQuantity(transactionIndex) || (status !== '0x1' && status !== '0x0')) throw bad()
  const place = { transactionHash: lower(transactionHash), blockHash: lower(blockHash) }
  if (expected !== undefined && place.transactionHash !== expected) throw bad()
  const index = Number(transactionIndex)
  // Some nodes leave it out, and the receipt says it.
  const whole = (log: unknown) =>
    fieldsOf(log).transactionIndex === undefined ? { ...fieldsOf(log), transactionIndex } : log
  const own = toLogs(Array.isArray(logs) ? logs.map(whole) : logs)
  for (const log of own) {
    if (lower(log.transactionHash) !== place.transactionHash || lower(log.blockHash) !== place.blockHash)
      throw bad()
    if (Number(log.transactionIndex) !== index || BigInt(log.blockNumber) !== BigInt(blockNumber)) throw bad()
  }
  return {
    ...{ ...place, blockNumber: BigInt(blockNumber), transactionIndex: index, logs: own },
    status: status === '0x1' ? 'success' : 'reverted',
  }
}

/** In the order given; undefined if this endpoint has no receipt. */
export async function readReceipts(
  endpoint: Endpoint,
  hashes: readonly Hash[],
  pick: PickLogs = (logs) => [...logs],
): Promise<(TransactionReceipt | undefined)[]> {
  return endpoint.askMany(
    hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    {
      maxBytes: batchMaxBytes,
      read: (answer, { params: [hash] }) => {
        const receipt = toReceipt(answer, hash as Hash)
        return receipt && { ...receipt, logs: pick(receipt.logs) }
      },
    },
  )
}

/** What two endpoints must say alike of a receipt. */
export const receiptPrint = ({ status, blockNumber, blockHash, transactionIndex, logs }: Receipt): string =>
  JSON.stringify([
    ...[status, `${blockNumber}`, blockHash, transactionIndex],
    logs.map(({ address, topics, data, logIndex }) => [lower(address), topics, data, Number(logIndex)]),
  ])

/** As many as are read near the head (range.ts): scan and refund watch read the same blocks, at two paces. */
const keptBlocks = 2_000
const keptOf = new WeakMap<Endpoint, Map<string, RpcLog[]>>()

/** By the blocks themselves, not by the node's index. What receipts, a megabyte each, say of the watched
 * wallets is left for the other reader, scan or refund watch, who takes it once, unless `isFresh`. */
export async function settle(
  endpoint: Endpoint,
  watch: Watch,
  blocks: readonly Block[],
  { byReceipts, isFresh = false }: { byReceipts: boolean; isFresh?: boolean | undefined },
): Promise<RpcLog[]> {
  if (blocks.length === 0) return []
  const byHash = () => readLogsOfBlocks(endpoint, filtersOf(watch), blocks)
  if (!byReceipts) return byHash()
  const kept = keptOf.get(endpoint) ?? new Map<string, RpcLog[]>()
  keptOf.set(endpoint, kept)
  const watched = lower([...watch.tokens.toSorted(), ...watch.wallets.toSorted()].join())
  const keyOf = ({ hash }: Block, isOutgoing: boolean) => `${hash} ${watched} ${isOutgoing}`
  const left = new Map(isFresh ? [] : blocks.map((block) => [block, kept.get(keyOf(block, !watch.outgoing))]))
  const missing = blocks.filter((block) => !left.get(block))
  try {
    const logs = await readBlockReceipts(endpoint, watch, missing)
    const read = Map.groupBy(logs.filter(isOf(watch)), ({ blockHash }) => lower(blockHash))
    if (!isFresh) {
      for (const block of blocks) kept.delete(keyOf(block, !watch.outgoing))
      for (const block of missing) kept.set(keyOf(block, !!watch.outgoing), read.get(block.hash) ?? [])
      for (const key of kept.keys()) if (kept.size > keptBlocks) kept.delete(key)
    }
    return blocks.flatMap((block) => left.get(block) ?? read.get(block.hash) ?? [])
  } catch (error) {
    if (endpoint.logs.ranges.isOff || !isFailure(error, 'no-logs')) throw error
    return byHash()
  }
}

/** Transfers of the tokens in either direction, and what the register tells. */
function isOf({ tokens, wallets }: Watch): (log: RpcLog) => boolean {
  const parties = new Set<string | undefined>(wallets.map((wallet) => lower(pad(wallet))))
  const contracts = new Set<string>(tokens.map(lower))
  return ({ address, topics: [kind, ...names] }) => {
    if (kind !== transferTopic) return lower(address) === lower(register.address)
    return contracts.has(lower(address)) && names.slice(0, 2).some((name) => parties.has(lower(name)))
  }
}

/** An endpoint whose index tells a log that the block itself lacks contradicts itself. */
export function expectAmong(settled: readonly RpcLog[], told: readonly RpcLog[]): void {
  const placeOf = ({ blockHash, logIndex }: RpcLog) => `${lower(blockHash)} ${Number(logIndex)}`
  const known = new Map(settled.map((one) => [placeOf(one), one]))
  const isKnown = (log: RpcLog): boolean => {
    const own = known.get(placeOf(log))
    return own !== undefined && isSame(own, log)
  }
  if (!told.every(isKnown)) throw bad()
}

/** Field by field: a text of all of them costs as much as reading the logs. */
const isSame = (a: RpcLog, b: RpcLog): boolean =>
  Number(a.transactionIndex) === Number(b.transactionIndex) &&
  isSameText(a.transactionHash, b.transactionHash) &&
  isSameText(a.data, b.data) &&
  a.topics.length === b.topics.length &&
  a.topics.every((topic, index) => isSameText(topic, b.topics[index] ?? ''))

const isSameText = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase()

/** Throws RpcFailure `no-logs` if the endpoint does not serve block receipts. */
async function readBlockReceipts(
  endpoint: Endpoint,
  watch: Watch,
  blocks: readonly Block[],
): Promise<RpcLog[]> {
  const { logs } = endpoint
  if (logs.receipts.isOff) throw new RpcFailure('no-logs')
  const read = (block: Block) =>
    readWholeBlock(endpoint, block).catch((error: unknown) => {
      const isBroken = isFailure(error, 'contradiction')
      if (isBroken)
        endpoint.blame('contradiction', { method: 'eth_getBlockReceipts', block: `${block.number}` })
      if (isBroken || isTooLarge(error) || isTrouble(error))
        return readOtherwise(endpoint, watch, block, isBroken)
      throw error
    })
  try {
    return (await mapLimit(blocks, blocksAtOnce, read)).flat()
  } catch (error) {
    if (!isFailure(error, 'rpc')) throw error
    if (error.says(saysForgotten)) throw new RpcFailure('pruned')
    logs.refused('receipts', error)
    throw logs.receipts.isOff ? new RpcFailure('no-logs') : error
  }
}

/** Checks that there is one receipt per transaction, all of the same block. */
async function readWholeBlock(endpoint: Endpoint, block: Block): Promise<RpcLog[]> {
  const answer = await endpoint.ask('eth_getBlockReceipts', [numberToHex(block.number)], logsMaxBytes)
  if (!Array.isArray(answer)) throw new RpcFailure('behind')
  endpoint.logs.answered('receipts')
  // The header may be another endpoint's, and its hash says nothing of the number of transactions.
  if (answer.length !== block.transactions) {
    const [own] = await readBlocks(endpoint, [block.number])
    if (own?.hash !== block.hash) throw new RpcFailure('behind')
    if (answer.length !== own.transactions) throw bad()
  }
  return answer.flatMap((item) => logsIn(toReceipt(item), block))
}

export function logsIn(receipt: TransactionReceipt | undefined, { hash }: Block): RpcLog[] {
  if (receipt?.blockHash !== hash) throw new RpcFailure('behind')
  return receipt.status === 'success' ? receipt.logs : []
}

/** Where a block's receipts are too large, late or `isBroken`: its transfers by the block's hash, else
 * receipt by receipt, of which the watched logs are kept. */
async function readOtherwise(
  endpoint: Endpoint,
  watch: Watch,
  block: Block,
  isBroken: boolean,
): Promise<RpcLog[]> {
  const parties = watch.wallets.map((wallet) => pad(wallet))
  // For whoever looks for transfers of these wallets in either direction, by any book.
  const filters: Filter[] = [
    { address: watch.tokens, topics: [transferTopic, null, parties] },
    { address: watch.tokens, topics: [transferTopic, parties] },
    { address: register.address, topics: [[paidTopic, anchoredTopic]] },
  ]
  const otherwise = (error: unknown) => {
    if (!isFailure(error, 'rpc', 'too-large', 'contradiction')) throw error
  }
  const byHash = await readLogsOfBlocks(endpoint, filters, [block]).catch(otherwise)
  if (byHash && (!isBroken || byHash.some(({ topics }) => topics[0] === transferTopic))) return byHash
  const each = readEachReceipt(endpoint, block, isOf(watch))
  return (byHash && (await each.catch(otherwise))) ?? byHash ?? each
}

async function readEachReceipt(
  endpoint: Endpoint,
  block: Block,
  isWatched: (log: RpcLog) => boolean,
): Promise<RpcLog[]> {
  const own = toBlock(await endpoint.ask('eth_getBlockByHash', [block.hash, false]), block.number)
  if (own?.hash !== block.hash) throw new RpcFailure('behind')
  const pick: PickLogs = (logs) => logs.filter(isWatched)
  const receipts = await readReceipts(endpoint, transactionsOf(own), pick)
  return receipts.flatMap((receipt) => logsIn(receipt, block))
}

export function transactionsOf({ told: { transactions } }: Block): Hash[] {
  if (!Array.isArray(transactions) || !transactions.every(isHash)) throw bad()
  return transactions
}
