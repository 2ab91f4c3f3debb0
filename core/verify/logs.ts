import type { Address, Hex } from 'viem'
import { bloomBits, hasBits } from '../chain/bloom.ts'
import type { RpcLog } from '../payment/payment.ts'
import {
  AnswerError,
  getBlockReceipts,
  getFinal,
  getLogs,
  HistoryError,
  isWhole,
  mustGetHeader,
} from './chain.ts'
import { lacking, type Rpc, type VerifyResult, type VerifyStep } from './steps.ts'

/** As eth_getLogs takes it: a topic, any (null), or one of several. */
export type LogFilter = { address: Address; topics: (Hex | null | Hex[])[] }
export type Blocks = { from: number; to: number }

/** Logs of all these blocks, by one query or by as few as the endpoint takes; undefined where it does not serve them. */
export async function readAllLogs(
  rpc: Rpc,
  filter: LogFilter,
  { from, to, calls }: Blocks & { calls: number },
): Promise<RpcLog[] | undefined> {
  const found: RpcLog[] = []
  let range = to - from + 1
  let asked = 0
  for (let at = from; at <= to; ) {
    if (range < 1 || asked === calls) return undefined
    asked += 1
    const last = Math.min(at + range - 1, to)
    try {
      found.push(...(await getLogs(rpc, { ...filter, from: at, to: last })))
      at = last + 1
    } catch (error) {
      if (error instanceof AnswerError) throw error
      range = Math.floor(range / 2)
    }
  }
  return found
}

/** Whether the endpoint serves logs at all: those of the newest final block. */
export async function hasNewLogs(rpc: Rpc, filter: LogFilter): Promise<boolean> {
  const { number } = await getFinal(rpc)
  return getLogs(rpc, { ...filter, from: number, to: number }).then(
    () => true,
    () => false,
  )
}

/** The endpoint serves no logs at all, or none this old. */
export const withoutLogs = (step: VerifyStep, hasNew: boolean): VerifyResult =>
  hasNew
    ? lacking(step, 'skipped', 'The endpoint serves no logs this old: try one with an archive.', 'archive')
    : lacking(
        step,
        'skipped',
        'The endpoint serves no logs: try another one, or run the verifier where logs are served.',
        'logs',
      )

const headersAtOnce = 20

/**
 * The same logs without an index of logs: the receipts of those blocks whose bloom filter lets them through.
 * The filter is covered by the block's hash, and each header names the one before it, so none can be left out.
 */
export async function readLogsByBlooms(rpc: Rpc, filter: LogFilter, { from, to }: Blocks): Promise<RpcLog[]> {
  const bits = bitsOf(filter)
  const found: RpcLog[] = []
  let parent: unknown
  for (let at = from; at <= to; at += headersAtOnce) {
    const numbers = Array.from({ length: Math.min(headersAtOnce, to - at + 1) }, (_, i) => at + i)
    const headers = await Promise.all(numbers.map((number) => mustGetHeader(rpc, number)))
    for (const header of headers) {
      const { logsBloom, parentHash } = header.told
      if (typeof logsBloom !== 'string' || logsBloom.length !== 514 || !isWhole(header))
        throw new AnswerError(`It answered a header of block ${header.number} that does not give its hash.`)
      if (parent !== undefined && parentHash !== parent)
        throw new AnswerError(`Block ${header.number} does not follow the block before.`)
      parent = header.hash
      if (bits.every((choices) => choices.some((one) => hasBits(logsBloom, one))))
        found.push(...(await logsOfBlock(rpc, filter, header.number)))
    }
  }
  return found
}

/**
 * False where the block's own bloom filter, which its hash covers, leaves no room for such a log: then no endpoint can have
 * lost it. Nothing else than the header is asked for.
 */
export async function mayHold(rpc: Rpc, filter: LogFilter, block: number): Promise<boolean> {
  const header = await mustGetHeader(rpc, block)
  const { logsBloom } = header.told
  if (typeof logsBloom !== 'string' || logsBloom.length !== 514 || !isWhole(header)) return true
  return bitsOf(filter).every((choices) => choices.some((one) => hasBits(logsBloom as Hex, one)))
}

/** What a filter asks of a bloom filter: for each of its values the bits of each choice. */
const bitsOf = ({ address, topics }: LogFilter): number[][][] =>
  [address, ...topics].flatMap((value) => (value === null ? [] : [[value].flat().map(bloomBits)]))

/** The same logs of one block, by its receipts. */
export async function logsOfBlock(rpc: Rpc, filter: LogFilter, block: number): Promise<RpcLog[]> {
  const receipts = await getBlockReceipts(rpc, block)
  if (!receipts || receipts.length === 0)
    throw new HistoryError(`It does not have the receipts of block ${block}.`)
  return receipts.flatMap(({ logs }) => logs).filter((log) => fits(log, filter))
}

const fits = (log: RpcLog, { address, topics }: LogFilter): boolean =>
  log.address.toLowerCase() === address.toLowerCase() &&
  topics.every((topic, index) => {
    const told = log.topics[index]?.toLowerCase()
    if (told === undefined) return false
    return topic === null || [topic].flat().some((each) => each.toLowerCase() === told)
  })
