import { Button } from '../frame/Button.tsx'
import type { Channel } from '../frame/types.ts'
import { t } from '../language/t.ts'
import styles from './Notify.module.css'
import { noticeTexts } from './texts.ts'

type Kind = Channel['events'][number]
const kinds = Object.keys(noticeTexts) as Kind[]

/** Which of what happens a channel is told. */
export function EventChoice(props: { value: readonly Kind[]; onChange: (events: Kind[]) => void }) {
  const { value, onChange } = props
  return (
    <fieldset className={styles.events}>
      <legend>{t('받을 알림')}</legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={value.includes(kind)}
            onChange={({ target }) =>
              onChange(kinds.filter((one) => (one === kind ? target.checked : value.includes(one))))
            }
          />
          {noticeTexts[kind]}
        </label>
      ))}
      <div className={styles.all}>
        <Button tone="plain" size="small" onClick={() => onChange(kinds)}>
          {t('모두 선택')}
        </Button>
        <Button tone="plain" size="small" onClick={() => onChange([])}>
          {t('모두 해제')}
        </Button>
      </div>
    </fieldset>
  )
}
