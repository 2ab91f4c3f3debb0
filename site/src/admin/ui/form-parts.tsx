import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { Row, Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Button } from './action.tsx'
import { Note } from './card.tsx'
import styles from './form.module.css'
import listStyles from './list.module.css'

type Props = {
  changes: readonly { label: string; from: string; to: string }[]
  onTake: () => void
  onKeep: () => void
}

/** Another administrator saved the fields being edited: shows the new values before they are overwritten. */
export const Conflict = ({ changes, onTake, onKeep }: Props) => (
  <Note tone="bad" role="alert">
    <Stack>
      <p>
        <b>{t('다른 관리자가 방금 설정을 바꿨습니다.')}</b> {t('입력한 값은 아직 저장되지 않았습니다.')}
      </p>
      <ul className={`stack gap-8 ${listStyles.plain}`}>
        {changes.map(({ label, from, to }) => (
          <li key={label}>
            <span>{label}</span> <s className="figure break">{from || t('없음')}</s>{' '}
            <span aria-hidden="true">→</span> <b className="figure break">{to || t('없음')}</b>
          </li>
        ))}
      </ul>
      <Row>
        <Button tone="edged" size="small" onClick={onTake}>
          {t('새 값 사용')}
        </Button>
        <Button tone="plain" size="small" onClick={onKeep}>
          {t('내 입력 유지')}
        </Button>
      </Row>
    </Stack>
  </Note>
)

type SaveBarProps = {
  of: {
    changes: readonly { label: string }[]
    isWrong: boolean
    isBusy: boolean
    reset: () => void
    isAlwaysOn: boolean
  }
  label: string
  /** False for one's own account, which a read-only administrator changes too. */
  writes?: boolean
}

/** How many changes are unsaved; the button is inside the form, which moves focus to a wrong field instead of saving. */
export function SaveBar({ of: form, label, writes = true }: SaveBarProps) {
  const { changes, isWrong, isBusy, reset, isAlwaysOn } = form
  const isDirty = changes.length > 0
  return (
    <div className={`row whole card ${styles.bar} ${isDirty ? styles.dirty : ''}`} data-save-bar>
      <p className="muted grow unseen-if-narrow" aria-live="polite">
        {isDirty ? (
          <>
            <b>{t('저장하지 않은 변경 {count}개', { count: changes.length })}</b>{' '}
            <span>{changes.map((change) => change.label).join(', ')}</span>{' '}
            {isWrong && <span className="field-error">{t('입력한 값을 확인하세요.')}</span>}
          </>
        ) : (
          <span>{t('저장하지 않은 변경이 없습니다.')}</span>
        )}
      </p>
      <Button tone="plain" disabled={!isDirty || isBusy} onClick={reset}>
        {t('되돌리기')}
      </Button>
      <Button writes={writes} type="submit" disabled={!isDirty && !isAlwaysOn} isBusy={isBusy}>
        <span className="only-wide">{label}</span>
        <span className="only-narrow">
          {isDirty ? t('변경 {count}개 저장', { count: changes.length }) : label}
        </span>
      </Button>
    </div>
  )
}

/** Focuses the first wrong field, and unfolds what it is in, before anything that is typed meanwhile could land there. */
export function focusWrong(form: Element): void {
  queueMicrotask(() => {
    flushSync(() => undefined)
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
    for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
      fold.open = true
    field?.focus()
  })
}

export function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
}
