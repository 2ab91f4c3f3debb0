import uploadIcon from 'lucide-static/icons/upload.svg?raw'
import { type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { errorText } from '../ui/error-text.ts'
import { sizeText } from '../ui/numbers.ts'
import styles from './content.module.css'
import { uploadImage, wrongImage } from './upload.ts'

type Upload = { id: number; name: string; part: number; error?: string; abort?: AbortController }
type Props = {
  /** How many more there may be, and what is said of those beyond. */
  room: number
  tooMany: string
  button: string
  input: InputHTMLAttributes<HTMLInputElement>
  /** With each picture that the server has. */
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
      <ul className={styles.uploads} role="status">
        {uploads.map(({ id, name, part, error, abort }) => (
          <Row as="li" key={id} className="size-14">
            <span className="break">{name}</span>
            {error ? (
              <span className="field-error">{error}</span>
            ) : (
              <>
                <progress
                  aria-label={t('{name} 올리는 중', { name })}
                  className={styles.bar}
                  max={1}
                  value={part}
                />
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
        className={styles.file}
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
