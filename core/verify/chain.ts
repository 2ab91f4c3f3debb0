import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { findFirstBlock, saysForgotten } from '../chain/first-block.ts'
import { headerHash } from '../chain/seal.ts'
import type { Proof, ProofBlock } from '../draw/proof.ts'
import type { RpcLog } from '../payment/payment.ts'
import { failed, open, passed, type Rpc, type VerifyResult, type VerifyStep } from './steps.ts'

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

function toMiner({ told: { miner } }: Header): Address {
  if (!isHex(miner) || miner.length !== 42) throw new AnswerError('It answered a header without its miner.')
  return miner.toLowerCase() as Address
}

export async function mustGetHeader(rpc: Rpc, at: number | 'latest'): Promise<Header> {
  const header = await getHeader(rpc, at)
  if (header) return header
  throw typeof at === 'number' ? forgotten(at) : new AnswerError('It has no block.')
}

/** In the words by which `isForgotten` knows it. */
const forgotten = (at: number) => new AnswerError(`Block not found: ${at}.`)

const confirmations = 240

/** Newest final block; if the endpoint does not know the `finalized` tag, the block 240 below the head. */
export async function getFinal(rpc: Rpc): Promise<Header> {
  const tagged = await getHeader(rpc, 'finalized').catch(() => undefined)
  if (tagged) return tagged
  const latest = await mustGetHeader(rpc, 'latest')
  return mustGetHeader(rpc, Math.max(0, latest.number - confirmations))
}

/** As findFirstBlock, by this endpoint. */
export async function firstBlockSince(rpc: Rpc, time: number, head: Header): Promise<number> {
  const read = (number: number) =>
    mustGetHeader(rpc, number).catch((error: unknown) => {
      if (isForgotten(error)) return undefined
      throw error
    })
  const found = await findFirstBlock(read, { time, head })
  if ('missing' in found) throw forgotten(found.missing)
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

function toNumber(value: unknown): number {
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

/** The endpoint no longer has data this old: another one may. */
export const isForgotten = (error: unknown): boolean => saysForgotten(messageOf(error))

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new AnswerError('It answered something else.')
  return value as Record<string, unknown>
}

/** `drawBlock`: null for an event that was not drawn. */
export async function checkChain(
  rpc: Rpc,
  { chainId, drawBlock }: { chainId: number; drawBlock: number | null },
): Promise<VerifyResult> {
  const chain = toNumber(await rpc('eth_chainId', []))
  // Whoever asks a wrong node, or one that lags, has not caught anybody.
  if (chain !== chainId) return open('chain', 'otherChain', { expected: chainId, actual: chain })
  const { number: final } = await getFinal(rpc)
  if (drawBlock !== null && final < drawBlock)
    return open('chain', 'drawNotFinal', { block: drawBlock, final })
  return passed('chain', 'chainRight', { chain, block: final })
}

/** Block times never fall, so two neighbours prove which block is the first at or after the draw date. */
export async function checkDrawBlock(rpc: Rpc, proof: Proof, drawDate: number): Promise<VerifyResult> {
  const { number: block } = drawBlockOf(proof)
  const [before, found] = await Promise.all([mustGetHeader(rpc, block - 1), mustGetHeader(rpc, block)])
  if (before.timestamp >= drawDate) return failed('draw-block', 'drawBlockEarlier', { block })
  if (found.timestamp < drawDate) return failed('draw-block', 'drawBlockLater', { block })
  return passed('draw-block', 'drawBlockRight', { block, before: drawDate - before.timestamp })
}

/** By hash, time and miner. Throws AnswerError where the header's fields give another hash than the endpoint tells. */
export async function problemOfBlock(rpc: Rpc, step: VerifyStep, block: ProofBlock, miner?: string) {
  const { number } = block
  const header = await mustGetHeader(rpc, number)
  const differ = (field: string, expected: unknown, actual: unknown) =>
    failed(step, 'otherBlock', { block: number, field, expected: `${expected}`, actual: `${actual}` })
  if (header.hash !== block.hash) return differ('hash', header.hash, block.hash)
  if (header.timestamp !== block.timestamp) return differ('timestamp', header.timestamp, block.timestamp)
  if (!isWhole(header))
    throw new AnswerError(
      `The fields of block ${number} do not give its hash, or a fork has added some that are not known here.`,
    )
  const made = miner === undefined ? undefined : toMiner(header)
  return made === miner ? undefined : differ('miner', made, miner)
}

export async function checkBlocks(rpc: Rpc, proof: Proof): Promise<VerifyResult> {
  const { blocks, miners } = proof
  const problems = await Promise.allSettled(
    blocks.map((block, index) => problemOfBlock(rpc, 'blocks', block, miners[index])),
  )
  // One that is found counts although a later block was not answered.
  for (const told of problems) {
    if (told.status === 'rejected') throw told.reason
    if (told.value) return told.value
  }
  const [first, last] = [blocks[0]?.number as number, drawBlockOf(proof).number]
  return passed('blocks', 'blocksRight', { first, last, miners: new Set(miners).size })
}

/** D, the newest of the five. */
export const drawBlockOf = (proof: Proof): ProofBlock => proof.blocks.at(-1) as ProofBlock
