import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../ledger.ts'
import { ticketsFor } from '../money.ts'
import { downloadLimit, inMebibytes, readAll, TooLargeError } from './download.ts'
import { createRoom } from './room.ts'
import { createPause, failed, passed, type VerifyEvent } from './steps.ts'

/** The file as text, as a stream of bytes such as the body of an answer, or as chunks of bytes. */
export type LedgerSource = string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * The list as it was read; `lines` stay texts, as a million objects would fill the memory. `trouble` says why
 * nothing can be compared with the list.
 */
export type ReadLedger = { lines: string[]; trouble: string | undefined; winner: LedgerLine | undefined }

/** Reads the file once: fingerprint, form, order, gaps, tickets for the money. Yields both steps' results. */
export async function* checkLedger(
  source: LedgerSource,
  proof: Proof,
  limit = downloadLimit,
): AsyncGenerator<VerifyEvent, ReadLedger> {
  const hash = sha256.create()
  const lines: string[] = []
  const walk = createWalk(proof)
  const pause = createPause()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let problem: string | undefined
  let bytesRead = 0
  for await (const bytes of inPieces(source)) {
    bytesRead += bytes.length
    if (bytesRead > limit) throw new TooLargeError(`It is larger than ${inMebibytes(limit)}.`)
    hash.update(bytes)
    // Text after the first problem decides nothing and may be of any size.
    if (problem === undefined) {
      try {
        rest += decoder.decode(bytes, { stream: true })
      } catch {
        problem = 'The file is not UTF-8.'
      }
      const texts = rest.split('\n')
      rest = texts.pop() as string
      for (const text of texts) {
        problem ??= walk.take(text)
        lines.push(text)
      }
      if (rest.length > longestLine) problem ??= 'A line is longer than any line of a list.'
    }
    await pause()
    if (bytesRead > 1_000_000)
      yield {
        kind: 'progress',
        step: 'lines',
        done: Math.min(lines.length, proof.ledger.lines),
        total: proof.ledger.lines,
      }
  }
  if (problem === undefined && !endsWhole(decoder)) problem = 'The file is not UTF-8.'
  const fingerprint = bytesToHex(hash.digest())
  yield fingerprint === proof.ledger.sha256
    ? passed(
        'ledger',
        `SHA-256 of the ${bytesRead.toLocaleString('en-US')} bytes of the file: ${fingerprint}.`,
      )
    : failed('ledger', 'The file is not the one that was fingerprinted.', proof.ledger.sha256, fingerprint)
  problem ??= rest === '' ? walk.end() : 'The last line has no end.'
  lines.shift()
  yield problem
    ? failed('lines', problem)
    : passed(
        'lines',
        `Payments: ${proof.ledger.lines.toLocaleString('en-US')}; tickets 1 to ${proof.ticketsSold.toLocaleString('en-US')}: each in chain order, each with as many tickets as its money buys.`,
      )
  const trouble = problem && 'The list itself is broken.'
  return { lines, trouble, winner: walk.winner }
}

/** False where the file ends in the middle of a character. */
function endsWhole(decoder: TextDecoder): boolean {
  try {
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Checks the lines in their order; `take` and `end` return the first problem. */
function createWalk(proof: Proof) {
  const price = BigInt(proof.ticketPrice)
  const room = createRoom(proof)
  let count = -1
  let next = 1
  let before: LedgerLine | undefined
  const walk = {
    winner: undefined as LedgerLine | undefined,
    take(text: string): string | undefined {
      count += 1
      if (count === 0) return `${text}\n` === ledgerHeader ? undefined : 'The first line is not the header.'
      const line = parseLedgerLine(text)
      if (!line) return `Line ${count} is not in its one form: ${text.slice(0, 80)}`
      if (line.ticketNumber !== next)
        return `Line ${count} begins with ticket ${line.ticketNumber}, not ${next}.`
      if (ticketsFor(line.value, price) !== line.ticketCount)
        return `Line ${count} has ${line.ticketCount} tickets for ${line.value} units.`
      if (before && isBefore(line, before)) return `Line ${count} is not in chain order.`
      before = line
      if (next - 1 + line.ticketCount > room.maxTickets)
        return `Line ${count} goes beyond ${room.maxTickets} tickets.`
      if (!room.has(next - 1, line.payer, line.ticketCount))
        return `Line ${count} gives its payer more than ${room.maxPerWallet} tickets.`
      room.take(line.payer, line.ticketCount)
      next += line.ticketCount
      if (line.ticketNumber <= proof.winningTicket && proof.winningTicket < next) walk.winner = line
      return undefined
    },
    end(): string | undefined {
      if (count !== proof.ledger.lines)
        return `Payments in the file: ${Math.max(count, 0)}; in the proof: ${proof.ledger.lines}.`
      if (next - 1 !== proof.ticketsSold)
        return `The file has ${next - 1} tickets, the proof says ${proof.ticketsSold}.`
      return undefined
    },
  }
  return walk
}

/** Several payers of one transaction share an index; their logs give the order between them. */
const isBefore = (a: LedgerLine, b: LedgerLine): boolean =>
  a.blockNumber < b.blockNumber ||
  (a.blockNumber === b.blockNumber && a.transactionIndex < b.transactionIndex)

const pieceBytes = 65_536
/** Seven numbers and texts in their longest form have 251 characters. */
const longestLine = 300

async function* inPieces(source: LedgerSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') {
    const encoder = new TextEncoder()
    for (let at = 0; at < source.length; at += pieceBytes)
      yield encoder.encode(source.slice(at, at + pieceBytes))
    return
  }
  for await (const bytes of 'getReader' in source ? readAll(source) : source)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** Index of the line that holds a ticket: the last one that begins at or before it. */
export function indexOfTicket(texts: readonly string[], ticket: number): number {
  let low = 0
  let high = texts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Number.parseInt(texts[middle] as string, 10) <= ticket) low = middle
    else high = middle - 1
  }
  return low
}
