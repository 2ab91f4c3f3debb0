import { type Address, type Hash, type Hex, numberToHex, pad } from 'viem'
import { bloomBits, hasBits } from '../../core/chain/bloom.ts'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { decodePaid, type Paid, paidTopic } from '../../core/chain/register-log.ts'
import { type Anchored, anchoredTopic, decodeAnchored } from '../../core/draw/anchor.ts'
import { decodeTransfer, type RpcLog, type Transfer, transferTopic } from '../../core/payment/payment.ts'
import { type Endpoint, firstRange, isMethodMissing, shortStep } from './endpoint.ts'
import { type Block, bad, fieldsOf, type Header, isHash, isQuantity, lower, toHeader } from './headers.ts'
import { isFailure, mebibyte, RpcFailure } from './transport.ts'

/** Transfers to look for: of `tokens`, to any of `wallets`, or with `outgoing` from any of them, and what the
 * register tells of this book: payments, also of another one from these wallets, and anchors. */
export type Watch = {
  tokens: readonly Address[]
  wallets: readonly Address[]
  outgoing?: { book: Hex }
}
type Timed<T> = T & { blockTime: number }
export type TimedTransfer = Timed<Transfer & { token: Address }>
export type TimedPaid = Timed<Paid>
type TimedAnchor = Timed<Omit<Anchored, 'blockNumber'> & { blockNumber: bigint; blockHash: Hash }>

export type Reading = {
  end: Header
  /** Of the block before the first one that was read; near the head, where every header is read. */
  parent?: Hash | undefined
  /** Without those that the register made, where outgoing ones were looked for. */
  transfers: TimedTransfer[]
  /** What the register paid by the book that was looked for, from any wallet, in chain order. */
  paid: TimedPaid[]
  /** What any wallet anchored in that book, in chain order. */
  anchors: TimedAnchor[]
  /** The blocks hold a transfer of these wallets in the other direction than was looked for: a hint, told
   * where whole blocks were read, as they are near the head. */
  movesElsewhere?: boolean
}

export const logsMaxBytes = 16 * mebibyte
const widestRange = 2_000

export function toLogs(answer: unknown): RpcLog[] {
  if (!Array.isArray(answer) || !answer.every(isLog)) throw bad()
  expectOrder(answer)
  return answer
}

function isLog(answer: unknown): answer is RpcLog {
  const log = fieldsOf(answer)
  if (!isHash(log.blockHash) || !isHash(log.transactionHash) || !isQuantity(log.blockNumber)) return false
  if (!isQuantity(log.logIndex) || !isQuantity(log.transactionIndex) || !Array.isArray(log.topics))
    return false
  return log.topics.every(isHash) && isBytes(log.address) && isBytes(log.data)
}
export const isBytes = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)

/** Refuses logs that cannot be of one chain: within a block a later log is never of an earlier transaction,
 * each transaction has one index and each log stands once. Tickets are numbered in this order. */
function expectOrder(logs: readonly RpcLog[]): void {
  const places = logs.map((log) => ({
    block: Number(log.blockNumber),
    log: Number(log.logIndex),
    transaction: Number(log.transactionIndex),
    hash: lower(log.transactionHash),
  }))
  inOrder(places, (a, b) => a.block - b.block || a.log - b.log)
  for (const [index, place] of places.entries()) {
    const before = places[index - 1]
    if (before?.block !== place.block) continue
    const step = place.transaction - before.transaction
    if (step < 0 || (step === 0) !== (place.hash === before.hash) || place.log === before.log) throw bad()
  }
}

/** Sorts in place what does not stand in this order yet, as it mostly does: a sort asks a dozen times for each. */
function inOrder<T>(all: T[], compare: (a: T, b: T) => number): T[] {
  const isOrdered = all.every((one, at) => at === 0 || compare(all[at - 1] as T, one) <= 0)
  return isOrdered ? all : all.sort(compare)
}

/** False for a block that certainly holds nothing of it. Its hash covers the filter, so unlike a log index it is complete. */
export function watchBloom({ tokens, wallets, outgoing }: Watch): (block: Block) => boolean {
  const logs = [
    ...tokens.map((token): Hex[] => [token, transferTopic]),
    ...(outgoing ? [paidTopic, anchoredTopic].map((topic): Hex[] => [register.address, topic]) : []),
  ]
  const kinds = logs.map((values) => values.flatMap(bloomBits))
  const names = [...wallets.map((wallet) => pad(wallet)), ...(outgoing ? [outgoing.book] : [])].map(bloomBits)
  return ({ bloom }) => {
    const holds = (wanted: readonly number[]) => bloom === undefined || hasBits(bloom, wanted)
    return kinds.some(holds) && names.some(holds)
  }
}

/** In as many queries as the endpoint needs: a refused range is halved, an answered one grows. Undefined if
 * not even one block is answered: these are then read another way. */
export async function readLogRange(
  endpoint: Endpoint,
  watch: Watch,
  { from, to }: { from: bigint; to: bigint },
): Promise<RpcLog[] | undefined> {
  const { logs } = endpoint
  if (logs.ranges.isOff) return undefined
  const found: RpcLog[] = []
  for (let at = from; at <= to; ) {
    const span = Math.min(logs.rangeBlocks, Number(to - at) + 1)
    const end = at + BigInt(span - 1)
    try {
      const range = { fromBlock: numberToHex(at), toBlock: numberToHex(end) }
      for (const log of await queryLogs(endpoint, watch, range)) found.push(log)
      logs.answered('ranges')
      if (span === logs.rangeBlocks) logs.rangeBlocks = Math.min(widestRange, span * 2)
      at = end + 1n
    } catch (error) {
      if (isFailure(error, 'contradiction')) {
        endpoint.blame('contradiction', { method: 'eth_getLogs', block: `${at}` })
        return undefined
      }
      if (!narrow(endpoint, error, span)) return undefined
    }
  }
  return found
}

/** Some endpoints answer so where an answer would be too large; it can also mean an outage. */
export const isTrouble = (error: unknown): boolean =>
  isFailure(error, 'timeout') || (isFailure(error, 'http') && Number(error.code) >= 500)

/** Halves a refused range, false where not even one block is left; rethrows failures that halving cannot fix. */
function narrow({ logs }: Endpoint, error: unknown, span: number): boolean {
  const mayBeTrouble = isTrouble(error)
  if (!(error instanceof RpcFailure) || (!mayBeTrouble && !isFailure(error, 'rpc', 'too-large'))) throw error
  if (error.says(/(block|header) not found|unknown block|ahead of|beyond|invalid block range params/i))
    throw new RpcFailure('behind')
  if (error.says(saysForgotten)) throw new RpcFailure('pruned')
  if (!mayBeTrouble) logs.refused('ranges', error)
  if (span > 1 && !isMethodMissing(error)) {
    logs.rangeBlocks = Math.floor(span / 2)
    return true
  }
  if (mayBeTrouble) throw error
  logs.rangeBlocks = logs.ranges.isOff ? firstRange : shortStep
  return false
}

/** Probes each disabled method, when it is due, with a single request. */
export async function askAgain(endpoint: Endpoint, watch: Watch, number: bigint): Promise<void> {
  const block = numberToHex(number)
  const questions = {
    ranges: () => queryLogs(endpoint, watch, { fromBlock: block, toBlock: block }),
    receipts: () => endpoint.ask('eth_getBlockReceipts', [block], logsMaxBytes),
  }
  const ask = async (name: keyof typeof questions) => {
    const answer = await questions[name]().catch(() => undefined)
    if (Array.isArray(answer)) endpoint.logs.answered(name)
  }
  await Promise.all(endpoint.logs.takeDue().map(ask))
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
    { read: toLogs },
  )
  return eachOnce(answers)
}

async function queryLogs(
  endpoint: Endpoint,
  watch: Watch,
  range: { fromBlock: Hex; toBlock: Hex },
): Promise<RpcLog[]> {
  const ask = async (filter: Filter) =>
    toLogs(await endpoint.ask('eth_getLogs', [{ ...filter, ...range }], logsMaxBytes))
  const [first, ...others] = filtersOf(watch)
  const logs = first ? await ask(first) : []
  // Where no money left a wallet, none left it by another book.
  const isMoved = logs.some(({ topics }) => topics[0] === transferTopic)
  const asked = others.filter(({ topics }) => isMoved || topics[0] !== paidTopic)
  return asked.length === 0 ? logs : eachOnce([logs, ...(await Promise.all(asked.map(ask)))])
}

export type Filter = { address: Address | readonly Address[]; topics: readonly unknown[] }

export function filtersOf({ tokens, wallets, outgoing }: Watch): Filter[] {
  const parties = wallets.map((wallet) => pad(wallet))
  if (!outgoing) return [{ address: tokens, topics: [transferTopic, null, parties] }]
  const { book } = outgoing
  return [
    {
      address: [...tokens, register.address],
      topics: [
        [transferTopic, paidTopic],
        [...parties, book],
      ],
    },
    { address: register.address, topics: [paidTopic, null, null, parties] },
    { address: register.address, topics: [anchoredTopic, null, book] },
  ]
}

/** Two filters may find the same log. */
function eachOnce(answers: readonly RpcLog[][]): RpcLog[] {
  const all = answers.flat().map((log) => [`${log.blockHash} ${Number(log.logIndex)}`, log] as const)
  return [...new Map(all).values()]
}

/** What the logs tell a watch, in chain order. A log counts only if it names the block that this endpoint has
 * at that height. Throws RpcFailure for logs that no chain and no register can have made. */
export function toReading(blocks: readonly Block[], logs: readonly RpcLog[], watch: Watch): Reading {
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  const wallets = new Set<string>(watch.wallets.map(lower))
  const tokens = new Set<string>(watch.tokens.map(lower))
  expectOrder(logs)
  const timeOf = ({ blockNumber, blockHash }: Place): number => {
    const block = byHash.get(lower(blockHash))
    if (block?.number !== blockNumber) throw bad()
    return block.timestamp
  }
  const timed = <T extends Place>(place: T): Timed<T> => ({ ...place, blockTime: timeOf(place) })
  let movesElsewhere = false
  const transfers: TimedTransfer[] = []
  for (const log of logs) {
    const token = lower(log.address)
    if (log.topics[0] !== transferTopic || !tokens.has(token)) continue
    const transfer = decodeTransfer(log, token)
    if (!transfer) continue
    const [own, other] = watch.outgoing ? [transfer.from, transfer.to] : [transfer.to, transfer.from]
    movesElsewhere ||= wallets.has(other)
    if (wallets.has(own)) transfers.push({ ...transfer, token, blockTime: timeOf(transfer) })
  }
  const end = toHeader(blocks.reduce((a, b) => (b.number > a.number ? b : a)))
  // Endpoints may tell the same logs in another order.
  inOrder(transfers, byPlace)
  const reading = { end, movesElsewhere }
  if (!watch.outgoing) return { ...reading, transfers, paid: [], anchors: [] }
  const book = lower(watch.outgoing.book)
  const told = logs.flatMap((log) => decoded(decodePaid, log) ?? [])
  const paid = told
    .filter(({ token }) => tokens.has(token))
    .map(timed)
    .sort(byPlace)
  const anchors = logs.flatMap((log) => {
    const anchor = decoded(decodeAnchored, log)
    if (anchor?.book !== book) return []
    return timed({ ...anchor, blockNumber: BigInt(log.blockNumber), blockHash: log.blockHash })
  })
  return {
    ...reading,
    transfers: plainTransfers(
      transfers,
      paid.filter(({ wallet }) => wallets.has(wallet)),
    ),
    paid: paid.filter((one) => one.book === book),
    anchors: anchors.sort(byPlace),
  }
}

type Place = { blockNumber: bigint; blockHash: Hash; logIndex: number }
export const byPlace = (a: Place, b: Place): number =>
  Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex

function decoded<T>(decode: (log: RpcLog) => T | undefined, log: RpcLog): T | undefined {
  try {
    return decode(log)
  } catch {
    throw bad()
  }
}

/** The transfers that the register did not make. A `Paid` log stands beside its transfer: throws where it is told alone. */
function plainTransfers(transfers: readonly TimedTransfer[], paid: readonly Paid[]): TimedTransfer[] {
  const byRegister = new Set<TimedTransfer>()
  const ofTransaction = Map.groupBy(transfers, ({ transactionHash }) => transactionHash)
  for (const { transactionHash, token, wallet, debtor, units, logIndex } of paid) {
    const isMade = (one: TimedTransfer): boolean =>
      !byRegister.has(one) &&
      [one.token === token, one.from === wallet, one.to === debtor, one.value === units].every(Boolean) &&
      one.logIndex > logIndex
    const made = ofTransaction.get(transactionHash)?.find(isMade)
    if (!made) throw bad()
    byRegister.add(made)
  }
  return transfers.filter((transfer) => !byRegister.has(transfer))
}
