import { createMPT } from '@ethereumjs/mpt'
import { type Hex, hexToBytes, numberToHex, toHex, toRlp } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RpcLog } from '../../core/payment/payment.ts'
import { agree, askUntil, failed, unavailable, witnesses } from './agree.ts'
import { type Endpoint, shortStep } from './endpoint.ts'
import {
  type Block,
  bad,
  blockPrint,
  fieldsOf,
  isQuantity,
  lower,
  type openHeaders,
  readBlock,
  readBlocks,
} from './headers.ts'
import {
  askAgain,
  byPlace,
  isBytes,
  type Reading,
  readLogRange,
  toLogs,
  toReading,
  type Watch,
  watchBloom,
} from './logs.ts'
import { expectAmong, logsIn, settle, toReceipt, transactionsOf } from './receipts.ts'
import { isFailure, isTooLarge, mebibyte, RpcFailure } from './transport.ts'

type Step = { from: bigint; to: bigint }
export type Range = Step & {
  head: bigint
  /** Is told where a step deep in the past will end before it is asked for: the next one need not wait for it. */
  onBegin?: (end: bigint) => void
}
/** `near` the head and `each` look at every header, `ranges` trusts two indexes that tell the same.
 * `isFresh`: what was read before does not count. */
type Depth = { by: 'near' | 'each' | 'ranges'; blocks?: Promise<Block[]> | undefined; isFresh?: boolean }

/** This near to the head (15 minutes) a node may serve a block before its log index holds it, without an error. */
const nearBlocks = 2_000n
/** Three of them are held at once while a catch-up reads ahead: wider ones need more memory than a worker has. */
const widestStep = 1_000

/** One step, equal on two endpoints or proven where they differ: as wide as the first one's log queries, so
 * that a long catch-up is stored, and shown, step by step. */
export async function readRange(
  endpoints: readonly Endpoint[],
  readHeaders: ReturnType<typeof openHeaders>['read'],
  watch: Watch,
  { from, to: wanted, head, onBegin }: Range,
): Promise<Reading> {
  const asked = Promise.all(endpoints.map((endpoint) => askAgain(endpoint, watch, from)))
  // Only a step that would fail without these answers waits for them.
  if (endpoints.filter(({ logs }) => !logs.isMute()).length < witnesses(endpoints)) await asked
  const [able, unable] = [endpoints.filter((e) => !lacksLogs(e)), endpoints.filter(lacksLogs)]
  const ordered = [...able, ...unable]
  const [first] = ordered
  // Checked before any request: if too few endpoints can find payments, the others' answers are of no use.
  await askUntil(ordered, witnesses(ordered), findsPayments)
  if (!first) throw new Error('No endpoint is configured.')
  const { stepBlocks: wide, rangeBlocks } = first.logs
  const width = BigInt(Math.min(wide, lacksLogs(first) ? shortStep : rangeBlocks))
  const isNear = head - from < nearBlocks
  const to = [from + width - 1n, wanted, ...(isNear ? [] : [head - nearBlocks])].reduce((a, b) =>
    a < b ? a : b,
  )
  const step = { from, to }
  // An endpoint that serves no logs, or has yet to show what it serves, is asked one step at a time.
  if (!isNear && !lacksLogs(first) && first.logs.ranges.hasAnswered) onBegin?.(to)
  try {
    // Where one alone serves logs its index is checked by itself, and by what the others' blocks hold.
    const by = isNear ? 'near' : able.length <= 1 ? 'each' : 'ranges'
    const blocks = by === 'ranges' ? undefined : readHeaders(ordered, heights(step))
    blocks?.catch(() => undefined) // thrown where a witness waits for them
    const told = new Map<Endpoint, Reading>()
    const ask = async (endpoint: Endpoint) => {
      const reading = await readAlone(endpoint, watch, step, { by, blocks }).catch((error) => {
        if (isFailure(error, 'contradiction'))
          endpoint.blame('contradiction', { method: 'logs', block: `${from}` })
        throw error
      })
      told.set(endpoint, reading)
      return reading
    }
    const reading = await agree(ordered, ask, fingerprint).catch((error) =>
      settleByReceipts(ordered, watch, told, error),
    )
    if (!reading) throw new Error('A reading is never missing.')
    // Another step that is read at once may have failed meanwhile: then its width stays.
    if (first.logs.stepBlocks === wide) first.logs.stepBlocks = Math.min(widestStep, wide * 2)
    return reading
  } catch (error) {
    first.logs.stepBlocks = Math.ceil((Number(to - from) + 1) / 2)
    throw error
  }
}

async function findsPayments({ logs }: Endpoint): Promise<true> {
  if (logs.isMute()) throw new RpcFailure('no-logs')
  return true
}

const lacksLogs = ({ logs }: Endpoint): boolean => logs.ranges.isOff

/** Log queries are only as good as the node's index: every block whose bloom filter does not rule it out is
 * settled by itself, whatever the query said of it. Near the head, once it is known that logs are served, only whoever
 * reads again asks the index too: what its blocks hold is more. */
async function readAlone(endpoint: Endpoint, watch: Watch, step: Step, depth: Depth): Promise<Reading> {
  await findsPayments(endpoint)
  const isNear = depth.by === 'near'
  const isAsked = !isNear || depth.isFresh || !endpoint.logs.ranges.hasAnswered
  const asking = isAsked ? readLogRange(endpoint, watch, step) : undefined
  asking?.catch(() => undefined) // thrown where it is waited for
  if (depth.by === 'ranges') {
    const logs = await asking
    if (!logs) return readAlone(endpoint, watch, step, { ...depth, by: 'each' })
    expectWithin(logs, step)
    const numbers = new Set(logs.map((log) => Number(log.blockNumber))).add(Number(step.to))
    return toReading(await readBlocks(endpoint, [...numbers].map(BigInt)), logs, watch)
  }
  const blocks = await (depth.blocks ?? readBlocks(endpoint, heights(step)))
  const logs = await asking
  const byReceipts = isNear || !logs
  const open = blocks.filter(watchBloom(watch))
  const settled = await settle(endpoint, watch, open, { byReceipts, isFresh: depth.isFresh })
  expectAmong(settled, logs ?? [])
  const reading = toReading(blocks, settled, watch)
  return isNear ? { ...reading, parent: blocks[0]?.parent } : reading
}

/** Else a step would end behind blocks that were not asked for. */
function expectWithin(logs: readonly RpcLog[], { from, to }: Step): void {
  const [first, last] = [Number(from), Number(to)]
  const isWithin = ({ blockNumber }: RpcLog) => first <= Number(blockNumber) && Number(blockNumber) <= last
  if (!logs.every(isWithin)) throw bad()
}

const fingerprint = (reading: Reading): string => `${edgesOf(reading)}\n${printOf(linesOf(reading))}`
const edgesOf = ({ end, parent }: Reading): string => `${end.number} ${end.hash} ${end.timestamp} ${parent}`

type Line = { blockNumber: bigint; line: string }
/** What a reading tells, a line each. Of transfers there may be many. */
const linesOf = ({ transfers, paid, anchors }: Reading): Line[] => [
  ...transfers.map((one) => ({
    blockNumber: one.blockNumber,
    line: `${one.blockNumber} ${one.blockHash} ${one.blockTime} ${one.transactionHash} ${one.transactionIndex} ${one.logIndex} ${one.token} ${one.from} ${one.to} ${one.value}`,
  })),
  ...[...paid, ...anchors].map((told) => ({
    blockNumber: told.blockNumber,
    line: Object.values(told).join(' '),
  })),
]
const printOf = (lines: readonly Line[]): string => lines.map(({ line }) => line).join('\n')

/** More blocks than these are read in shorter steps: each costs all its receipts. */
const mostProven = 20

/** Where two tell a block's logs otherwise, its receipts decide. Throws their difference where their blocks
 * differ too, or the receipts cannot be had. */
async function settleByReceipts(
  endpoints: readonly Endpoint[],
  watch: Watch,
  told: ReadonlyMap<Endpoint, Reading>,
  error: unknown,
): Promise<Reading> {
  const isDifference = error instanceof RaffleError && error.code === 'RPC_DISAGREE'
  const [first] = told.values()
  if (!isDifference || !first || new Set([...told.values()].map(edgesOf)).size > 1) throw error
  const readings = [...told].map(([endpoint, reading]) => {
    const byBlock = Map.groupBy(linesOf(reading), ({ blockNumber }) => blockNumber)
    return { endpoint, blocks: [...byBlock.keys()], printAt: (at: bigint) => printOf(byBlock.get(at) ?? []) }
  })
  const differing = [...new Set(readings.flatMap(({ blocks }) => blocks))].filter(
    (at) => new Set(readings.map(({ printAt }) => printAt(at))).size > 1,
  )
  if (differing.length === 0 || differing.length > mostProven) throw error
  const proven: Reading[] = []
  for (const at of differing) {
    const one = await readProvenBlock(endpoints, watch, at)
    proven.push(one)
    for (const { endpoint, printAt } of readings)
      if (printAt(at) !== printOf(linesOf(one)))
        endpoint.seat.setAside({ block: `${at}`, by: 'receiptsRoot' })
  }
  const settled = <K extends 'transfers' | 'paid' | 'anchors'>(kind: K): Reading[K] => {
    const alike = first[kind].filter(({ blockNumber }) => !differing.includes(blockNumber))
    return [...alike, ...proven.flatMap((one): Reading[K][number][] => one[kind])].sort(byPlace) as Reading[K]
  }
  return { ...first, transfers: settled('transfers'), paid: settled('paid'), anchors: settled('anchors') }
}

/** What one endpoint tells by itself. A single one is asked for the blocks, whose receipts need no index. */
export const readByOne = (endpoint: Endpoint, watch: Watch, step: Step, isOnly: boolean): Promise<Reading> =>
  readAlone(endpoint, watch, step, { by: isOnly ? 'near' : 'ranges', isFresh: true })

const heights = ({ from, to }: Step): bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))

/** Of one block; a stranger can make its receipts as large as its gas allows. */
const receiptsMaxBytes = 64 * mebibyte

/** Receipts whose hash is the `receiptsRoot` of the header that two tell are true, whoever told them. Throws
 * RPC_DISAGREE where nobody has such. */
export async function readProvenBlock(
  endpoints: readonly Endpoint[],
  watch: Watch,
  number: bigint,
): Promise<Reading> {
  // The root covers neither the hashes of the transactions nor their number: two tell them alike.
  const whole = (block: Block) =>
    lower(`${blockPrint(block)} ${block.told.receiptsRoot} ${block.told.transactions}`)
  const block = await agree(endpoints, (endpoint) => readBlock(endpoint, number), whole)
  if (!block) throw unavailable({}, 0)
  const failures: Record<string, string> = {}
  let told = 0
  for (const endpoint of endpoints)
    try {
      const receipts = await readEncoded(endpoint, block)
      told++
      if ((await rootOf(receipts)) === lower(`${block.told.receiptsRoot}`))
        return { ...toReading([block], logsOf(receipts, block), watch), parent: block.parent }
    } catch (error) {
      failures[endpoint.host] = failed(error)
    }
  if (told === 0) throw unavailable(failures, 0)
  throw new RaffleError('RPC_DISAGREE', { data: { receipts: `${number}` } })
}

/** By one answer, or receipt by receipt where that is refused, too large or not whole. */
async function readEncoded(endpoint: Endpoint, block: Block): Promise<unknown[]> {
  const hashes = transactionsOf(block)
  const answer = await endpoint
    .ask('eth_getBlockReceipts', [numberToHex(block.number)], receiptsMaxBytes)
    .catch((error: unknown) => {
      if (!isFailure(error, 'rpc') && !isTooLarge(error)) throw error
    })
  if (Array.isArray(answer) && answer.length === hashes.length) return answer
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  const receipts = await endpoint.askMany(calls, { maxBytes: receiptsMaxBytes })
  if (receipts.includes(null)) throw new RpcFailure('behind')
  return receipts
}

async function rootOf(receipts: readonly unknown[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries())
    await trie.put(toRlp(quantity(numberToHex(index)), 'bytes'), hexToBytes(encoded(receipt)))
  return toHex(trie.root())
}

function encoded(receipt: unknown): Hex {
  const { type = '0x0', status, cumulativeGasUsed, logsBloom, logs } = fieldsOf(receipt)
  if (!isQuantity(type) || !isQuantity(status) || !isQuantity(cumulativeGasUsed) || !isBytes(logsBloom))
    throw bad()
  const fields = toLogs(logs).map(({ address, topics, data }) => [address, topics, data])
  const body = toRlp([quantity(status), quantity(cumulativeGasUsed), logsBloom, fields])
  return Number(type) === 0 ? body : `0x${Number(type).toString(16).padStart(2, '0')}${body.slice(2)}`
}

/** As RLP takes it: whole bytes without leading zeros. */
function quantity(value: Hex): Hex {
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** What the root does not cover follows from the place: of each transaction, and of each log. */
function logsOf(receipts: readonly unknown[], block: Block): RpcLog[] {
  const hashes = transactionsOf(block)
  let count = 0
  return receipts.flatMap((item, index) => {
    const receipt = toReceipt(item, hashes[index])
    const isHere = receipt?.transactionIndex === index
    if (!isHere || receipt.logs.some(({ logIndex }) => Number(logIndex) !== count++)) throw bad()
    return logsIn(receipt, block)
  })
}
