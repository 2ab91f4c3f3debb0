import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, type Hex } from 'viem'
import { downloadLimit, inMebibytes, readAll, TooLargeError } from './download.ts'

/** A file as text, as a stream of bytes such as the body of an answer, or as chunks of bytes. */
export type FileSource = string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** What came of reading a file: its fingerprint and size, and the first problem of its form. */
export type ReadFile = { fingerprint: Hex; bytes: number; problem: string | undefined }

/** `tooLong`: what is said of a longer line. */
export type LineLimits = { longest: number; tooLong: string; limit?: number | undefined }

/**
 * Hashes a file and gives each of its lines, without the newline, to `take`, which answers a problem. Yields the number of bytes
 * after each piece. What comes after the first problem is hashed alone: it decides nothing and may be of any size. Throws
 * TooLargeError above the limit.
 */
export async function* readFileLines(
  source: FileSource,
  take: (text: string) => string | undefined,
  { longest, tooLong, limit = downloadLimit }: LineLimits,
): AsyncGenerator<number, ReadFile> {
  const hash = sha256.create()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let problem: string | undefined
  let bytes = 0
  for await (const piece of inPieces(source)) {
    bytes += piece.length
    if (bytes > limit) throw new TooLargeError(`It is larger than ${inMebibytes(limit)}.`)
    hash.update(piece)
    if (problem === undefined) {
      try {
        rest += decoder.decode(piece, { stream: true })
      } catch {
        problem = 'The file is not UTF-8.'
      }
      const texts = rest.split('\n')
      rest = texts.pop() as string
      for (const text of texts) problem ??= take(text)
      if (rest.length > longest) problem ??= tooLong
    }
    yield bytes
  }
  if (problem === undefined && !endsWhole(decoder)) problem = 'The file is not UTF-8.'
  if (rest !== '') problem ??= 'The last line has no end.'
  return { fingerprint: bytesToHex(hash.digest()), bytes, problem }
}

/** Yields what `after` says to each piece, and answers what was read; the source is let go when the reader stops. */
export async function* eachPiece<Event>(
  reading: AsyncGenerator<number, ReadFile>,
  after: (bytes: number) => AsyncGenerator<Event>,
): AsyncGenerator<Event, ReadFile> {
  try {
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return value
      yield* after(value)
    }
  } finally {
    await reading.return(undefined as never)
  }
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

const pieceBytes = 65_536

async function* inPieces(source: FileSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') {
    const encoder = new TextEncoder()
    for (let at = 0; at < source.length; at += pieceBytes)
      yield encoder.encode(source.slice(at, at + pieceBytes))
    return
  }
  for await (const bytes of 'getReader' in source ? readAll(source) : source)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
