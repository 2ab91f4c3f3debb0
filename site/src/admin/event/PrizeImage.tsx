import imageIcon from 'lucide-static/icons/image.svg?raw'
import uploadIcon from 'lucide-static/icons/upload.svg?raw'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { errorText } from '../ui/error-text.ts'
import { Field } from '../ui/Field.tsx'
import { sizeText } from '../ui/numbers.ts'
import { Progress } from '../ui/Progress.tsx'
import rowStyles from '../ui/Rows.module.css'
import styles from './PrizeImage.module.css'
import { uploadImage, wrongImage } from './upload.ts'

type Props = { url: string; onChange: (url: string) => void }

/** One file, chosen or dropped: uploaded at once, and shown to visitors when the form is saved. */
export function PrizeImage({ url, onChange }: Props) {
  const [part, setPart] = useState<number>()
  const [error, setError] = useState<string>()
  const [broken, setBroken] = useState('')
  const [file, setFile] = useState<{ name: string; size: number }>()
  const input = useRef<HTMLInputElement>(null)
  const abort = useRef<AbortController>(undefined)
  const barId = useId()
  useEffect(() => () => abort.current?.abort(), [])

  const send = async (chosen: File) => {
    const wrong = wrongImage(chosen)
    setError(wrong)
    if (wrong) return
    const own = new AbortController()
    abort.current = own
    setFile({ name: chosen.name, size: chosen.size })
    setPart(0)
    try {
      onChange(await uploadImage(chosen, setPart, own.signal))
    } catch (caught) {
      if (!own.signal.aborted)
        setError(errorText(caught, t('이미지를 올리지 못했습니다. 다시 시도해주세요.')))
    }
    if (abort.current === own) setPart(undefined)
  }
  const take = (files: FileList | null) => {
    if (files && files.length > 1) return setError(t('이미지는 한 개만 올릴 수 있습니다.'))
    const [first] = files ?? []
    if (first) void send(first)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    take(event.dataTransfer.files)
  }
  const isBusy = part !== undefined

  return (
    <Field label={t('상품 이미지')} error={error} hint={t('JPG 또는 PNG, 최대 5MB, 한 개')}>
      {(ids) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button does the same
        <div className={styles.field} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
          <div className={styles.preview}>
            {url && url !== broken ? (
              <img src={url} alt={t('상품 미리보기')} onError={() => setBroken(url)} />
            ) : (
              <span className={styles.none}>
                <Icon svg={imageIcon} />
                {url ? t('이미지를 불러올 수 없습니다') : t('이미지 없음')}
              </span>
            )}
          </div>
          <div className={styles.side}>
            <input
              {...ids}
              ref={input}
              type="file"
              className={styles.file}
              accept="image/jpeg,image/png"
              onChange={(event) => {
                take(event.target.files)
                // Choosing the same file again uploads it again.
                event.target.value = ''
              }}
            />
            <div className={rowStyles.row}>
              <Button
                writes
                tone="edged"
                size="small"
                icon={uploadIcon}
                isBusy={isBusy}
                onClick={() => input.current?.click()}
              >
                {url ? t('다른 이미지') : t('이미지 선택')}
              </Button>
              {isBusy ? (
                <Button tone="plain" size="small" onClick={() => abort.current?.abort()}>
                  {t('취소')}
                </Button>
              ) : (
                url && (
                  <Button tone="plain" size="small" onClick={() => onChange('')}>
                    {t('이미지 빼기')}
                  </Button>
                )
              )}
            </div>
            <div className={styles.state} role="status">
              {isBusy ? (
                <>
                  <span id={barId}>
                    {file?.name} ({sizeText(file?.size ?? 0)})
                  </span>
                  <Progress aria-labelledby={barId} part={part} />
                  <span className="figure">{Math.round(part * 100)}%</span>
                </>
              ) : (
                <span>{t('여기에 끌어다 놓아도 됩니다.')}</span>
              )}
            </div>
          </div>
        </div>
      )}
    </Field>
  )
}
