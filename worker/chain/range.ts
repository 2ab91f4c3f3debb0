import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { decodeTransfer, type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import { agree, askUntil, witnesses } from './agree.ts'
import { readBlocks } from './blocks.ts'
import { watchBloom } from './bloom.ts'
import { type Endpoint, shortStep } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import type { Headers } from './headers.ts'
import { askAgain, readLogRange, type Watch } from './logs.ts'
import {
  plainTransfers,
  type TimedAnchor,
  type TimedPaid,
  type TimedTransfer,
  toAnchors,
  toPaid,
} from './outgoing.ts'
import { readProven } from './proven.ts'
import { expectAmong, settle } from './settle.ts'
import { type Block, expectOrder, type Header, toHeader } from './shapes.ts'
import { isMute } from './ways.ts'

/** The payments in final blocks `from` to `end`; `end` is at most the requested block. */
export type Reading = {
  end: Header
  /** Of the block before the first one that was read; near the head, where every header is read. */
  parent?: Hash
  /** Without those that the register made, where outgoing ones were looked for. */
  transfers: TimedTransfer[]
  /** What the register paid by the book that was looked for, from any wallet, in chain order. */
  paid: TimedPaid[]
  /** What any wallet anchored in that book, in chain order. */
  anchors: TimedAnchor[]
  /**
   * The blocks hold a transfer of these wallets in the other direction than was looked for: a hint, told where whole blocks
   * were read, as they are near the head.
   */
  movesElsewhere?: boolean
}
type Step = { from: bigint; to: bigint }
export type Range = {
  from: bigint
  to: bigint
  head: bigint
  /** The endpoints are asked, whatever an earlier reading of these blocks is known to have told. */
  isFresh?: boolean
  /** Is told where a step deep in the past will end before it is asked for: the next one need not wait for it. */
  onBegin?: (end: bigint) => void
}
/** `blocks`: those of the step, where all witnesses read on the same headers. */
type Depth = { isNear: boolean; isFresh: boolean; everyBlock: boolean; blocks?: Promise<Block[]> | undefined }

/**
 * This near to the head (15 minutes) a node may serve a block before its log index holds it, and return too
 * few logs without an error. Every block is then checked against its bloom filter, on each witness.
 */
const nearBlocks = 2_000n
/** Three of them are held at once while a catch-up reads ahead: wider ones need more memory than a worker has. */
const widestStep = 1_000

/**
 * Transfers of one step of a range, equal on two endpoints if two are configured, or proven where they differ. A step is as wide as the
 * first endpoint's log queries, so that a long catch-up is stored, and shown, step by step; it ends where the blocks near
 * the head begin.
 */
export async function readRange(
  endpoints: readonly Endpoint[],
  headers: Headers,
  watch: Watch,
  range: Range,
): Promise<Reading> {
  const asked = Promise.all(endpoints.map((endpoint) => askAgain(endpoint, watch, range.from)))
  // Only a step that would fail without these answers waits for them.
  if (endpoints.filter(({ logs }) => !isMute(logs)).length < witnesses(endpoints)) await asked
  const [able, unable] = [endpoints.filter((e) => !lacksLogs(e)), endpoints.filter(lacksLogs)]
  const ordered = [...able, ...unable]
  const first = ordered[0] as Endpoint
  const width = BigInt(Math.min(first.logs.stepBlocks, stepBlocks(first)))
  const isNear = range.head - range.from < nearBlocks
  const last = isNear ? range.to : smaller(range.to, range.head - nearBlocks)
  const to = smaller(range.from + width - 1n, last)
  const step = { from: range.from, to }
  const { isFresh = false } = range
  // Checked before any request: if too few endpoints can find payments, the others' answers are of no use.
  await askUntil(ordered, witnesses(ordered), findsPayments)
  const blocks = Number(to - range.from) + 1
  const { stepBlocks: wide } = first.logs
  // An endpoint that serves no logs, or has yet to show what it serves, is asked one step at a time.
  if (!isNear && !lacksLogs(first) && first.logs.ranges.hasAnswered) range.onBegin?.(to)
  try {
    // Where one alone serves logs its index is checked by itself, and by what the others' blocks hold.
    const everyBlock = isNear || able.length <= 1
    const shared = everyBlock ? headers.read(ordered, heights(range.from, to)) : undefined
    shared?.catch(() => undefined) // thrown where a witness waits for them
    const depth: Depth = { isNear, isFresh, everyBlock, blocks: shared }
    const told = new Map<Endpoint, Reading>()
    const ask = async (endpoint: Endpoint) => {
      const reading = await readAlone(endpoint, watch, step, depth)
      told.set(endpoint, reading)
      return reading
    }
    const reading = await agree(ordered, ask, fingerprint).catch((error) =>
      settleByReceipts(ordered, watch, told, error),
    )
    // Another step that is read at once may have failed meanwhile: then its width stays.
    if (first.logs.stepBlocks === wide) first.logs.stepBlocks = Math.min(widestStep, wide * 2)
    return reading as Reading
  } catch (error) {
    first.logs.stepBlocks = Math.ceil(blocks / 2)
    throw error
  }
}

async function findsPayments({ logs }: Endpoint): Promise<true> {
  if (isMute(logs)) throw new RpcFailure('no-logs')
  return true
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const lacksLogs = ({ logs }: Endpoint): boolean => logs.ranges.isOff
const stepBlocks = (endpoint: Endpoint): number =>
  lacksLogs(endpoint) ? shortStep : endpoint.logs.rangeBlocks

/**
 * Reads with a single endpoint. Log queries are fast but only as good as the node's index, which may lack a
 * block or a part of it: the bloom filter of each header says whether the block can hold a transfer at all, and
 * every block that can is settled by itself, whatever the query said of it. Deep in the past, two endpoints
 * with the same logs are trusted without a header of every block.
 */
async function readAlone(
  endpoint: Endpoint,
  watch: Watch,
  { from, to }: Step,
  depth: Depth,
): Promise<Reading> {
  const { isNear, isFresh, everyBlock } = depth
  await findsPayments(endpoint)
  // Near the head the filters say whether there is anything to ask for, once it is known that logs are served.
  const isLater = isNear && endpoint.logs.ranges.hasAnswered
  const asking = isLater ? undefined : logsIfServed(endpoint, watch, from, to)
  asking?.catch(() => undefined) // thrown where it is waited for
  if (everyBlock || lacksLogs(endpoint)) {
    const blocks = await (depth.blocks ?? readBlocks(endpoint, heights(from, to)))
    const mayHold = watchBloom(watch)
    const open = blocks.filter(({ bloom }) => mayHold(bloom))
    if (isLater && open.length === 0) return toNearReading(blocks, [], watch)
    const settleBy = (byReceipts: boolean) => settle(endpoint, watch, { blocks: open, byReceipts, isFresh })
    // Near the head somebody waits: the blocks themselves are asked beside the index.
    const settling = isLater ? settleBy(true) : undefined
    settling?.catch(() => undefined) // thrown where it is waited for
    const logs = await (asking ?? logsIfServed(endpoint, watch, from, to))
    const settled = await (settling ?? settleBy(isNear || !logs))
    expectAmong(settled, logs ?? [])
    return isNear ? toNearReading(blocks, settled, watch) : toReading(blocks, settled, watch)
  }
  const logs = await (asking ?? logsIfServed(endpoint, watch, from, to))
  expectWithin(logs ?? [], { from, to })
  if (!logs) return readAlone(endpoint, watch, { from, to }, { ...depth, everyBlock: true })
  const numbers = new Set(logs.map((log) => BigInt(log.blockNumber))).add(to)
  return toReading(await readBlocks(endpoint, [...numbers]), logs, watch)
}

/** Else a step would end behind blocks that were not asked for. */
function expectWithin(logs: readonly RpcLog[], { from, to }: Step): void {
  const isWithin = ({ blockNumber }: RpcLog) => from <= BigInt(blockNumber) && BigInt(blockNumber) <= to
  if (!logs.every(isWithin)) throw new RpcFailure('body')
}

/** Undefined if the endpoint serves no logs. */
async function logsIfServed(endpoint: Endpoint, watch: Watch, from: bigint, to: bigint) {
  try {
    return await readLogRange(endpoint, watch, from, to)
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'no-logs') return undefined
    throw error
  }
}

/** A log counts only if it names the block that this endpoint has at that height. */
function toReading(blocks: readonly Block[], logs: readonly RpcLog[], watch: Watch): Reading {
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  const wallets = new Set<string>(watch.wallets.map((wallet) => wallet.toLowerCase()))
  const tokens = new Set(watch.tokens.map((token) => token.toLowerCase() as Address))
  expectOrder(logs)
  const timed = <T extends Place>(place: T): T & { blockTime: number } => {
    const block = byNumber.get(place.blockNumber)
    if (!block || block.hash !== place.blockHash.toLowerCase()) throw new RpcFailure('body')
    return { ...place, blockTime: block.timestamp }
  }
  const transfers = logs.flatMap((log): TimedTransfer[] => {
    const token = log.address.toLowerCase() as Address
    const transfer = tokens.has(token) ? decodeTransfer(log, token) : undefined
    if (!transfer || !wallets.has(watch.outgoing ? transfer.from : transfer.to)) return []
    return [{ ...timed(transfer), token }]
  })
  const movesElsewhere = logs.some(({ address, topics }) => {
    const party = `0x${topics[watch.outgoing ? 2 : 1]?.slice(26)}`.toLowerCase()
    return topics[0] === transferTopic && tokens.has(address.toLowerCase() as Address) && wallets.has(party)
  })
  const end = toHeader(newest(blocks))
  // Endpoints may tell the same logs in another order.
  transfers.sort(byPlace)
  const reading = { end, movesElsewhere }
  if (!watch.outgoing) return { ...reading, transfers, paid: [], anchors: [] }
  const book = watch.outgoing.book.toLowerCase()
  const paid = toPaid(logs, tokens).map(timed).sort(byPlace)
  const fromWallets = paid.filter(({ wallet }) => wallets.has(wallet))
  return {
    ...reading,
    transfers: plainTransfers(transfers, fromWallets),
    paid: paid.filter((one) => one.book === book),
    anchors: toAnchors(logs, watch.outgoing.book).map(timed).sort(byPlace),
  }
}

type Place = { blockNumber: bigint; blockHash: Hash; logIndex: number }
const byPlace = (a: Place, b: Place): number =>
  Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex

const toNearReading = (blocks: readonly Block[], logs: readonly RpcLog[], watch: Watch): Reading => ({
  ...toReading(blocks, logs, watch),
  parent: (blocks[0] as Block).parent,
})

const fingerprint = (reading: Reading): string =>
  [edgesOf(reading), ...linesOf(reading).map(({ line }) => line)].join('\n')
const edgesOf = ({ end, parent }: Reading): string => `${end.number} ${end.hash} ${end.timestamp} ${parent}`

/** What a reading tells, a line each. */
const linesOf = ({ transfers, paid, anchors }: Reading): { blockNumber: bigint; line: string }[] =>
  [...transfers, ...paid, ...anchors].map((told) => ({
    blockNumber: told.blockNumber,
    line: Object.values(told).join(' '),
  }))

/** More blocks than these are read in shorter steps: each costs all its receipts. */
const mostProven = 20

/**
 * Where two tell one block's logs otherwise, its receipts decide; the rest of what they tell is alike. Throws the error with
 * which they differed where they do not tell the same blocks, or the receipts of a block cannot be had.
 */
async function settleByReceipts(
  endpoints: readonly Endpoint[],
  watch: Watch,
  told: ReadonlyMap<Endpoint, Reading>,
  error: unknown,
): Promise<Reading> {
  const isDifference = error instanceof RaffleError && error.code === 'RPC_DISAGREE'
  const [first] = told.values()
  if (!isDifference || !first || new Set([...told.values()].map(edgesOf)).size > 1) throw error
  const readings = [...told].map(([endpoint, reading]) => ({
    endpoint,
    byBlock: Map.groupBy(linesOf(reading), ({ blockNumber }) => blockNumber),
  }))
  type Told = (typeof readings)[number]['byBlock']
  const printAt = (byBlock: Told, at: bigint) => (byBlock.get(at) ?? []).map(({ line }) => line).join('\n')
  const differing = [...new Set(readings.flatMap(({ byBlock }) => [...byBlock.keys()]))].filter(
    (at) => new Set(readings.map(({ byBlock }) => printAt(byBlock, at))).size > 1,
  )
  if (differing.length === 0 || differing.length > mostProven) throw error
  const isAlike = ({ blockNumber }: { blockNumber: bigint }) => !differing.includes(blockNumber)
  const { transfers, paid, anchors } = first
  const parts: Pick<Reading, 'transfers' | 'paid' | 'anchors'>[] = [
    { transfers: transfers.filter(isAlike), paid: paid.filter(isAlike), anchors: anchors.filter(isAlike) },
  ]
  for (const at of differing) {
    const proven = await readBlockProven(endpoints, watch, at)
    parts.push(proven)
    const print = linesOf(proven)
      .map(({ line }) => line)
      .join('\n')
    for (const { endpoint, byBlock } of readings)
      if (printAt(byBlock, at) !== print) endpoint.seat.setAside({ block: `${at}`, by: 'receiptsRoot' })
  }
  return {
    ...first,
    transfers: parts.flatMap((part) => part.transfers).sort(byPlace),
    paid: parts.flatMap((part) => part.paid).sort(byPlace),
    anchors: parts.flatMap((part) => part.anchors).sort(byPlace),
  }
}

/** One block by its receipts, which the header proves. */
export async function readBlockProven(
  endpoints: readonly Endpoint[],
  watch: Watch,
  number: bigint,
): Promise<Reading> {
  const { block, logs } = await readProven(endpoints, number)
  return toNearReading([block], logs, watch)
}

/** What one endpoint tells by itself. A single one is asked for the blocks, whose receipts need no index. */
export const readByOne = (endpoint: Endpoint, watch: Watch, step: Step, isOnly: boolean): Promise<Reading> =>
  readAlone(endpoint, watch, step, { isNear: isOnly, isFresh: true, everyBlock: isOnly })

function newest(blocks: readonly Block[]): Block {
  return blocks.reduce((a, b) => (b.number > a.number ? b : a))
}

function heights(from: bigint, to: bigint): bigint[] {
  return Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
}
