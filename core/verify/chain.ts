import { type Address, type Hash, type Hex, numberToHex } from 'viem'
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

/** The endpoint answered something that is no answer, or knows nothing of what must be there. */
export class AnswerError extends Error {
  override name = 'AnswerError'
}

/** The endpoint no longer has what is this old: another one may. */
export class HistoryError extends AnswerError {
  override name = 'HistoryError'
}

/** Undefined for a height that the chain does not have. Nothing of an answer is believed before its form is. */
export async function getHeader(rpc: Rpc, at: number | 'finalized' | 'latest'): Promise<Header | undefined> {
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

/** Newest final block; where an endpoint does not know the word, the one with 240 blocks on top of it. */
export async function getFinal(rpc: Rpc): Promise<Header> {
  const tagged = await getHeader(rpc, 'finalized').catch(() => undefined)
  if (tagged) return tagged
  const latest = await mustGetHeader(rpc, 'latest')
  return mustGetHeader(rpc, Math.max(0, latest.number - confirmations))
}

/**
 * Height of the first block whose time is at least `time`; one above `head` if none is. Goes back from the head
 * in steps that double, then halves: nodes keep the newest blocks alone, so block 0 or the middle of the chain
 * may be gone where the sale is not. Throws HistoryError where the endpoint does not go back far enough.
 */
export async function firstBlockSince(rpc: Rpc, time: number, head: Header): Promise<number> {
  if (head.timestamp < time) return head.number + 1
  // Blocks up to `gone` are not kept there, those up to `before` are older than `time`, `since` is not.
  let gone = -1
  let before = -1
  let since = head.number
  let step = 1
  while (since - Math.max(before, gone) > 1) {
    const isBetween = before >= 0 || gone >= 0
    const at = isBetween ? Math.floor((Math.max(before, gone) + since) / 2) : Math.max(0, since - step)
    step *= 2
    const header = await mustGetHeader(rpc, at).catch((error: unknown) => {
      if (error instanceof HistoryError) return undefined
      throw error
    })
    if (!header) gone = at
    else if (header.timestamp < time) before = at
    else since = at
  }
  if (gone > before) throw new HistoryError(`It does not have block ${gone}.`)
  return since
}

/**
 * The receipt at a place in a block. All receipts of the block where the endpoint serves them, as nodes forget
 * where a hash is after days; else by the hash that stands at that place. Undefined: nothing there, or forgotten.
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

/** As getTransaction, for nodes that have forgotten the hash: looks through the block. */
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

/** How nodes that keep the newest blocks alone refuse an old one; the words differ from program to program. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof HistoryError ||
  /prun|histor|archive|missing trie|(block|header) not found|unknown block/i.test(messageOf(error))

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new AnswerError('It answered something else.')
  return value as Record<string, unknown>
}
