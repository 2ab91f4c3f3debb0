import { type Address, type Hex, numberToHex, pad } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchor.ts'
import { type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import { mapLimit } from '../../core/server/concurrency.ts'
import { readBlocks } from './blocks.ts'
import { type Endpoint, firstRange, shortStep } from './endpoint.ts'
import { isTooLarge, RpcFailure } from './failure.ts'
import { type Block, toLogs, toReceipt } from './shapes.ts'
import { noteAnswer, noteRefusal, takeDue } from './ways.ts'

/**
 * Transfers to look for: of `tokens`, to any of `wallets`, or with `outgoing` from any of them, and what the register tells of
 * this book: payments, also of another one from these wallets, and anchors.
 */
export type Watch = {
  tokens: readonly Address[]
  wallets: readonly Address[]
  outgoing?: { book: Hex }
}

const logsMaxBytes = 16 * 1_048_576
const widestRange = 2_000
const methodNotFound = -32601
const blocksAtOnce = 4

/**
 * Logs of blocks `from` to `to`, both included, in as many queries as the endpoint needs: a refused range is
 * halved, an answered one grows. Throws RpcFailure `no-logs` if not even one block is answered: the caller
 * then reads these blocks another way, and all blocks once log queries are off.
 */
export async function readLogRange(
  endpoint: Endpoint,
  watch: Watch,
  from: bigint,
  to: bigint,
): Promise<RpcLog[]> {
  const { logs } = endpoint
  if (logs.ranges.isOff) throw new RpcFailure('no-logs')
  const found: RpcLog[] = []
  for (let at = from; at <= to; ) {
    const span = Math.min(logs.rangeBlocks, Number(to - at) + 1)
    const end = at + BigInt(span - 1)
    try {
      const range = { fromBlock: numberToHex(at), toBlock: numberToHex(end) }
      for (const log of await queryLogs(endpoint, watch, range)) found.push(log)
      noteAnswer(logs.ranges)
      if (span === logs.rangeBlocks) logs.rangeBlocks = Math.min(widestRange, span * 2)
      at = end + 1n
    } catch (error) {
      narrow(endpoint, error, span)
    }
  }
  return found
}

/** Some endpoints answer so where an answer would be too large; it can also mean an outage. */
const isTrouble = (error: unknown): boolean =>
  error instanceof RpcFailure &&
  (error.kind === 'timeout' || (error.kind === 'http' && Number(error.code) >= 500))

/** Halves a refused range until not even one block is left; rethrows failures that halving cannot fix. */
function narrow({ logs }: Endpoint, error: unknown, span: number): void {
  if (!(error instanceof RpcFailure)) throw error
  const mayBeTrouble = isTrouble(error)
  if (!mayBeTrouble && !['rpc', 'too-large'].includes(error.kind)) throw error
  if (error.says(/(block|header) not found|unknown block|ahead of|beyond|invalid block range params/i))
    throw new RpcFailure('behind')
  if (error.says(saysForgotten)) throw new RpcFailure('pruned')
  if (!mayBeTrouble) noteRefusal(logs, logs.ranges, error)
  if (span > 1 && error.code !== methodNotFound) {
    logs.rangeBlocks = Math.floor(span / 2)
    return
  }
  if (mayBeTrouble) throw error
  logs.rangeBlocks = logs.ranges.isOff ? firstRange : shortStep
  throw new RpcFailure('no-logs')
}

/** Probes each disabled method, when it is due, with a single request. */
export async function askAgain(endpoint: Endpoint, watch: Watch, number: bigint): Promise<void> {
  const block = numberToHex(number)
  const questions = {
    ranges: () => queryLogs(endpoint, watch, { fromBlock: block, toBlock: block }),
    receipts: () => endpoint.ask('eth_getBlockReceipts', [block], logsMaxBytes),
  }
  await Promise.all(
    takeDue(endpoint.logs).map((name) =>
      questions[name]().then(
        (answer) => Array.isArray(answer) && noteAnswer(endpoint.logs[name]),
        () => undefined,
      ),
    ),
  )
}

/** Logs of single blocks by hash, which bypasses the node's log index, as that may be incomplete. */
export async function readLogsOfBlocks(
  endpoint: Endpoint,
  filters: readonly Filter[],
  blocks: readonly Block[],
): Promise<RpcLog[]> {
  const questions = blocks.flatMap(({ hash }) => filters.map((filter) => ({ ...filter, blockHash: hash })))
  const answers = await endpoint.askMany(
    questions.map((question) => ({ method: 'eth_getLogs', params: [question] })),
  )
  return eachOnce(answers.flatMap(toLogs))
}

/**
 * Logs of whole blocks from their receipts. Checks that there is one receipt per transaction, all of the same
 * block. A block whose receipts are too large for an answer, or do not come in time, is left to `readLarge`. Throws RpcFailure `no-logs` if the
 * endpoint does not serve block receipts.
 */
export async function readReceiptsOfBlocks(
  endpoint: Endpoint,
  blocks: readonly Block[],
  readLarge: (block: Block) => Promise<RpcLog[]>,
): Promise<RpcLog[]> {
  const { logs } = endpoint
  if (logs.receipts.isOff) throw new RpcFailure('no-logs')
  try {
    const read = (block: Block) =>
      readReceiptsOfBlock(endpoint, block).catch((error: unknown) => {
        if (isTooLarge(error) || isTrouble(error)) return readLarge(block)
        throw error
      })
    return (await mapLimit(blocks, blocksAtOnce, read)).flat()
  } catch (error) {
    if (!(error instanceof RpcFailure) || error.kind !== 'rpc') throw error
    if (error.says(saysForgotten)) throw new RpcFailure('pruned')
    noteRefusal(logs, logs.receipts, error)
    throw logs.receipts.isOff ? new RpcFailure('no-logs') : error
  }
}

async function readReceiptsOfBlock(endpoint: Endpoint, block: Block): Promise<RpcLog[]> {
  const answer = await endpoint.ask('eth_getBlockReceipts', [numberToHex(block.number)], logsMaxBytes)
  if (!Array.isArray(answer)) throw new RpcFailure('behind')
  noteAnswer(endpoint.logs.receipts)
  // The header may be another endpoint's, and its hash says nothing of the number of transactions.
  if (answer.length !== block.transactions) {
    const [own] = await readBlocks(endpoint, [block.number])
    if (own?.hash !== block.hash || answer.length !== own.transactions) throw new RpcFailure('body')
  }
  return answer.flatMap((item) => {
    const receipt = toReceipt(item)
    if (receipt?.blockHash !== block.hash) throw new RpcFailure('body')
    return receipt.status === 'success' ? receipt.logs : []
  })
}

async function queryLogs(
  endpoint: Endpoint,
  watch: Watch,
  range: { fromBlock: Hex; toBlock: Hex },
): Promise<RpcLog[]> {
  const ask = async (filter: Filter) =>
    toLogs(await endpoint.ask('eth_getLogs', [{ ...filter, ...range }], logsMaxBytes))
  const [first, ...others] = filtersOf(watch) as [Filter, ...Filter[]]
  const logs = await ask(first)
  // Where no money left a wallet, none left it by another book.
  const isMoved = logs.some(({ topics }) => topics[0] === transferTopic)
  const asked = others.filter(({ topics }) => isMoved || topics[0] !== paidTopic)
  return asked.length === 0 ? logs : eachOnce([...logs, ...(await Promise.all(asked.map(ask))).flat()])
}

export type Filter = { address: Address | readonly Address[]; topics: readonly unknown[] }

export function filtersOf({ tokens, wallets, outgoing }: Watch): Filter[] {
  const parties = wallets.map((wallet) => pad(wallet))
  if (!outgoing) return [{ address: tokens, topics: [transferTopic, null, parties] }]
  return [
    {
      address: [...tokens, register.address],
      topics: [
        [transferTopic, paidTopic],
        [...parties, outgoing.book],
      ],
    },
    { address: register.address, topics: [paidTopic, null, null, parties] },
    { address: register.address, topics: [anchoredTopic, null, outgoing.book] },
  ]
}

/** For whoever looks for transfers of these wallets in either direction, by any book. */
export function allFiltersOf(watch: Watch): Filter[] {
  const parties = watch.wallets.map((wallet) => pad(wallet))
  return [
    { address: watch.tokens, topics: [transferTopic, null, parties] },
    { address: watch.tokens, topics: [transferTopic, parties] },
    { address: register.address, topics: [[paidTopic, anchoredTopic]] },
  ]
}

/** Two filters may find the same log. */
const eachOnce = (logs: readonly RpcLog[]): RpcLog[] => [
  ...new Map(logs.map((log) => [`${log.blockHash} ${Number(log.logIndex)}`, log])).values(),
]
