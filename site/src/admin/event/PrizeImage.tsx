import imageIcon from 'lucide-static/icons/image.svg?raw'
import { useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Uploads } from '../content/Uploads.tsx'
import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import type { Input } from '../ui/fields.tsx'
import styles from './event.module.css'

/** One picture, uploaded at once, and shown to visitors when the form is saved. */
export function PrizeImage({ value: url, set, error }: Input<string>) {
  const [broken, setBroken] = useState('')
  return (
    <Field label={t('상품 이미지')} error={error} hint={t('JPG 또는 PNG, 최대 5MB, 한 개')}>
      {(ids) => (
        <div className={styles.field}>
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
          <Uploads
            room={1}
            tooMany={t('이미지는 한 개만 올릴 수 있습니다.')}
            button={url ? t('다른 이미지') : t('이미지 선택')}
            input={ids}
            onDone={set}
          >
            {url && (
              <Button tone="plain" size="compact" onClick={() => set('')}>
                {t('이미지 빼기')}
              </Button>
            )}
            <span className="hint">{t('여기에 끌어다 놓아도 됩니다.')}</span>
          </Uploads>
        </div>
      )}
    </Field>
  )
}
