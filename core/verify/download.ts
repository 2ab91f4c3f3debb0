/** Maximum size of a proof or a list: a million payments are 160 MB. */
export const downloadLimit = 512 * 2 ** 20
/** Maximum size of an endpoint's answer: the receipts of a full block are some MB. */
export const answerLimit = 128 * 2 ** 20

/** How long a download may stand still, and how long it may take in all: a site that sends drops would hold it for ever. */
export type Deadlines = { pieceMs: number; totalMs: number }
const defaultDeadlines: Deadlines = { pieceMs: 60_000, totalMs: 3_600_000 }

export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/** Throws TooLargeError if the answer's own length is above the limit. */
export function refuseLarge(response: Response, limit = downloadLimit): void {
  if (Number(response.headers.get('content-length') ?? 0) <= limit) return
  void response.body?.cancel()
  throw new TooLargeError(`${response.url} is larger than ${inMebibytes(limit)}.`)
}

/** The text of an answer; throws TooLargeError above the limit, so a site cannot fill the memory. */
export async function readText(response: Response, limit = downloadLimit, deadlines = defaultDeadlines) {
  refuseLarge(response, limit)
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of readAll(response.body, limit, deadlines))
    text += decoder.decode(bytes, { stream: true })
  return text + decoder.decode()
}

/** Not every browser can iterate over a stream. Cancels it when the reader stops; throws where it is too large or slow. */
export async function* readAll(
  stream: ReadableStream<Uint8Array>,
  limit = downloadLimit,
  { pieceMs, totalMs }: Deadlines = defaultDeadlines,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const end = performance.now() + totalMs
  let read = 0
  try {
    for (;;) {
      const waitMs = Math.min(pieceMs, end - performance.now())
      const { done, value } = await within(waitMs, reader.read())
      if (done) return
      read += value.length
      if (read > limit) throw new TooLargeError(`It is larger than ${inMebibytes(limit)}.`)
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

async function within<T>(waitMs: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('It took too long.')), Math.max(waitMs, 0))
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

export const inMebibytes = (bytes: number): string => `${bytes / 2 ** 20} MiB`
