import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { t } from '../language/t.ts'
import { callFile, type FileCall } from '../session/session.ts'
import { ActionButton } from './action.tsx'

export type FileProps = FileCall & { fallbackName: string; failure: string }

type ButtonProps = FileProps & { label: string; name: string; size?: 'small' | 'compact' }

export const DownloadButton = ({ label, name, size, fallbackName, failure, ...file }: ButtonProps) => (
  <ActionButton
    action={{
      ...{ name: label, label: () => name, failure, icon: downloadIcon },
      run: () => download(file, fallbackName),
      told: () => [t('다운로드를 마쳤습니다'), t('파일을 저장했습니다.')],
    }}
    {...(size && { size })}
  />
)

/** Hands the file to the browser under the name the server gave it. */
async function download(file: FileCall, fallbackName: string): Promise<void> {
  const response = await callFile(file)
  saveFile(await response.blob(), fileNameIn(response.headers.get('content-disposition')) ?? fallbackName)
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
