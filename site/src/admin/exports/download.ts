import { t } from '../language/t.ts'
import { callFile, type FileCall } from '../session/session.ts'
import { sizeText } from '../ui/numbers.ts'

type Options = {
  file: FileCall
  /** Where the server names none. */
  fallbackName: string
  /** How many have come: the server makes the file as it is read, and does not know its size. */
  onBytes: (received: number) => void
  signal: AbortSignal
}

/** Fetches a file with the session and hands it to the browser under the name the server gave it. */
export async function download({ file, fallbackName, onBytes, signal }: Options): Promise<void> {
  const response = await callFile(file, signal)
  const chunks: BlobPart[] = []
  let received = 0
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) break
    chunks.push(piece.value)
    received += piece.value.byteLength
    onBytes(received)
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  saveFile(
    new Blob(chunks, { type }),
    fileNameIn(response.headers.get('content-disposition')) ?? fallbackName,
  )
}

/** Progress as text. */
export const progressText = (received: number): string =>
  received === 0 ? t('준비 중') : t('{received} 받음', { received: sizeText(received) })

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
