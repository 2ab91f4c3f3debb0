import { t } from '../language/t.ts'
import { Button } from './Button.tsx'
import styles from './form.module.css'

type Props = {
  /** Names of the changed fields. */
  changes: readonly string[]
  /** A field is wrong: the form moves focus to it instead of saving. */
  isWrong: boolean
  isBusy: boolean
  label: string
  onReset: () => void
  /** The form itself says that nothing has changed. */
  isAlwaysOn?: boolean
  /** False for one's own account, which a read-only administrator changes too. */
  writes?: boolean
}

/** How many changes are unsaved; the button is inside the form and submits it. */
export function SaveBar(props: Props) {
  const { changes, isWrong, isBusy, label, onReset, isAlwaysOn = false, writes = true } = props
  const isDirty = changes.length > 0
  return (
    <div className={isDirty ? `${styles.bar} card ${styles.dirty}` : `${styles.bar} card`} data-save-bar>
      <p aria-live="polite">
        {isDirty ? (
          <>
            <b>{t('저장하지 않은 변경 {count}개', { count: changes.length })}</b>{' '}
            <span>{changes.join(', ')}</span>
            {isWrong && <span className="field-error">{t('입력한 값을 확인하세요.')}</span>}
          </>
        ) : (
          <span>{t('저장하지 않은 변경이 없습니다.')}</span>
        )}
      </p>
      <Button tone="plain" className={styles.reset} disabled={!isDirty || isBusy} onClick={onReset}>
        {t('되돌리기')}
      </Button>
      <Button writes={writes} type="submit" disabled={!isDirty && !isAlwaysOn} isBusy={isBusy}>
        <span className={styles.wide}>{label}</span>
        <span className={styles.narrow}>
          {isDirty ? t('변경 {count}개 저장', { count: changes.length }) : label}
        </span>
      </Button>
    </div>
  )
}
