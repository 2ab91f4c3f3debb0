import type { Method } from '../frame/api.ts'
import { sizeText } from '../frame/numbers.ts'
import { callRaw } from '../frame/session.ts'

type Options = {
  method: Method
  path: string
  body?: object | undefined
  /** Where the server names none. */
  fallbackName: string
  /** `total` is about right while the server is still making the file, exact after that. */
  onBytes: (received: number, total: number | undefined) => void
  signal: AbortSignal
}

/** Fetches a file with the session and hands it to the browser under the name the server gave it. */
export async function download({
  method,
  path,
  body,
  fallbackName,
  onBytes,
  signal,
}: Options): Promise<void> {
  const response = await callRaw(method, path, { body, signal, timeoutMs: 10 * 60_000 })
  const length = Number(
    response.headers.get('content-length') ?? response.headers.get('x-expected-bytes') ?? 0,
  )
  const total = length > 0 ? length : undefined
  const chunks: BlobPart[] = []
  let received = 0
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) break
    chunks.push(piece.value)
    received += piece.value.byteLength
    onBytes(received, total)
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  saveFile(
    new Blob(chunks, { type }),
    fileNameIn(response.headers.get('content-disposition')) ?? fallbackName,
  )
}

/** How far a download is, in words; a guessed total never says that it is done before it is. */
export function progressText(received: number, total: number | undefined): string {
  if (received === 0) return '준비 중'
  if (total === undefined) return `${sizeText(received)} 받음`
  return `${Math.min(99, Math.floor((received / total) * 100))}% (${sizeText(received)})`
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * The name of RFC 5987 first: it may be Korean.
 * @internal
 */
export function fileNameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  try {
    if (encoded) return decodeURIComponent(encoded)
  } catch {
    // Badly encoded: the plain name is used.
  }
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
