import { sizeText } from '../frame/numbers.ts'
import { callFile, type FileCall } from '../frame/session.ts'
import { t } from '../language/t.ts'

type Options = {
  file: FileCall
  /** Where the server names none. */
  fallbackName: string
  /** `total` is an estimate while the server is still making the file, exact after that. */
  onBytes: (received: number, total: number | undefined) => void
  signal: AbortSignal
}

/** Fetches a file with the session and hands it to the browser under the name the server gave it. */
export async function download({ file, fallbackName, onBytes, signal }: Options): Promise<void> {
  const response = await callFile(file, signal)
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

/** Progress as text. It stops at 99 %, as an estimated total may be too small. */
export function progressText(received: number, total: number | undefined): string {
  if (received === 0) return t('준비 중')
  if (total === undefined) return t('{received} 받음', { received: sizeText(received) })
  return `${Math.min(99, Math.floor((received / total) * 100))}% (${sizeText(received)})`
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * Prefers the name encoded by RFC 5987, which may be Korean.
 * @internal
 */
export function fileNameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  try {
    if (encoded) return decodeURIComponent(encoded)
  } catch {
    // Invalid encoding: the plain name is used.
  }
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
