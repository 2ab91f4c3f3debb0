import uploadIcon from 'lucide-static/icons/upload.svg?raw'
import { type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import meter from '../../shell/shell.module.css'
import { t } from '../language/t.ts'
import { AdminError, api, call, within } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { errorText, Trouble } from '../ui/error-text.ts'
import { sizeText } from '../ui/format.ts'
import styles from './content.module.css'

type Upload = { id: number; name: string; part: number; error?: string; abort?: AbortController }
type Props = {
  room: number
  tooMany: string
  button: string
  input: InputHTMLAttributes<HTMLInputElement>
  onDone: (url: string, file: File) => unknown
  children?: ReactNode
}

let uploaded = 0

/** Pictures, chosen or dropped: uploaded at once, one after another, so that they keep their order. */
export function Uploads({ room, tooMany, button, input, onDone, children }: Props) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const all = useRef(new Set<AbortController>())
  useEffect(() => {
    const { current } = all
    return () => {
      for (const abort of current) abort.abort()
    }
  }, [])
  const running = uploads.filter(({ error }) => !error)
  const remove = (id: number) => setUploads((known) => known.filter((one) => one.id !== id))
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((known) => known.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const add = (file: File, rest: Partial<Upload>): number => {
    const id = ++uploaded
    const name = `${file.name} (${sizeText(file.size)})`
    setUploads((known) => [...known, { id, name, part: 0, ...rest }])
    return id
  }

  async function send(file: File): Promise<void> {
    const error = wrongImage(file)
    if (error) return void add(file, { error })
    const abort = new AbortController()
    all.current.add(abort)
    const id = add(file, { abort })
    try {
      const url = await uploadImage(file, (part) => change(id, { part }), abort.signal)
      await onDone(url, file)
      remove(id)
    } catch (caught) {
      if (abort.signal.aborted) remove(id)
      else change(id, { error: errorText(caught, t('이미지를 올리지 못했습니다. 다시 시도해주세요.')) })
    }
  }
  async function take(files: FileList | null): Promise<void> {
    setUploads((known) => known.filter(({ error }) => !error))
    const chosen = [...(files ?? [])]
    for (const file of chosen.splice(Math.max(0, room - running.length))) add(file, { error: tooMany })
    for (const file of chosen) await send(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button does the same
    <div
      className="stack"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files)
      }}
    >
      <ul className="stack gap-4" role="status">
        {uploads.map(({ id, name, part, error, abort }) => (
          <Row as="li" key={id} className="size-14">
            <span className="break">{name}</span>
            {error ? (
              <span className="field-error">{error}</span>
            ) : (
              <>
                <div
                  role="progressbar"
                  aria-label={t('{name} 올리는 중', { name })}
                  aria-valuenow={Math.round(part * 100)}
                  className={`${meter.meter} ${styles.bar}`}
                >
                  <span style={{ transform: `scaleX(${part})` }} />
                </div>
                <span className="figure">{Math.round(part * 100)}%</span>
                <Button tone="plain" size="compact" onClick={() => abort?.abort()}>
                  {t('취소')}
                </Button>
              </>
            )}
          </Row>
        ))}
      </ul>
      <input
        {...input}
        ref={chooser}
        type="file"
        className="visually-hidden"
        accept="image/jpeg,image/png"
        onChange={({ target }) => {
          void take(target.files).finally(() => {
            // Choosing the same file again uploads it again.
            target.value = ''
          })
        }}
      />
      <Row>
        <Button
          writes
          tone="edged"
          size="compact"
          icon={uploadIcon}
          disabled={room <= running.length}
          isBusy={running.length > 0}
          onClick={() => chooser.current?.click()}
        >
          {button}
        </Button>
        {children}
      </Row>
    </div>
  )
}

const maxImageBytes = 5_242_880
const imageTypes = ['image/jpeg', 'image/png']

/** What is wrong with a chosen file; undefined if it can be uploaded. @internal */
export function wrongImage(file: { type: string; size: number }): string | undefined {
  if (!imageTypes.includes(file.type)) return t('JPG 또는 PNG 이미지만 올릴 수 있습니다.')
  if (file.size > maxImageBytes) return t('이미지는 5MB 이하여야 합니다.')
  if (file.size === 0) return t('빈 파일입니다.')
  return undefined
}

/** Uploads with one PUT to a signed URL; the image is at that URL without its query. `onPart`: 0 to 1. */
async function uploadImage(file: File, onPart: (part: number) => void, signal: AbortSignal): Promise<string> {
  const body = { contentType: file.type, size: file.size }
  const { uploadURL } = await call(() => api.upload.image.post(body, within(30_000, signal)))
  await put(uploadURL, file, onPart, signal)
  return uploadURL.split('?', 1)[0] ?? uploadURL
}

/** XMLHttpRequest, because `fetch` does not report upload progress. */
const put = (url: string, file: File, onPart: (part: number) => void, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
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
