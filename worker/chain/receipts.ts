import { createMPT } from '@ethereumjs/mpt'
import { type Hash, type Hex, hexToBytes, numberToHex, pad, toHex, toRlp } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchored.ts'
import { RaffleError } from '../../core/errors.ts'
import { type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import { mapLimit } from '../../core/server/concurrency.ts'
import { agree, failed, unavailable } from './agree.ts'
import type { Endpoint } from './endpoint.ts'
import {
  type Block,
  bad,
  blockPrint,
  fieldsOf,
  isHash,
  isQuantity,
  lower,
  readBlock,
  readBlocks,
  toBlock,
} from './headers.ts'
import {
  type Filter,
  filtersOf,
  isBytes,
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
/** Of one block; a stranger can make its receipts as large as its gas allows. */
const receiptsMaxBytes = 64 * mebibyte
const blocksAtOnce = 4

/** Undefined for null and for a transaction not in a block yet. Throws RpcFailure for anything malformed. */
function toReceipt(answer: unknown, expected?: Hash): TransactionReceipt | undefined {
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

/**
 * The transfers in `blocks` by the blocks themselves, not by the node's log index. Whole receipts are safest;
 * for many old blocks their logs by hash suffice, at a hundredth of the bytes.
 *
 * Receipts of a busy block are a megabyte, and payments and refunds are both looked for in them, near the head at two paces:
 * what they say of the watched wallets is left for the other reader, by the block's hash, who takes it once, unless `isFresh`.
 * A reading that failed asks again, so a node's wrong answer ends with the node's error.
 */
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

function logsIn(receipt: TransactionReceipt | undefined, { hash }: Block): RpcLog[] {
  if (receipt?.blockHash !== hash) throw new RpcFailure('behind')
  return receipt.status === 'success' ? receipt.logs : []
}

/**
 * A block whose receipts do not fit into one answer, as a stranger can make it for a dollar, or do not come in time, or are
 * `isBroken`: its transfers from and to the watched wallets by the block's hash. Where these are refused too, or a node whose
 * answer was broken has none, receipt by receipt, of which the watched logs are kept.
 */
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

function transactionsOf({ told: { transactions } }: Block): Hash[] {
  if (!Array.isArray(transactions) || !transactions.every(isHash)) throw bad()
  return transactions
}

/**
 * All logs of a block, as its receipts have them whose hash is the `receiptsRoot` of the header that two tell alike: whoever
 * told them, they are true. Throws RPC_DISAGREE where nobody's receipts are those of the header.
 */
export async function readProven(
  endpoints: readonly Endpoint[],
  number: bigint,
): Promise<{ block: Block; logs: RpcLog[] }> {
  // The root covers neither the hashes of the transactions nor their number: two tell them alike.
  const whole = (block: Block) =>
    lower(`${blockPrint(block)} ${block.told.receiptsRoot} ${block.told.transactions}`)
  const block = await agree(endpoints, (endpoint) => readBlock(endpoint, number), whole)
  if (!block) throw unavailable({}, 0)
  const failures: Record<string, string> = {}
  let told = 0
  for (const endpoint of endpoints)
    try {
      const receipts = await readEncoded(endpoint, block)
      told++
      if ((await rootOf(receipts)) === lower(`${block.told.receiptsRoot}`))
        return { block, logs: logsOf(receipts, block) }
    } catch (error) {
      failures[endpoint.host] = failed(error)
    }
  if (told === 0) throw unavailable(failures, 0)
  throw new RaffleError('RPC_DISAGREE', 'No endpoint tells the receipts of a block.', { height: `${number}` })
}

/** By one answer, or receipt by receipt where that is refused, too large or not whole. */
async function readEncoded(endpoint: Endpoint, block: Block): Promise<unknown[]> {
  const hashes = transactionsOf(block)
  const answer = await endpoint
    .ask('eth_getBlockReceipts', [numberToHex(block.number)], receiptsMaxBytes)
    .catch((error: unknown) => {
      if (!isFailure(error, 'rpc') && !isTooLarge(error)) throw error
    })
  if (Array.isArray(answer) && answer.length === hashes.length) return answer
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  const receipts = await endpoint.askMany(calls, { maxBytes: receiptsMaxBytes })
  if (receipts.includes(null)) throw new RpcFailure('behind')
  return receipts
}

async function rootOf(receipts: readonly unknown[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries())
    await trie.put(toRlp(quantity(numberToHex(index)), 'bytes'), hexToBytes(encoded(receipt)))
  return toHex(trie.root())
}

function encoded(receipt: unknown): Hex {
  const { type = '0x0', status, cumulativeGasUsed, logsBloom, logs } = fieldsOf(receipt)
  if (!isQuantity(type) || !isQuantity(status) || !isQuantity(cumulativeGasUsed) || !isBytes(logsBloom))
    throw bad()
  const fields = toLogs(logs).map(({ address, topics, data }) => [address, topics, data])
  const body = toRlp([quantity(status), quantity(cumulativeGasUsed), logsBloom, fields])
  return Number(type) === 0 ? body : `0x${Number(type).toString(16).padStart(2, '0')}${body.slice(2)}`
}

/** As RLP takes it: whole bytes without leading zeros. */
function quantity(value: Hex): Hex {
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** What the root does not cover follows from the place: of each transaction, and of each log. */
function logsOf(receipts: readonly unknown[], block: Block): RpcLog[] {
  const hashes = transactionsOf(block)
  let count = 0
  return receipts.flatMap((item, index) => {
    const receipt = toReceipt(item, hashes[index])
    const isHere = receipt?.transactionIndex === index
    if (!isHere || receipt.logs.some(({ logIndex }) => Number(logIndex) !== count++)) throw bad()
    return logsIn(receipt, block)
  })
}
