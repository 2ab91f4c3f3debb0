import { t } from '../language/t.ts'
import { AdminError, api, within } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Trouble } from '../ui/error-text.ts'

const maxImageBytes = 5_242_880
const imageTypes = ['image/jpeg', 'image/png']

/** What is wrong with a chosen file; undefined if it can be uploaded. */
export function wrongImage(file: { type: string; size: number }): string | undefined {
  if (!imageTypes.includes(file.type)) return t('JPG 또는 PNG 이미지만 올릴 수 있습니다.')
  if (file.size > maxImageBytes) return t('이미지는 5MB 이하여야 합니다.')
  if (file.size === 0) return t('빈 파일입니다.')
  return undefined
}

/** Uploads with one PUT to a signed URL; the image is at that URL without its query. `onPart`: 0 to 1. */
export async function uploadImage(
  file: File,
  onPart: (part: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const body = { contentType: file.type, size: file.size }
  const { uploadURL } = await call(() => api.upload.image.post(body, within(30_000, signal)))
  await put(uploadURL, file, onPart, signal)
  return uploadURL.split('?', 1)[0] ?? uploadURL
}

/** XMLHttpRequest, because `fetch` does not report upload progress. */
function put(url: string, file: File, onPart: (part: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', file.type)
    request.timeout = 120_000
    request.upload.onprogress = ({ loaded, total }) => onPart(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new AdminError(request.status, request.responseText || request.statusText))
    }
    request.onerror = () => reject(new TypeError('the upload was cut'))
    request.ontimeout = () => reject(new Trouble(t('업로드가 너무 오래 걸렸습니다. 다시 시도해주세요.')))
    request.onabort = () => reject(new DOMException('given up', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
