import { decodeTransfer, type RpcLog, type Transfer } from '../../core/payment/payment.ts'
import { failed, unavailable } from './agree.ts'
import { readBlocks } from './blocks.ts'
import { watchBloom } from './bloom.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { readLogRange, type Watch } from './logs.ts'
import { heights } from './range.ts'
import { settle } from './settle.ts'

/** What one endpoint tells, in its own way: no other has confirmed it. */
export type SecondReading = { host: string; transfers: Transfer[] }
type Range = { from: bigint; to: bigint }
type Way = (endpoint: Endpoint, watch: Watch, range: Range) => Promise<readonly RpcLog[]>

/**
 * The first reading asks the first endpoints, and near the head by receipts. The second asks the last endpoint
 * first, for logs of wide ranges, and by receipts where it serves none. A single endpoint is asked for the
 * receipts first: they need no index. Throws as a reading does if no way is answered.
 */
export async function* readAgain(
  endpoints: readonly Endpoint[],
  watch: Watch,
  range: Range,
): AsyncGenerator<SecondReading> {
  const failures: Record<string, string> = {}
  let told = 0
  for (const [endpoint, way] of waysOf(endpoints)) {
    const logs = await way(endpoint, watch, range).catch((error: unknown) => {
      failures[`${endpoint.host} ${way.name}`] = failed(error)
      return undefined
    })
    if (!logs) continue
    told++
    yield { host: endpoint.host, transfers: toTransfers(logs, watch) }
  }
  if (told === 0) throw unavailable(failures, told)
}

function waysOf(endpoints: readonly Endpoint[]): (readonly [Endpoint, Way])[] {
  const reversed = [...endpoints].reverse()
  const each = (way: Way) => reversed.map((endpoint) => [endpoint, way] as const)
  return endpoints.length === 1
    ? [...each(receipts), ...each(logs)]
    : [...each(logsOrReceipts), ...each(receipts)]
}

const logs: Way = async (endpoint, watch, { from, to }) => {
  const told = await readLogRange(endpoint, watch, from, to)
  const isWithin = ({ blockNumber }: RpcLog) => from <= BigInt(blockNumber) && BigInt(blockNumber) <= to
  if (!told.every(isWithin)) throw new RpcFailure('body')
  return told
}

/** An endpoint without logs goes before the only one with them, which the first reading has believed. */
const logsOrReceipts: Way = (endpoint, watch, range) =>
  logs(endpoint, watch, range).catch((error: unknown) => {
    if (error instanceof RpcFailure && error.kind === 'no-logs') return receipts(endpoint, watch, range)
    throw error
  })

const receipts: Way = async (endpoint, watch, { from, to }) => {
  const mayHold = watchBloom(watch)
  const blocks = await readBlocks(endpoint, heights(from, to))
  const open = blocks.filter(({ bloom }) => mayHold(bloom))
  return settle(endpoint, watch, { blocks: open, byReceipts: true, isFresh: true })
}

function toTransfers(logs: readonly RpcLog[], { tokens, wallets }: Watch): Transfer[] {
  const ours = new Set<string>(wallets.map((wallet) => wallet.toLowerCase()))
  return logs.flatMap((log) =>
    tokens.flatMap((token) => {
      const transfer = decodeTransfer(log, token)
      return transfer && ours.has(transfer.to) ? transfer : []
    }),
  )
}
