import type { Proof } from '../draw/proof.ts'
import { ticketsFor } from '../money.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../payment/ledger.ts'
import { eachPiece, type FileSource, readFileLines } from './file-lines.ts'
import { createRoom } from './room.ts'
import { createPause, failed, passed, type VerifyEvent } from './steps.ts'

/** As any file that is read line by line. */
export type LedgerSource = FileSource

/**
 * The list as it was read; `lines` stay texts, as a million objects would fill the memory. `trouble` says why
 * nothing can be compared with the list.
 */
export type ReadLedger = { lines: string[]; trouble: string | undefined; winner: LedgerLine | undefined }

/** Reads the file once: fingerprint, form, order, gaps, tickets for the money. Yields both steps' results. */
export async function* checkLedger(
  source: LedgerSource,
  proof: Proof,
  limit?: number,
): AsyncGenerator<VerifyEvent, ReadLedger> {
  const lines: string[] = []
  const walk = createWalk(proof)
  const pause = createPause()
  const take = (text: string) => {
    const problem = walk.take(text)
    lines.push(text)
    return problem
  }
  const tooLong = 'A line is longer than any line of a list.'
  const reading = readFileLines(source, take, { longest: longestLine, tooLong, limit })
  const read = yield* eachPiece(reading, async function* (bytes) {
    await pause()
    if (bytes > 1_000_000)
      yield {
        kind: 'progress',
        step: 'lines',
        done: Math.min(lines.length, proof.ledger.lines),
        total: proof.ledger.lines,
      }
  })
  const { fingerprint, bytes } = read
  yield fingerprint === proof.ledger.sha256
    ? passed('ledger', `SHA-256 of the ${bytes.toLocaleString('en-US')} bytes of the file: ${fingerprint}.`)
    : failed('ledger', 'The file is not the one that was fingerprinted.', proof.ledger.sha256, fingerprint)
  const problem = read.problem ?? walk.end()
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

/** Seven numbers and texts in their longest form have 251 characters. */
const longestLine = 300

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
