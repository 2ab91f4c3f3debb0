import uploadIcon from 'lucide-static/icons/upload.svg?raw'
import { useEffect, useId, useRef, useState } from 'react'
import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { uploadImage, wrongImage } from '../event/upload.ts'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { errorText } from '../ui/error-text.ts'
import { Progress } from '../ui/Progress.tsx'
import { BothFields, useContentForm } from './ContentForm.tsx'
import { type ContentDraft, type DraftPicture, newPicture } from './content-draft.ts'
import styles from './PrizePictures.module.css'
import { pictureUrl } from './picture-url.ts'
import { RowTools } from './RowTools.tsx'

type Upload = { id: number; name: string; part: number; error?: string }
/** `id`: of the prize, which may be moved while its pictures are on their way. */
type Props = { pictures: readonly DraftPicture[]; id: string; path: string }

/** Several files, chosen or dropped; each is uploaded at once, and shown to visitors with the content. */
export function PrizePictures({ pictures, id, path }: Props) {
  const { edit, wrong } = useContentForm()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const input = useRef<HTMLInputElement>(null)
  const abort = useRef(new AbortController())
  const help = useId()
  useEffect(() => {
    abort.current = new AbortController()
    return () => abort.current.abort()
  }, [])
  const running = uploads.filter(({ error }) => !error)
  const room = most.pictures - pictures.length - running.length
  const change = (number: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === number ? { ...one, ...part } : one)))

  async function send(file: File): Promise<void> {
    const number = ++uploaded
    const wrongFile = wrongImage(file)
    setUploads((all) => [
      ...all,
      { id: number, name: file.name, part: 0, ...(wrongFile && { error: wrongFile }) },
    ])
    if (wrongFile) return
    try {
      const { width, height } = await sizeOf(file)
      const url = await uploadImage(file, (part) => change(number, { part }), abort.current.signal)
      edit((draft) => withPicture(draft, id, newPicture({ key: url.split('/').at(-1) ?? '', width, height })))
      setUploads((all) => all.filter((one) => one.id !== number))
    } catch (caught) {
      if (abort.current.signal.aborted) return
      change(number, { error: errorText(caught, t('이미지를 올리지 못했습니다. 다시 시도해주세요.')) })
    }
  }
  async function take(files: FileList | null): Promise<void> {
    setUploads((all) => all.filter(({ error }) => !error))
    const chosen = [...(files ?? [])]
    const rest = chosen.splice(Math.max(0, room))
    for (const { name } of rest)
      setUploads((all) => [
        ...all,
        {
          id: ++uploaded,
          name,
          part: 0,
          error: t('사진은 {pictures}장까지입니다.', { pictures: most.pictures }),
        },
      ])
    // One after another: they keep the order in which they were chosen.
    for (const file of chosen) await send(file)
  }
  return (
    <fieldset
      className={styles.pictures}
      aria-describedby={help}
      tabIndex={-1}
      data-list
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files)
      }}
    >
      <legend>{t('사진')}</legend>
      <p id={help} className="hint">
        {t(
          'JPG 또는 PNG, 5MB 이하, {pictures}장까지. 첫 사진이 티켓에 실립니다. 화면을 보지 않는 사람을 위해 무엇이 보이는지 적어주세요.',
          { pictures: most.pictures },
        )}
      </p>
      {pictures.map((picture, at) => (
        <fieldset
          key={picture.id}
          className={styles.picture}
          aria-label={t('사진 {at}', { at: at + 1 })}
          data-tight
        >
          <img src={pictureUrl(picture)} width={picture.width} height={picture.height} alt="" />
          <div>
            <BothFields label={t('대체 텍스트')} path={`${path}.pictures.${at}.alt`} max={most.alt} isShort />
            {wrong[`${path}.pictures.${at}.key`] && (
              <p className="field-error">{wrong[`${path}.pictures.${at}.key`]}</p>
            )}
          </div>
          <RowTools
            name={t('사진 {at}', { at: at + 1 })}
            path={`${path}.pictures`}
            at={at}
            count={pictures.length}
          />
        </fieldset>
      ))}
      <ul className={styles.uploads} role="status">
        {uploads.map(({ id: number, name, part, error }) => (
          <li key={number}>
            <span className="break">{name}</span>
            {error ? (
              <span className="field-error">{error}</span>
            ) : (
              <>
                <Progress aria-label={t('{name} 올리는 중', { name })} part={part} />
                <span className="figure">{Math.round(part * 100)}%</span>
              </>
            )}
          </li>
        ))}
      </ul>
      <input
        ref={input}
        type="file"
        multiple
        className={styles.file}
        aria-label={t('사진 파일')}
        tabIndex={-1}
        accept="image/jpeg,image/png"
        onChange={({ target }) => {
          void take(target.files).finally(() => {
            // Choosing the same file again uploads it again.
            target.value = ''
          })
        }}
      />
      <Button
        tone="edged"
        size="compact"
        icon={uploadIcon}
        disabled={room <= 0}
        isBusy={running.length > 0}
        onClick={() => input.current?.click()}
      >
        {t('사진 추가')}
      </Button>
    </fieldset>
  )
}

let uploaded = 0

async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const image = await createImageBitmap(file)
  const { width, height } = image
  image.close()
  return { width, height }
}

const withPicture = (draft: ContentDraft, id: string, picture: DraftPicture): ContentDraft => ({
  ...draft,
  prizes: draft.prizes.map((prize) =>
    prize.id === id ? { ...prize, pictures: [...prize.pictures, picture] } : prize,
  ),
})
