import { pad } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { ledgerTextWithoutNumber, parseLedgerLine } from '../ledger.ts'
import { ticketsFor } from '../money.ts'
import { decodeTransfer, groupPayments, type Payment, transferTopic } from '../payment.ts'
import { AnswerError, firstBlockSince, getFinal, getLogs, type Header } from './chain.ts'
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
  /** So many log queries at most; of a longer sale a random part is read. */
  logCalls: number
  random: () => number
}

const zeroAddress = `0x${'0'.repeat(40)}`
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
  // Lines stand in chain order, and only those between the two are compared with the chain below.
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
  for (const [index, from] of windows.entries()) {
    const to = Math.min(from + range - 1, last)
    while (at < texts.length && blockOf(texts[at] as string) < from) at += 1
    for (const payment of await paymentsIn(rpc, proof, from, to)) {
      if (lineOf(texts[at]) !== textOf(payment, proof)) {
        yield failed(
          'completeness',
          'The chain and the list differ here.',
          textOf(payment, proof),
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
  const text = `Transfers of ${share} of the sale: exactly the payments of the list.`
  yield read < blocks ? partial('completeness', text) : passed('completeness', text)
}

/** The endpoint may serve no logs at all, or none that are this old. */
async function withoutLogs(rpc: Rpc, proof: Proof, { number }: Header): Promise<VerifyResult> {
  const hasNewLogs = await paymentsIn(rpc, proof, number, number).then(
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

async function paymentsIn(rpc: Rpc, proof: Proof, from: number, to: number): Promise<Payment[]> {
  const topics = [transferTopic, null, pad(proof.operatorWallet)]
  const logs = await getLogs(rpc, { address: proof.token, topics, from, to })
  const transfers = logs.flatMap((log) => decodeTransfer(log, proof.token) ?? [])
  return groupPayments(transfers, new Set([proof.operatorWallet])).filter(
    ({ payer, wallet, units }) =>
      payer !== wallet && payer !== zeroAddress && ticketsFor(units, BigInt(proof.ticketPrice)) > 0,
  )
}

/** The widest range that the endpoint answers, by halving; undefined where it serves none at all. */
async function servedRange(rpc: Rpc, proof: Proof, first: number, last: number): Promise<number | undefined> {
  for (let range = Math.min(firstRange, last - first + 1); range >= 1; range = Math.floor(range / 2)) {
    try {
      // The middle of the sale: its ends may be quieter.
      const from = Math.max(first, Math.floor((first + last - range) / 2))
      await paymentsIn(rpc, proof, from, from + range - 1)
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

const textOf = (payment: Payment, proof: Proof): string =>
  ledgerTextWithoutNumber({
    ...payment,
    ticketCount: ticketsFor(payment.units, BigInt(proof.ticketPrice)),
    value: payment.units,
  })

/** A line without its ticket number, which the chain does not tell. */
const lineOf = (text: string | undefined): string =>
  text === undefined ? 'no line' : text.slice(text.indexOf(',') + 1)

const blockOf = (text: string): number => Number(parseLedgerLine(text)?.blockNumber ?? 0n)
