import { type Address, type Hex, pad } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { ledgerTextWithoutNumber, parseLedgerLine } from '../payment/ledger.ts'
import { AnswerError, firstBlockSince, getFinal, getLogs } from './chain.ts'
import { type Blocks, hasNewLogs, type LogFilter, mayHold, readLogsByBlooms, withoutLogs } from './logs.ts'
import { type Purchase, paymentFilter, readPurchases } from './purchases.ts'
import { problemOfLine } from './receipts.ts'
import { createRoom } from './room.ts'
import { createPause, failed, type Memory, partial, passed, type Rpc, type VerifyEvent } from './steps.ts'

export type CompletenessOptions = {
  /** Maximum number of log queries; of a longer sale a random part is read. */
  logCalls: number
  random: () => number
  /** Where no logs are served, headers and block receipts are read: one request a block at least. */
  byBlooms?: boolean | undefined
  /** Used where every block is read. */
  memory?: Memory | undefined
}

const firstRange = 5_000
/** Blocks of a window that is read by headers and receipts. */
const bloomRange = 100

/** Reads the USDT transfers to the operator wallet during the sale and compares them with the list, line by line. */
export async function* checkCompleteness(
  rpc: Rpc,
  proof: Proof,
  texts: readonly string[],
  options: CompletenessOptions,
): AsyncGenerator<VerifyEvent> {
  const head = await getFinal(rpc)
  const first = await firstBlockSince(rpc, Date.parse(proof.saleStart) / 1000, head)
  const last = (await firstBlockSince(rpc, Date.parse(proof.saleEndDate) / 1000, head)) - 1
  // Lines are in chain order, and only those between the two are compared with the chain below.
  const stranger = [texts[0], texts.at(-1)].find(
    (text) => text !== undefined && (blockOf(text) < first || blockOf(text) > last),
  )
  if (stranger !== undefined) {
    yield failed('completeness', 'The list has a payment outside the sale.', `${first} to ${last}`, stranger)
    return
  }
  const filter = paymentFilter(proof)
  const served = await servedRange(rpc, filter, first, last)
  if (served === undefined && !options.byBlooms) {
    yield withoutLogs('completeness', await hasNewLogs(rpc, filter))
    return
  }
  const range = served ?? bloomRange
  const readLogs = (blocks: Blocks) =>
    served === undefined ? readLogsByBlooms(rpc, filter, blocks) : getLogs(rpc, { ...filter, ...blocks })
  const isWhole = Math.ceil((last - first + 1) / range) <= options.logCalls
  const memory = isWhole ? options.memory : undefined
  const known = memory?.load()
  const start = Math.min(Math.max(known?.block ?? first, first), last + 1)
  const windows = chooseWindows(start, last, range, options)
  const requests = served === undefined ? last - start + 1 : windows.length
  yield { kind: 'progress', step: 'completeness', done: 0, total: windows.length, requests }
  const pause = createPause()
  const room = createRoom(proof)
  let at = 0
  const goOn = () => {
    const line = parseLedgerLine(texts[at] as string)
    if (line) room.take(line.payer, line.ticketCount)
    at += 1
  }
  let read = start - first
  const own = new Map(start > first ? Object.entries(known?.own ?? {}) : [])
  for (const [index, from] of windows.entries()) {
    const to = Math.min(from + range - 1, last)
    while (at < texts.length && blockOf(texts[at] as string) < from) goOn()
    const reading = await readPurchases(rpc, proof, await readLogs({ from, to }))
    for (const payer of reading.own) own.set(payer, (own.get(payer) ?? 0) + 1)
    for (const payment of reading.purchases) {
      if (!room.has(ticketsBefore(texts[at], proof), payment.payer, payment.ticketCount)) continue
      if (lineOf(texts[at]) !== textOf(payment)) {
        await refuseLeftOut(rpc, proof, texts, at, payment)
        yield failed(
          'completeness',
          'The chain and the list differ here.',
          textOf(payment),
          lineOf(texts[at]),
        )
        return
      }
      goOn()
    }
    if (at < texts.length && blockOf(texts[at] as string) <= to) {
      await refuseLeftOut(rpc, proof, texts, at)
      yield failed('completeness', 'The list has a payment that the chain does not.', 'none', texts[at])
      return
    }
    read += to - from + 1
    memory?.keep({ block: to + 1, own: Object.fromEntries(own) })
    yield { kind: 'progress', step: 'completeness', done: index + 1, total: windows.length }
    await pause()
  }
  const blocks = last - first + 1
  const share =
    read < blocks
      ? `${read.toLocaleString('en-US')} of ${blocks.toLocaleString('en-US')} blocks, chosen at random`
      : `all ${blocks.toLocaleString('en-US')} blocks`
  const text = `Transfers of ${share} of the sale: exactly the payments of the list.${leftOut(own)}`
  // That a wallet is his own the operator alone says.
  yield read < blocks || own.size > 0 ? partial('completeness', text) : passed('completeness', text)
}

/**
 * Some endpoints answer no logs where they have lost them, as if there had been none. Throws where the payment of a line, which
 * the logs do not have before `next`, is shown by the same endpoint's receipts, or may have been lost with them.
 */
async function refuseLeftOut(
  rpc: Rpc,
  proof: Proof,
  texts: readonly string[],
  at: number,
  next?: Purchase,
): Promise<void> {
  const line = parseLedgerLine(texts[at] ?? '')
  if (!line || (next && !isBefore(line, next))) return
  for (let i = at - 1; texts[i]?.includes(line.transactionHash); i--)
    if (parseLedgerLine(texts[i] as string)?.payer === line.payer) return
  const isShown = await problemOfLine(rpc, proof, line).then(
    (problem) => problem === undefined,
    async (error: unknown) => {
      if (await mayHold(rpc, paymentsBy(line.payer, proof), Number(line.blockNumber))) throw error
      return false
    },
  )
  if (isShown) throw new AnswerError('Its logs leave out a payment that its receipts show.')
}

function paymentsBy(payer: Address, proof: Proof): LogFilter {
  const { address, topics } = paymentFilter(proof)
  return { address, topics: [topics[0] as Hex, pad(payer), topics[2] as Hex] }
}

const isBefore = (a: Place, b: Place): boolean =>
  a.blockNumber < b.blockNumber ||
  (a.blockNumber === b.blockNumber && a.transactionIndex < b.transactionIndex)

type Place = Pick<Purchase, 'blockNumber' | 'transactionIndex'>

/** The widest range that the endpoint answers, found by halving; undefined if it serves no logs. */
async function servedRange(
  rpc: Rpc,
  filter: LogFilter,
  first: number,
  last: number,
): Promise<number | undefined> {
  for (let range = Math.min(firstRange, last - first + 1); range >= 1; range = Math.floor(range / 2)) {
    try {
      // The middle of the sale: its ends may be quieter.
      const from = Math.max(first, Math.floor((first + last - range) / 2))
      await getLogs(rpc, { ...filter, from, to: from + range - 1 })
      return range
    } catch (error) {
      if (error instanceof AnswerError) throw error
    }
  }
  return undefined
}

/** Where the windows begin: all of them, or as many as may be asked, chosen at random. */
function chooseWindows(
  first: number,
  last: number,
  range: number,
  { logCalls: limit, random }: Pick<CompletenessOptions, 'logCalls' | 'random'>,
): number[] {
  const count = Math.ceil((last - first + 1) / range)
  const chosen = new Set<number>()
  if (count <= limit) for (let i = 0; i < count; i++) chosen.add(i)
  while (chosen.size < Math.min(count, limit)) chosen.add(Math.floor(random() * count))
  return [...chosen].sort((a, b) => a - b).map((index) => first + index * range)
}

/** Payments that the operator's own wallets made, so that everybody sees whose are not in the list. */
const leftOut = (own: ReadonlyMap<string, number>): string =>
  own.size === 0
    ? ''
    : ` Left out as the operator's own: ${[...own].map(([payer, count]) => `${count} of ${payer}`).join(', ')}.`

/** How many tickets the event had before a line, or had in all after the last one. */
const ticketsBefore = (text: string | undefined, proof: Proof): number =>
  text === undefined ? proof.ticketsSold : (parseLedgerLine(text)?.ticketNumber ?? 1) - 1

const textOf = (payment: Purchase): string => ledgerTextWithoutNumber({ ...payment, value: payment.units })

/** A line without its ticket number, which is not on the chain. */
const lineOf = (text: string | undefined): string =>
  text === undefined ? 'no line' : text.slice(text.indexOf(',') + 1)

const blockOf = (text: string): number => Number(parseLedgerLine(text)?.blockNumber ?? 0n)
