import { pad } from 'viem'
import { type FlowLine, type FlowsHead, flowText, parseFlowLine } from '../flows/file.ts'
import {
  decodeTransfer,
  groupPayments,
  type RpcLog,
  type Transfer,
  transferTopic,
} from '../payment/payment.ts'
import { AnswerError, getFinal, getLogs, getReceiptAt, mustGetHeader } from './chain.ts'
import { bloomRange, chooseWindows, servedRange } from './completeness.ts'
import { checkBalances, type FlowsToCheck } from './flows-balances.ts'
import { type Blocks, hasNewLogs, type LogFilter, mayHold, readLogsByBlooms, withoutLogs } from './logs.ts'
import { createPause, failed, firstProblem, type Rpc, type VerifyEvent } from './steps.ts'

export type FlowsChainOptions = {
  /** Maximum number of windows of which logs are read; of a longer file a random part is. */
  logCalls: number
  /** Lines of which the time is looked up. */
  sample: number
  atOnce: number
  random: () => number
  byBlooms?: boolean | undefined
}

/** Compares a file with the logs of its blocks, and what it says is held with what the chain says. */
export async function* checkFlowsOnChain(
  rpc: Rpc,
  file: FlowsToCheck,
  options: FlowsChainOptions,
): AsyncGenerator<VerifyEvent> {
  const { head, texts } = file
  const wrong = (await problemOfBlocks(rpc, head, options)) ?? (await problemOfTimes(rpc, texts, options))
  if (wrong) return yield failed('flows', wrong.text, wrong.expected, wrong.actual)
  const first = Number(head.wallets.map(({ openingBlock }) => openingBlock).sort(ascending)[0]) + 1
  const last = Number(head.until.number)
  const [filter] = filtersOf(head)
  const served = first > last ? 1 : await servedRange(rpc, filter, first, last)
  if (served === undefined && !options.byBlooms)
    return yield withoutLogs('flows', await hasNewLogs(rpc, filter))
  const windows = chooseWindows(first, last, served ?? bloomRange, options)
  const read = (blocks: Blocks) => readTransfers(rpc, head, blocks, served !== undefined)
  const pause = createPause()
  let at = 0
  let seen = 0
  for (const [index, from] of windows.entries()) {
    const to = Math.min(from + (served ?? bloomRange) - 1, last)
    while (at < texts.length && blockOf(texts[at]) < from) at += 1
    for (const line of linesOf(await read({ from, to }), head)) {
      if (onChain(texts[at]) !== onChain(flowText(line))) {
        await refuseLeftOut(rpc, head, texts[at], line)
        return yield failed('flows', differ, onChain(flowText(line)), onChain(texts[at]))
      }
      at += 1
    }
    if (at < texts.length && blockOf(texts[at]) <= to) {
      await refuseLeftOut(rpc, head, texts[at])
      return yield failed('flows', differ, 'no line', onChain(texts[at]))
    }
    seen += to - from + 1
    yield { kind: 'progress', step: 'flows', done: index + 1, total: windows.length }
    await pause()
  }
  yield await checkBalances(rpc, file, {
    read: served === undefined ? undefined : read,
    ...{ range: served ?? 1, logCalls: options.logCalls, atOnce: options.atOnce },
    isWhole: seen === last - first + 1 || first > last,
  })
}

const differ = 'The chain and the file differ here.'

/** The blocks that the head names are those of the chain, and the last of them is final. */
async function problemOfBlocks(
  rpc: Rpc,
  { until, wallets }: FlowsHead,
  { atOnce }: FlowsChainOptions,
): Promise<Problem | undefined> {
  const final = await getFinal(rpc)
  if (BigInt(final.number) < until.number)
    throw new AnswerError(`It has not reached block ${until.number} yet.`)
  // By number and hash: what two wallets say of one block, or two blocks of one hash, are each to be looked up.
  const named = new Map(
    [...wallets.map(({ openingBlock, openingHash }) => [openingBlock, openingHash] as const)]
      .concat([[until.number, until.hash]])
      .map((each) => [each.join(), each]),
  )
  return firstOf([...named.values()], atOnce, async ([number, hash]): Promise<Problem | undefined> => {
    const header = await mustGetHeader(rpc, Number(number))
    if (header.hash !== hash)
      return { text: `Block ${number} has another hash.`, expected: header.hash, actual: hash }
    if (number === until.number && header.timestamp !== until.timestamp)
      return {
        text: `Block ${number} has another time.`,
        ...{ expected: header.timestamp, actual: until.timestamp },
      }
    return undefined
  })
}
type Problem = { text: string; expected: unknown; actual: unknown }

/** Times decide of what class a payment is; of a long file those of the first, the last and some lines are looked up. */
async function problemOfTimes(
  rpc: Rpc,
  texts: readonly string[],
  { sample, atOnce, random }: FlowsChainOptions,
): Promise<Problem | undefined> {
  const chosen = new Set(texts.length > 0 ? [0, texts.length - 1] : [])
  if (texts.length <= sample) for (const index of texts.keys()) chosen.add(index)
  while (chosen.size < Math.min(sample, texts.length)) chosen.add(Math.floor(random() * texts.length))
  const times = new Map<string, string>()
  for (const index of [...chosen].sort(ascending)) {
    const [block = '', time = ''] = (texts[index] as string).split(',', 2)
    times.set(block, time)
  }
  return firstOf([...times], atOnce, async ([block, time]) => {
    const { timestamp } = await mustGetHeader(rpc, Number(block))
    if (`${timestamp}` === time) return undefined
    return { text: `Block ${block} has another time.`, expected: timestamp, actual: time }
  })
}

/** The first problem, with no more questions at a time than the endpoint is to bear. */
async function firstOf<T>(
  items: readonly T[],
  atOnce: number,
  problemOf: (item: T) => Promise<Problem | undefined>,
): Promise<Problem | undefined> {
  for (let at = 0; at < items.length; at += atOnce) {
    const problem = await firstProblem(items.slice(at, at + atOnce).map(problemOf))
    if (problem) return problem
  }
  return undefined
}

/** Transfers into the wallets, and those out of them. */
function filtersOf({ token, wallets }: FlowsHead): [LogFilter, LogFilter] {
  const padded = wallets.map(({ address }) => pad(address))
  return [
    { address: token, topics: [transferTopic, null, padded] },
    { address: token, topics: [transferTopic, padded] },
  ]
}

async function readTransfers(
  rpc: Rpc,
  head: FlowsHead,
  blocks: Blocks,
  hasLogs: boolean,
): Promise<Transfer[]> {
  const filters = filtersOf(head)
  const found: RpcLog[] = hasLogs
    ? (await Promise.all(filters.map((filter) => getLogs(rpc, { ...filter, ...blocks })))).flat()
    : await readLogsByBlooms(rpc, filters, blocks)
  const transfers = found.flatMap((log) => decodeTransfer(log, head.token) ?? [])
  for (const { blockNumber } of transfers)
    if (blockNumber < BigInt(blocks.from) || blockNumber > BigInt(blocks.to))
      throw new AnswerError('It answered logs that were not asked for.')
  // What moved between two of the wallets is in both answers.
  return [...new Map(transfers.map((each) => [`${each.blockNumber} ${each.logIndex}`, each])).values()]
}

/** The lines of the file that these transfers make, in its order. */
function linesOf(transfers: readonly Transfer[], { wallets }: FlowsHead): FlowLine[] {
  const openings = new Map<string, bigint>(wallets.map((each) => [each.address, each.openingBlock]))
  const rest = { blockTime: 0, class: 'other' as const, debtor: null }
  const ins = groupPayments(transfers, new Set(openings.keys())).map((each) => ({
    ...each,
    ...{ ...rest, direction: 'in' as const, counterparty: each.payer, logIndex: each.firstLogIndex },
  }))
  const outs = transfers
    .filter(({ from }) => openings.has(from))
    .map(({ from, to, value, ...place }) => ({
      ...place,
      ...{ ...rest, direction: 'out' as const, wallet: from, counterparty: to, units: value },
    }))
  return [...ins, ...outs]
    .filter(({ wallet, blockNumber }) => blockNumber > (openings.get(wallet) ?? 0n))
    .sort(
      (a, b) =>
        Number(a.blockNumber - b.blockNumber) ||
        a.transactionIndex - b.transactionIndex ||
        a.logIndex - b.logIndex ||
        (a.direction < b.direction ? -1 : 1),
    )
}

/** What the chain alone determines of a line: without its time, class and debtor. */
function onChain(text: string | undefined): string {
  if (text === undefined) return 'no line'
  const [block, , ...rest] = text.split(',')
  return [block, ...rest.slice(0, -2)].join(',')
}

/**
 * Some endpoints answer no logs where they have lost them, as if there had been none. Throws where a line that the logs do not
 * have before `next` is shown by the same endpoint's receipts, or may have been lost with them.
 */
async function refuseLeftOut(
  rpc: Rpc,
  head: FlowsHead,
  text: string | undefined,
  next?: FlowLine,
): Promise<void> {
  const line = parseFlowLine(text ?? '')
  if (!line) return
  if (next && onChainPlace(line) >= onChainPlace(next)) return
  const block = Number(line.blockNumber)
  const receipt = await getReceiptAt(rpc, block, line.transactionIndex).catch(async (error: unknown) => {
    if (await mayHold(rpc, transferOf(line, head), block)) throw error
    return undefined
  })
  if (receipt?.transactionHash !== line.transactionHash) return
  const shown = linesOf(
    receipt.logs.flatMap((log) => decodeTransfer(log, head.token) ?? []),
    head,
  )
  if (shown.some((each) => onChain(flowText(each)) === onChain(text)))
    throw new AnswerError('Its logs leave out a transfer that its receipts show.')
}

function transferOf({ direction, wallet, counterparty }: FlowLine, { token }: FlowsHead): LogFilter {
  const [from, to] = direction === 'in' ? [counterparty, wallet] : [wallet, counterparty]
  return { address: token, topics: [transferTopic, pad(from), pad(to)] }
}

const onChainPlace = ({ blockNumber, transactionIndex, logIndex }: FlowLine): string =>
  [blockNumber, transactionIndex, logIndex].map((number) => `${number}`.padStart(16, '0')).join()

const blockOf = (text: string | undefined): number => Number.parseInt(text ?? '', 10)
const ascending = <T extends number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
