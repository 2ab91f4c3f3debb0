import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { findFirstBlock, saysForgotten } from '../first-block.ts'
import type { RpcLog } from '../payment.ts'
import type { Rpc } from './steps.ts'

export type Header = { number: number; hash: Hash; timestamp: number }
export type MinedReceipt = {
  transactionHash: Hash
  isSuccess: boolean
  transactionIndex: number
  logs: RpcLog[]
}
export type MinedTransaction = {
  from: Address
  to: Address | null
  input: Hex
  blockNumber: number
  transactionIndex: number
}

/** The endpoint's answer is malformed, or the endpoint does not know something that must exist. */
export class AnswerError extends Error {
  override name = 'AnswerError'
}

/** The endpoint no longer has data this old: another one may. */
export class HistoryError extends AnswerError {
  override name = 'HistoryError'
}

/** Undefined for a height that the chain does not have. Nothing of an answer is believed before its form is. */
async function getHeader(rpc: Rpc, at: number | 'finalized' | 'latest'): Promise<Header | undefined> {
  const answer = await rpc('eth_getBlockByNumber', [typeof at === 'number' ? numberToHex(at) : at, false])
  if (answer === null) return undefined
  const { number, hash, timestamp } = fields(answer)
  const header = { number: toNumber(number), hash: toHash(hash), timestamp: toNumber(timestamp) }
  if (typeof at === 'number' && header.number !== at) throw new AnswerError('It answered another block.')
  return header
}

export async function mustGetHeader(rpc: Rpc, at: number | 'latest'): Promise<Header> {
  const header = await getHeader(rpc, at).catch((error: unknown) => {
    throw typeof at === 'number' && isForgotten(error) ? new HistoryError(messageOf(error)) : error
  })
  if (header) return header
  throw typeof at === 'number'
    ? new HistoryError(`It does not have block ${at}.`)
    : new AnswerError('It has no block.')
}

const confirmations = 240

/** Newest final block; if the endpoint does not know the `finalized` tag, the block 240 below the head. */
export async function getFinal(rpc: Rpc): Promise<Header> {
  const tagged = await getHeader(rpc, 'finalized').catch(() => undefined)
  if (tagged) return tagged
  const latest = await mustGetHeader(rpc, 'latest')
  return mustGetHeader(rpc, Math.max(0, latest.number - confirmations))
}

/** As findFirstBlock, by this endpoint. Throws HistoryError if it lacks the blocks. */
export async function firstBlockSince(rpc: Rpc, time: number, head: Header): Promise<number> {
  const read = (number: number) =>
    mustGetHeader(rpc, number).catch((error: unknown) => {
      if (error instanceof HistoryError) return undefined
      throw error
    })
  const found = await findFirstBlock(read, { time, head })
  if ('missing' in found) throw new HistoryError(`It does not have block ${found.missing}.`)
  return found.height
}

/**
 * The receipt at an index of a block. Reads all receipts of the block if the endpoint serves them, as nodes
 * drop their index of hashes after days; else by the hash at that index. Undefined: none, or dropped.
 */
export async function getReceiptAt(
  rpc: Rpc,
  block: number,
  index: number,
): Promise<MinedReceipt | undefined> {
  const answer = await rpc('eth_getBlockReceipts', [numberToHex(block)]).catch(() => undefined)
  if (Array.isArray(answer)) {
    const receipt = answer.map(toReceipt).find(({ transactionIndex }) => transactionIndex === index)
    if (receipt) return receipt
    if (answer.length > 0) return undefined
  }
  const transaction = await rpc('eth_getTransactionByBlockNumberAndIndex', [
    numberToHex(block),
    numberToHex(index),
  ])
  if (transaction === null) return undefined
  const receipt = await rpc('eth_getTransactionReceipt', [toHash(fields(transaction).hash)])
  if (receipt === null) throw new HistoryError('It no longer has the receipt.')
  return toReceipt(receipt)
}

export async function getTransaction(rpc: Rpc, hash: Hash): Promise<MinedTransaction | undefined> {
  const answer = await rpc('eth_getTransactionByHash', [hash])
  return answer === null ? undefined : toTransaction(answer)
}

/** As getTransaction, for nodes that no longer know the hash: searches the block. */
export async function findTransaction(
  rpc: Rpc,
  hash: Hash,
  block: number,
): Promise<MinedTransaction | undefined> {
  const answer = await rpc('eth_getBlockByNumber', [numberToHex(block), true])
  const transactions = fields(answer ?? {}).transactions
  if (!Array.isArray(transactions)) throw new AnswerError(`It does not have block ${block}.`)
  const found = transactions.find((each) => String(fields(each).hash).toLowerCase() === hash)
  return found === undefined ? undefined : toTransaction(found)
}

export async function getLogs(
  rpc: Rpc,
  filter: { address: Address; topics: unknown[]; from: number; to: number },
) {
  const { address, topics, from, to } = filter
  const answer = await rpc('eth_getLogs', [
    { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) },
  ])
  if (!Array.isArray(answer)) throw new AnswerError('It answered no logs.')
  return answer.map(toLog)
}

export function toNumber(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new AnswerError('It answered something that is no number.')
  return number
}

function toHash(value: unknown): Hash {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value))
    throw new AnswerError('It answered something that is no hash.')
  return value.toLowerCase() as Hash
}

function toReceipt(value: unknown): MinedReceipt {
  const { transactionHash, status, transactionIndex, logs } = fields(value)
  if (!Array.isArray(logs)) throw new AnswerError('It answered something that is no receipt.')
  return {
    transactionHash: toHash(transactionHash),
    isSuccess: status === '0x1',
    transactionIndex: toNumber(transactionIndex),
    logs: logs.map(toLog),
  }
}

function toTransaction(value: unknown): MinedTransaction | undefined {
  const { from, to, input, blockNumber, transactionIndex } = fields(value)
  if (blockNumber === null) return undefined
  if (typeof from !== 'string' || typeof input !== 'string')
    throw new AnswerError('It answered something that is no transaction.')
  return {
    from: from.toLowerCase() as Address,
    to: typeof to === 'string' ? (to.toLowerCase() as Address) : null,
    input: input.toLowerCase() as Hex,
    blockNumber: toNumber(blockNumber),
    transactionIndex: toNumber(transactionIndex),
  }
}

function toLog(value: unknown): RpcLog {
  const log = fields(value)
  const { address, topics, data } = log
  if (typeof address !== 'string' || typeof data !== 'string' || !Array.isArray(topics))
    throw new AnswerError('It answered something that is no log.')
  toNumber(log.blockNumber)
  toNumber(log.transactionIndex)
  toNumber(log.logIndex)
  toHash(log.transactionHash)
  return log as RpcLog
}

export const isForgotten = (error: unknown): boolean =>
  error instanceof HistoryError || saysForgotten(messageOf(error))

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new AnswerError('It answered something else.')
  return value as Record<string, unknown>
}
