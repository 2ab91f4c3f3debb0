import type { Hash, Hex } from 'viem'
import type { RpcLog } from '../../core/payment.ts'
import { RpcFailure } from './failure.ts'

export type Header = { number: bigint; hash: Hash; timestamp: number }
export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hash
  transactionIndex: number
  logs: RpcLog[]
}
/** A header with its parent and the facts for the log check: bloom filter and number of transactions. */
export type Block = Header & { parent: Hash; bloom: Hex; transactions: number }
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
  }
}

export const toHeader = ({ number, hash, timestamp }: Header): Header => ({ number, hash, timestamp })

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
  for (const block of Map.groupBy(logs, (log) => BigInt(log.blockNumber)).values()) {
    const sorted = block.toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))
    for (const [index, log] of sorted.entries()) {
      const before = sorted[index - 1]
      if (!before) continue
      const step = Number(log.transactionIndex) - Number(before.transactionIndex)
      const isSame = lower(log.transactionHash) === lower(before.transactionHash)
      if (step < 0 || (step === 0) !== isSame || Number(log.logIndex) === Number(before.logIndex)) throw bad()
    }
  }
}

export function toLogs(answer: unknown): RpcLog[] {
  if (!Array.isArray(answer)) throw bad()
  for (const log of answer as (Partial<RpcLog> | null)[]) {
    if (typeof log !== 'object' || log === null) throw bad()
    if (!isHash(log.blockHash) || !isHash(log.transactionHash) || !isQuantity(log.blockNumber)) throw bad()
    if (!isQuantity(log.logIndex) || !isQuantity(log.transactionIndex) || !Array.isArray(log.topics))
      throw bad()
    if (typeof log.address !== 'string' || typeof log.data !== 'string') throw bad()
  }
  expectOrder(answer as RpcLog[])
  return answer as RpcLog[]
}

const bad = (): RpcFailure => new RpcFailure('body')
const lower = <T extends string>(text: T): T => text.toLowerCase() as T
const isHash = (value: unknown): value is Hash => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
const isQuantity = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)
