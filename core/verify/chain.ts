import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { findFirstBlock, saysForgotten } from '../chain/first-block.ts'
import { headerHash } from '../chain/seal.ts'
import type { RpcLog } from '../payment/payment.ts'
import type { Rpc } from './steps.ts'

/** `told`: the header as the endpoint answered it, of which only the checked fields are believed. */
export type Header = {
  number: number
  hash: Hash
  timestamp: number
  told: Readonly<Record<string, unknown>>
}
/** The endpoint's answer is malformed, or the endpoint does not know something that must exist. */
export class AnswerError extends Error {
  override name = 'AnswerError'
}

/** The endpoint no longer has data this old: another one may. */
class HistoryError extends AnswerError {
  override name = 'HistoryError'
}

/** Undefined for a height that the chain does not have. Nothing of an answer is believed before its form is. */
async function getHeader(rpc: Rpc, at: number | 'finalized' | 'latest'): Promise<Header | undefined> {
  const answer = await rpc('eth_getBlockByNumber', [typeof at === 'number' ? numberToHex(at) : at, false])
  if (answer === null) return undefined
  const told = fields(answer)
  const [number, timestamp] = [toNumber(told.number), toNumber(told.timestamp)]
  const header = { number, hash: toHash(told.hash), timestamp, told }
  if (typeof at === 'number' && header.number !== at) throw new AnswerError('It answered another block.')
  return header
}

/** False where the header's fields give another hash; true too where the endpoint does not show all of them. */
export const isWhole = ({ hash, told }: Header): boolean => (headerHash(told) ?? hash) === hash

export function toMiner({ told: { miner } }: Header): Address {
  if (!isHex(miner) || miner.length !== 42) throw new AnswerError('It answered a header without its miner.')
  return miner.toLowerCase() as Address
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

/** Logs of one block by its receipts; undefined where the endpoint has none of that block, not even an empty list. */
export async function getBlockLogs(rpc: Rpc, block: number): Promise<RpcLog[] | undefined> {
  const answer = await rpc('eth_getBlockReceipts', [numberToHex(block)])
  return Array.isArray(answer) && answer.length > 0 ? answer.flatMap(logsIn) : undefined
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

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
const isHash = (value: unknown): value is Hash => isHex(value) && value.length === 66

function toHash(value: unknown): Hash {
  if (!isHash(value)) throw new AnswerError('It answered something that is no hash.')
  return value.toLowerCase() as Hash
}

function logsIn(value: unknown): RpcLog[] {
  const { logs } = fields(value)
  if (!Array.isArray(logs)) throw new AnswerError('It answered something that is no receipt.')
  return logs.map(toLog)
}

function toLog(value: unknown): RpcLog {
  const log = fields(value)
  const { address, topics, data } = log
  if (!isHex(address) || !isHex(data) || !Array.isArray(topics) || !topics.every(isHash))
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
