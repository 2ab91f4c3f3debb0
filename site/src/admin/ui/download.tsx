import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { callFile, type FileCall } from '../session/session.ts'
import { ActionButton } from './action.tsx'

export type FileProps = FileCall & { fallbackName: string; failure: string }

type ButtonProps = FileProps & { label: string; name: string; size?: 'small' | 'compact' }

export function DownloadButton({ label, name, size, fallbackName, failure, ...file }: ButtonProps) {
  const [bytes, setBytes] = useState(0)
  return (
    <Row as="span">
      <span role="status" className="hint">
        {bytes > 0 && t('{size} MB 받음', { size: (bytes / 1_000_000).toFixed(1) })}
      </span>
      <ActionButton
        action={{
          ...{ name: label, label: () => name, failure, icon: downloadIcon },
          run: () => download(file, fallbackName, setBytes).finally(() => setBytes(0)),
          told: () => [t('다운로드를 마쳤습니다'), t('파일을 저장했습니다.')],
        }}
        {...(size && { size })}
      />
    </Row>
  )
}

/** Hands the file to the browser under the name the server gave it; its size is not known while it comes. */
async function download(file: FileCall, fallbackName: string, onBytes: (received: number) => void) {
  const { body, headers } = await callFile(file)
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      received += chunk.byteLength
      onBytes(received)
      to.enqueue(chunk)
    },
  })
  const saved = await new Response(body?.pipeThrough(counted), { headers }).blob()
  saveFile(saved, fileNameIn(headers.get('content-disposition')) ?? fallbackName)
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Prefers the name encoded by RFC 5987, which may be Korean. @internal */
export function fileNameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  try {
    if (encoded) return decodeURIComponent(encoded)
  } catch {}
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
