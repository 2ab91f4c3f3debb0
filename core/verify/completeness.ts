import type { Proof } from '../draw/proof.ts'
import { hasRoom } from '../judge.ts'
import { ledgerTextWithoutNumber, parseLedgerLine } from '../ledger.ts'
import { AnswerError, firstBlockSince, getFinal, type Header } from './chain.ts'
import { type Purchase, readPurchases } from './purchases.ts'
import {
  createPause,
  failed,
  lacking,
  partial,
  passed,
  type Rpc,
  type VerifyEvent,
  type VerifyResult,
} from './steps.ts'

export type CompletenessOptions = {
  /** Maximum number of log queries; of a longer sale a random part is read. */
  logCalls: number
  random: () => number
}

const firstRange = 5_000

/** Reads the USDT transfers to the operator wallet during the sale and compares them with the list, line by line. */
export async function* checkCompleteness(
  rpc: Rpc,
  proof: Proof,
  texts: readonly string[],
  { logCalls, random }: CompletenessOptions,
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
  const range = await servedRange(rpc, proof, first, last)
  if (range === undefined) {
    yield await withoutLogs(rpc, proof, head)
    return
  }
  const windows = chooseWindows(first, last, range, logCalls, random)
  const pause = createPause()
  let at = 0
  let read = 0
  const own = new Map<string, number>()
  for (const [index, from] of windows.entries()) {
    const to = Math.min(from + range - 1, last)
    while (at < texts.length && blockOf(texts[at] as string) < from) at += 1
    const reading = await readPurchases(rpc, proof, from, to)
    for (const payer of reading.own) own.set(payer, (own.get(payer) ?? 0) + 1)
    for (const payment of reading.purchases) {
      if (!hasRoom(ticketsBefore(texts[at], proof), payment.ticketCount)) continue
      if (lineOf(texts[at]) !== textOf(payment)) {
        yield failed(
          'completeness',
          'The chain and the list differ here.',
          textOf(payment),
          lineOf(texts[at]),
        )
        return
      }
      at += 1
    }
    if (at < texts.length && blockOf(texts[at] as string) <= to) {
      yield failed('completeness', 'The list has a payment that the chain does not.', 'none', texts[at])
      return
    }
    read += to - from + 1
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

/** The endpoint serves no logs at all, or none this old. */
async function withoutLogs(rpc: Rpc, proof: Proof, { number }: Header): Promise<VerifyResult> {
  const hasNewLogs = await readPurchases(rpc, proof, number, number).then(
    () => true,
    () => false,
  )
  return hasNewLogs
    ? lacking(
        'completeness',
        'skipped',
        'The endpoint serves no logs this old: try one with an archive.',
        'archive',
      )
    : lacking(
        'completeness',
        'skipped',
        'The endpoint serves no logs: try another one, or run the verifier where logs are served.',
        'logs',
      )
}

/** The widest range that the endpoint answers, found by halving; undefined if it serves no logs. */
async function servedRange(rpc: Rpc, proof: Proof, first: number, last: number): Promise<number | undefined> {
  for (let range = Math.min(firstRange, last - first + 1); range >= 1; range = Math.floor(range / 2)) {
    try {
      // The middle of the sale: its ends may be quieter.
      const from = Math.max(first, Math.floor((first + last - range) / 2))
      await readPurchases(rpc, proof, from, from + range - 1)
      return range
    } catch (error) {
      if (error instanceof AnswerError) throw error
    }
  }
  return undefined
}

function chooseWindows(
  first: number,
  last: number,
  range: number,
  limit: number,
  random: () => number,
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
