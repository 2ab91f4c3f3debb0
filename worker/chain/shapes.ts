import type { Address, Hash, Hex } from 'viem'
import type { RpcLog } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

export type Header = { number: bigint; hash: Hash; timestamp: number }
/** With the address of the producer, in lower case. */
export type MinedHeader = Header & { miner: Address }
export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hash
  transactionIndex: number
  logs: RpcLog[]
}
/**
 * A header with its parent and the facts for the log check: bloom filter and number of transactions. `told`: all
 * fields as they came, for the hash.
 */
export type Block = Header & {
  parent: Hash
  bloom: Hex
  transactions: number
  told: Readonly<Record<string, unknown>>
}
export type TransactionReceipt = Receipt & { transactionHash: Hash }

type RpcBlock = {
  number: Hex
  hash: Hash
  parentHash: Hash
  timestamp: Hex
  logsBloom: Hex
  transactions: unknown[]
}
type RpcReceipt = {
  transactionHash: Hash
  transactionIndex: Hex
  status: Hex
  blockNumber: Hex
  blockHash: Hash
  logs: RpcLog[]
}

/** Undefined for null (unknown to this endpoint). Throws RpcFailure for a bad block or another height. */
export function toBlock(answer: unknown, expected?: bigint): Block | undefined {
  if (answer === null) return undefined
  const { number, hash, parentHash, timestamp, logsBloom, transactions } = (answer ?? {}) as Partial<RpcBlock>
  if (!isQuantity(number) || !isHash(hash) || !isHash(parentHash) || !isQuantity(timestamp)) throw bad()
  if (!Array.isArray(transactions)) throw bad()
  if (typeof logsBloom !== 'string' || logsBloom.length !== 514) throw bad()
  const height = BigInt(number)
  if (expected !== undefined && height !== expected) throw bad()
  return {
    number: height,
    hash: lower(hash),
    parent: lower(parentHash),
    timestamp: Number(timestamp),
    bloom: logsBloom,
    transactions: transactions.length,
    told: answer as Record<string, unknown>,
  }
}

export const toHeader = ({ number, hash, timestamp }: Header): Header => ({ number, hash, timestamp })

/** Throws RpcFailure where the endpoint does not say who made the block. */
export function toMinedHeader(block: Block): MinedHeader {
  const { miner } = block.told
  if (typeof miner !== 'string' || !/^0x[0-9a-f]{40}$/i.test(miner)) throw bad()
  return { ...toHeader(block), miner: miner.toLowerCase() as Address }
}

/** Undefined for null and for a transaction not in a block yet. Throws RpcFailure for anything malformed. */
export function toReceipt(answer: unknown, expected?: Hash): TransactionReceipt | undefined {
  if (answer === null) return undefined
  const { transactionHash, transactionIndex, status, blockNumber, blockHash, logs } = (answer ??
    {}) as Partial<RpcReceipt>
  if (blockHash === null || blockNumber === null) return undefined
  if (!isHash(transactionHash) || !isHash(blockHash) || !isQuantity(blockNumber)) throw bad()
  if (!isQuantity(transactionIndex)) throw bad()
  if ((status !== '0x1' && status !== '0x0') || !Array.isArray(logs)) throw bad()
  const hash = lower(transactionHash)
  if (expected !== undefined && hash !== expected) throw bad()
  const index = Number(transactionIndex)
  for (const log of toLogs(logs)) {
    if (lower(log.transactionHash) !== hash || lower(log.blockHash) !== lower(blockHash)) throw bad()
    if (Number(log.transactionIndex) !== index || BigInt(log.blockNumber) !== BigInt(blockNumber)) throw bad()
  }
  return {
    transactionHash: hash,
    status: status === '0x1' ? 'success' : 'reverted',
    blockNumber: BigInt(blockNumber),
    blockHash: lower(blockHash),
    transactionIndex: index,
    logs,
  }
}

/**
 * Refuses logs that cannot be of one chain: within a block a later log is never of an earlier transaction, each
 * transaction has one index and each log stands once. Tickets are numbered in this order.
 */
export function expectOrder(logs: readonly RpcLog[]): void {
  const places = logs
    .map((log) => ({
      block: Number(log.blockNumber),
      transaction: Number(log.transactionIndex),
      log: Number(log.logIndex),
      hash: lower(log.transactionHash),
    }))
    .sort((a, b) => a.block - b.block || a.log - b.log)
  for (const [index, place] of places.entries()) {
    const before = places[index - 1]
    if (before?.block !== place.block) continue
    const step = place.transaction - before.transaction
    if (step < 0 || (step === 0) !== (place.hash === before.hash) || place.log === before.log) throw bad()
  }
}

export function toLogs(answer: unknown): RpcLog[] {
  if (!Array.isArray(answer)) throw bad()
  for (const log of answer as (Partial<RpcLog> | null)[]) {
    if (typeof log !== 'object' || log === null) throw bad()
    if (!isHash(log.blockHash) || !isHash(log.transactionHash) || !isQuantity(log.blockNumber)) throw bad()
    if (!isQuantity(log.logIndex) || !isQuantity(log.transactionIndex) || !Array.isArray(log.topics))
      throw bad()
    if (!log.topics.every(isHash) || !isBytes(log.address) || !isBytes(log.data)) throw bad()
  }
  expectOrder(answer as RpcLog[])
  return answer as RpcLog[]
}

const bad = (): RpcFailure => new RpcFailure('body')
const lower = <T extends string>(text: T): T => text.toLowerCase() as T
const isHash = (value: unknown): value is Hash => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
const isBytes = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
export const isQuantity = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)
