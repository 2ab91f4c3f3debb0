import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { useEffect, useRef, useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { callFile, type FileCall, failed } from '../session/session.ts'
import { Button } from './action.tsx'
import { sizeText } from './format.ts'

export type FileProps = FileCall & { fallbackName: string; failure: string }

type ButtonProps = FileProps & { label: string; name: string; size?: 'small' | 'compact' }

export function DownloadButton({ label, name, size = 'small', fallbackName, failure, ...file }: ButtonProps) {
  const [progress, setProgress] = useState<number>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const isBusy = progress !== undefined
  const start = async () => {
    const own = new AbortController()
    abort.current = own
    setProgress(0)
    try {
      await download(file, fallbackName, setProgress, own.signal)
      showToast(t('다운로드를 마쳤습니다'), t('파일을 저장했습니다.'), 'good')
    } catch (error) {
      if (!own.signal.aborted) failed(failure, error)
    }
    if (abort.current === own) setProgress(undefined)
  }
  const cancel = () => {
    abort.current?.abort()
    setProgress(undefined)
  }
  return (
    <Row as="span">
      <span role="status" className="hint">
        {isBusy && progressText(progress)}
      </span>
      {isBusy && (
        <Button tone="plain" size={size} onClick={cancel}>
          {t('취소')}
        </Button>
      )}
      <Button
        {...{ tone: 'edged', size, icon: downloadIcon, isBusy }}
        aria-label={name}
        onClick={() => void start()}
      >
        {label}
      </Button>
    </Row>
  )
}

/** Hands the file to the browser under the name the server gave it, whose size nobody knows while it is read. */
async function download(
  file: FileCall,
  fallbackName: string,
  onBytes: (received: number) => void,
  signal: AbortSignal,
): Promise<void> {
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

/** @internal */
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

/** Prefers the name encoded by RFC 5987, which may be Korean. @internal */
export function fileNameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  try {
    if (encoded) return decodeURIComponent(encoded)
  } catch {}
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1]
}
