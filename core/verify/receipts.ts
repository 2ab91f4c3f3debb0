import type { Proof } from '../draw/proof.ts'
import { type LedgerLine, parseLedgerLine } from '../payment/ledger.ts'
import { decodeTransfer } from '../payment/payment.ts'
import { getReceiptAt, mustGetHeader } from './chain.ts'
import { indexOfTicket } from './ledger.ts'
import { failed, firstProblem, type Memory, partial, passed, type Rpc, type VerifyEvent } from './steps.ts'

export type SampleOptions = {
  /** Number of lines looked up; a shorter list is checked whole. */
  sample: number
  /** 0 <= number < 1. */
  random: () => number
  /** Lines looked up at the same time. */
  atOnce: number
  /** Used where every line is looked up. */
  memory?: Memory | undefined
}

/** Looks lines up on the chain by block and transaction index: all of a short list, else a random sample. */
export async function* checkReceipts(
  rpc: Rpc,
  proof: Proof,
  texts: readonly string[],
  options: SampleOptions,
): AsyncGenerator<VerifyEvent> {
  const chosen = choose(texts, proof, options)
  const memory = chosen.length === texts.length ? options.memory : undefined
  const start = Math.min(memory?.load().lines ?? 0, chosen.length)
  // The block's header and its receipts.
  const requests = 2 * (chosen.length - start)
  yield { kind: 'progress', step: 'receipts', done: start, total: chosen.length, requests }
  for (let at = start; at < chosen.length; at += options.atOnce) {
    const problem = await firstProblem(
      chosen.slice(at, at + options.atOnce).map((line) => problemOfLine(rpc, proof, line)),
    )
    if (problem) {
      yield failed('receipts', problem.text, problem.expected, problem.actual)
      return
    }
    const done = Math.min(at + options.atOnce, chosen.length)
    memory?.keep({ lines: done })
    yield { kind: 'progress', step: 'receipts', done, total: chosen.length }
  }
  const share =
    chosen.length < texts.length
      ? `${chosen.length} of ${texts.length.toLocaleString('en-US')} payments, chosen at random, with the first, the last and the winner's`
      : `Every payment (${chosen.length})`
  const text = `${share}: transaction, place, payer, amount and time are those of the chain.`
  yield chosen.length < texts.length ? partial('receipts', text) : passed('receipts', text)
}

type Problem = { text: string; expected?: unknown; actual?: unknown }

/** Why a line is not what the chain's receipts say; undefined where it is. */
export async function problemOfLine(rpc: Rpc, proof: Proof, line: LedgerLine): Promise<Problem | undefined> {
  const block = Number(line.blockNumber)
  const name = `Ticket ${line.ticketNumber}`
  const header = await mustGetHeader(rpc, block)
  const [start, end] = [Date.parse(proof.saleStart) / 1000, Date.parse(proof.saleEndDate) / 1000]
  if (header.timestamp < start || header.timestamp >= end)
    return {
      text: `${name} was not paid during the sale.`,
      expected: `${start} to ${end - 1}`,
      actual: header.timestamp,
    }
  const own = proof.ownWallets.find(({ address }) => address === line.payer)
  if (own && header.timestamp >= Date.parse(own.since) / 1000)
    return { text: `${name} was paid by a wallet of the operator.`, actual: line.payer }
  const receipt = await getReceiptAt(rpc, block, line.transactionIndex)
  if (!receipt)
    return { text: `${name}: there is no transaction ${line.transactionIndex} in block ${block}.` }
  if (receipt.transactionHash !== line.transactionHash)
    return {
      text: `${name}: another transaction stands there.`,
      expected: receipt.transactionHash,
      actual: line.transactionHash,
    }
  if (!receipt.isSuccess) return { text: `${name}: the transaction failed.` }
  const paid = receipt.logs
    .flatMap((log) => decodeTransfer(log, proof.token) ?? [])
    .filter(({ from, to }) => from === line.payer && to === proof.operatorWallet)
    .reduce((sum, { value }) => sum + value, 0n)
  return paid === line.value
    ? undefined
    : { text: `${name}: ${line.payer} paid another amount.`, expected: paid, actual: line.value }
}

function choose(texts: readonly string[], proof: Proof, { sample, random }: SampleOptions): LedgerLine[] {
  if (texts.length <= sample) return texts.flatMap((text) => parseLedgerLine(text) ?? [])
  const indexes = new Set([0, texts.length - 1, indexOfTicket(texts, proof.winningTicket)])
  while (indexes.size < sample) indexes.add(Math.floor(random() * texts.length))
  return [...indexes].sort((a, b) => a - b).flatMap((index) => parseLedgerLine(texts[index] as string) ?? [])
}
