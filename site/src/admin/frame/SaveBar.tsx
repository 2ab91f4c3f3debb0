import { Button } from './Button.tsx'
import styles from './SaveBar.module.css'
import { useLeaveWarning } from './use-leave-warning.ts'

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
}

/** How many changes are unsaved; the button is inside the form and submits it. */
export function SaveBar({ changes, isWrong, isBusy, label, onReset, isAlwaysOn = false }: Props) {
  const isDirty = changes.length > 0
  useLeaveWarning(isDirty)
  return (
    <div className={isDirty ? `${styles.bar} card ${styles.dirty}` : `${styles.bar} card`} data-save-bar>
      <p aria-live="polite">
        {isDirty ? (
          <>
            <b>저장하지 않은 변경 {changes.length}개</b> <span>{changes.join(', ')}</span>
            {isWrong && <span className="field-error">입력한 값을 확인하세요.</span>}
          </>
        ) : (
          <span>저장하지 않은 변경이 없습니다.</span>
        )}
      </p>
      <Button tone="plain" className={styles.reset} disabled={!isDirty || isBusy} onClick={onReset}>
        되돌리기
      </Button>
      <Button type="submit" disabled={!isDirty && !isAlwaysOn} isBusy={isBusy}>
        <span className="wide-word">{label}</span>
        <span className="narrow-word">{isDirty ? `변경 ${changes.length}개 저장` : label}</span>
      </Button>
    </div>
  )
}
