import type { Address, Hex } from 'viem'
import { bloomBits, hasBits } from '../chain/bloom.ts'
import type { RpcLog } from '../payment/payment.ts'
import { AnswerError, getBlockLogs, getFinal, getLogs, isWhole, mustGetHeader } from './chain.ts'
import { open, type Rpc, type VerifyResult, type VerifyStep } from './steps.ts'

/** As eth_getLogs takes it: a topic, any (null), or one of several. */
export type LogFilter = { address: Address; topics: (Hex | null | Hex[])[] }
export type LogRange = { from: number; to: number; logs: RpcLog[] }

/** The endpoint refuses the logs of a single block. */
export class NoLogsError extends Error {
  override name = 'NoLogsError'
}

const widest = 5_000

/**
 * Logs of all these blocks, oldest first, by ranges that are halved until the endpoint answers; goes on where a range was refused.
 * Throws NoLogsError, and AnswerError for logs that were not asked for.
 */
export async function* readLogs(
  rpc: Rpc,
  filter: LogFilter,
  { from, to }: { from: number; to: number },
): AsyncGenerator<LogRange> {
  let width = widest
  for (let at = from; at <= to; ) {
    const last = Math.min(at + width - 1, to)
    try {
      const logs = await getLogs(rpc, { ...filter, from: at, to: last })
      for (const log of logs) {
        const block = Number(log.blockNumber)
        if (block < at || block > last || !fits(log, filter))
          throw new AnswerError('It answered logs that were not asked for.')
      }
      yield { from: at, to: last, logs }
      at = last + 1
    } catch (error) {
      if (error instanceof AnswerError) throw error
      if (last === at) throw new NoLogsError()
      width = Math.floor((last - at + 1) / 2)
    }
  }
}

/** What is said where logs are refused: the endpoint serves none at all, or none this old. */
export async function withoutLogs(rpc: Rpc, step: VerifyStep, filter: LogFilter): Promise<VerifyResult> {
  const { number } = await getFinal(rpc)
  return getLogs(rpc, { ...filter, from: number, to: number }).then(
    () => open(step, 'noOldLogs', {}),
    () => open(step, 'noLogs', {}),
  )
}

/**
 * Some endpoints answer no logs where they have lost them, as if there had been none. Whether a log that they do not tell may
 * stand in this block all the same: by the block's receipts, else by the bloom filter that its hash covers.
 */
export async function mayBeLeftOut(
  rpc: Rpc,
  filter: LogFilter,
  block: number,
  isIt: (log: RpcLog) => boolean,
): Promise<boolean> {
  const logs = await getBlockLogs(rpc, block).catch(() => undefined)
  if (logs) return logs.some((log) => fits(log, filter) && isIt(log))
  const header = await mustGetHeader(rpc, block)
  const { logsBloom } = header.told
  if (typeof logsBloom !== 'string' || logsBloom.length !== 514 || !isWhole(header)) return true
  return [filter.address, ...filter.topics].every(
    (value) => value === null || [value].flat().some((one) => hasBits(logsBloom as Hex, bloomBits(one))),
  )
}

const fits = (log: RpcLog, { address, topics }: LogFilter): boolean =>
  log.address.toLowerCase() === address.toLowerCase() &&
  topics.every((topic, index) => {
    const told = log.topics[index]?.toLowerCase()
    if (told === undefined) return false
    return topic === null || [topic].flat().some((each) => each.toLowerCase() === told)
  })
