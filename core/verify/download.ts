/** Maximum size of a proof or a list: a million payments are 160 MB. */
export const downloadLimit = 512 * 2 ** 20
/** Maximum size of an endpoint's answer: the receipts of a full block are some MB. */
export const answerLimit = 128 * 2 ** 20

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
export async function readText(response: Response, limit = downloadLimit): Promise<string> {
  refuseLarge(response, limit)
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let [text, read] = ['', 0]
  for await (const bytes of readAll(response.body)) {
    read += bytes.length
    if (read > limit) throw new TooLargeError(`It is larger than ${inMebibytes(limit)}.`)
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}

/** Not every browser can iterate over a stream. Cancels it when the reader stops. */
export async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

export const inMebibytes = (bytes: number): string => `${bytes / 2 ** 20} MiB`
