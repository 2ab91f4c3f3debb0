import uploadIcon from 'lucide-static/icons/upload.svg?raw'
import { type InputHTMLAttributes, type ReactNode, useRef, useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { AdminError, api, call } from '../session/session.ts'
import { Button, useAction } from '../ui/action.tsx'
import { errorText } from '../ui/error-text.ts'

type Props = {
  room: number
  tooMany: string
  button: string
  input: InputHTMLAttributes<HTMLInputElement>
  onDone: (url: string, file: File) => unknown
  children?: ReactNode
}

const failure = t('이미지를 올리지 못했습니다. 다시 시도해주세요.')

/** Pictures, chosen or dropped: uploaded at once, one after another, so that they keep their order. */
export function Uploads({ room, tooMany, button, input, onDone, children }: Props) {
  const [wrong, setWrong] = useState<readonly { name: string; error: string }[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const [take, isBusy] = useAction(failure, async (chosen: FileList | null) => {
    setWrong([])
    for (const [at, file] of [...(chosen ?? [])].entries())
      try {
        const error = at < room ? wrongImage(file) : tooMany
        if (error) setWrong((known) => [...known, { name: file.name, error }])
        else await onDone(await uploadImage(file), file)
      } catch (caught) {
        setWrong((known) => [...known, { name: file.name, error: errorText(caught, failure) }])
      }
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button does the same
    <div
      className="stack"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (isBusy) showToast(t('앞의 이미지를 다 올린 뒤에 다시 놓아주세요'), '', 'bad')
        else void take(event.dataTransfer.files)
      }}
    >
      <ul className="stack gap-4" role="status">
        {wrong.map(({ name, error }) => (
          <Row as="li" key={`${name} ${error}`} className="size-14">
            <span className="break">{name}</span>
            <span className="field-error">{error}</span>
          </Row>
        ))}
      </ul>
      <input
        {...input}
        ref={chooser}
        type="file"
        disabled={isBusy}
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
          disabled={room <= 0}
          isBusy={isBusy}
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

/** With one PUT to a signed URL; the image is at that URL without its query. */
async function uploadImage(file: File): Promise<string> {
  const { uploadURL } = await call(() => api.upload.image.post({ contentType: file.type, size: file.size }))
  const response = await fetch(uploadURL, {
    ...{ method: 'PUT', body: file, signal: AbortSignal.timeout(120_000) },
    headers: { 'content-type': file.type },
  })
  if (!response.ok) throw new AdminError(response.status, (await response.text()) || response.statusText)
  return uploadURL.split('?', 1)[0] ?? uploadURL
}
