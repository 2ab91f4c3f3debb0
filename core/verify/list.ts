import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, type Hex } from 'viem'
import { mostTickets, ticketsFor } from '../money.ts'
import { type LedgerLine, ledgerHeader, parseLedgerLine } from '../payment/ledger.ts'
import { downloadLimit, inMebibytes, TooLargeError } from './download.ts'
import { createPause, differing, failed, passed, type VerifyEvent, type VerifyResult } from './steps.ts'

/** What the proof says of the file; all of it is unknown for an event that was not drawn. */
export type ListClaim = { sha256?: Hex; lines?: number; ticketsSold?: number }

/** The list as it was read; `lines` stay texts, as a million objects would fill the memory. */
export type ReadList = { lines: string[]; isBroken: boolean; ticketsSold: number; sha256: Hex }

/** Yields both steps' results; after the first problem of form the rest is hashed alone. Throws TooLargeError. */
export async function* checkList(
  source: AsyncIterable<Uint8Array>,
  price: bigint,
  claim: ListClaim,
  limit = downloadLimit,
): AsyncGenerator<VerifyEvent, ReadList> {
  const hash = sha256.create()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const walk = createWalk(price)
  const pause = createPause()
  let rest = ''
  let bytes = 0
  let problem: VerifyResult | undefined
  for await (const piece of inPieces(source)) {
    bytes += piece.length
    if (bytes > limit) throw new TooLargeError(`It is larger than ${inMebibytes(limit)}.`)
    hash.update(piece)
    if (problem === undefined) {
      const decoded = decode(decoder, piece)
      const texts = `${rest}${decoded ?? ''}`.split('\n')
      rest = texts.pop() as string
      for (const text of texts) problem ??= walk.take(text)
      if (decoded === undefined) problem ??= failed('lines', 'notUtf8', {})
      if (rest.length > longestLine) problem ??= failed('lines', 'lineTooLong', { line: walk.count })
    }
    if (bytes > 1_000_000 && claim.lines)
      yield { kind: 'progress', step: 'lines', done: Math.min(walk.count, claim.lines), total: claim.lines }
    await pause()
  }
  if (problem === undefined && decode(decoder) === undefined) problem = failed('lines', 'notUtf8', {})
  if (rest !== '') problem ??= failed('lines', 'noLastNewline', {})
  problem ??= walk.end(claim)
  const found = bytesToHex(hash.digest())
  const { lines, ticketsSold } = walk
  yield claim.sha256 === undefined || found === claim.sha256
    ? passed('list', 'listHashed', { sha256: found, bytes })
    : failed('list', 'otherList', { expected: claim.sha256, actual: found })
  yield problem ?? passed('lines', 'linesRight', { payments: lines.length, tickets: ticketsSold })
  return { lines, isBroken: problem !== undefined, ticketsSold, sha256: found }
}

/** Checks the lines in their order; `take` and `end` answer the first problem. */
function createWalk(price: bigint) {
  let before: LedgerLine | undefined
  const walk = {
    /** Lines taken, the header among them. */
    count: 0,
    lines: [] as string[],
    ticketsSold: 0,
    take(text: string): VerifyResult | undefined {
      const line = walk.count++
      if (line === 0) return `${text}\n` === ledgerHeader ? undefined : failed('lines', 'noHeader', {})
      const read = parseLedgerLine(text)
      if (!read) return failed('lines', 'lineForm', { line, text: text.slice(0, 80) })
      const { ticketNumber: actual, ticketCount: tickets, value } = read
      const expected = walk.ticketsSold + 1
      if (actual !== expected) return failed('lines', 'lineTicket', { line, expected, actual })
      if (ticketsFor(value, price) !== tickets)
        return failed('lines', 'lineCount', { line, tickets, units: `${value}` })
      if (before && isBefore(read, before)) return failed('lines', 'lineOrder', { line })
      walk.ticketsSold += tickets
      if (walk.ticketsSold > mostTickets) return failed('lines', 'lineBeyond', { line, most: mostTickets })
      before = read
      walk.lines.push(text)
      return undefined
    },
    end({ lines, ticketsSold }: ListClaim): VerifyResult | undefined {
      if (walk.count === 0) return failed('lines', 'noHeader', {})
      const found = { lines: walk.lines.length, ticketsSold: walk.ticketsSold }
      return differing('lines', found, {
        lines: lines ?? found.lines,
        ticketsSold: ticketsSold ?? found.ticketsSold,
      })
    },
  }
  return walk
}

type InChain = Pick<LedgerLine, 'blockNumber' | 'transactionIndex'>

/** Several payers of one transaction share an index; their logs give the order between them. */
export const isBefore = (a: InChain, b: InChain): boolean =>
  a.blockNumber < b.blockNumber ||
  (a.blockNumber === b.blockNumber && a.transactionIndex < b.transactionIndex)

/** Seven numbers and texts in their longest form have 251 characters. */
const longestLine = 300

/** Undefined for bytes that are no UTF-8. Without a piece: whether the file ends in the middle of a character. */
function decode(decoder: TextDecoder, piece?: Uint8Array): string | undefined {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    return undefined
  }
}

const pieceBytes = 65_536

async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

export function lineOfTicket(texts: readonly string[], ticket: number): LedgerLine | undefined {
  let low = 0
  let high = texts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Number.parseInt(texts[middle] as string, 10) <= ticket) low = middle
    else high = middle - 1
  }
  const line = parseLedgerLine(texts[low] ?? '')
  return line && ticket < line.ticketNumber + line.ticketCount ? line : undefined
}
