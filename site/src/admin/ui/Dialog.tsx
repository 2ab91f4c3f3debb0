import closeIcon from 'lucide-static/icons/x.svg?raw'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import styles from './DialogParts.module.css'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** Open while it is rendered; Escape and the cross close it. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const own = dialog.current
    if (own && !own.open) own.showModal()
    return () => {
      own?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${styles.parts}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="close" aria-label={t('닫기')} onClick={onClose}>
          <Icon svg={closeIcon} />
        </button>
      </div>
      {children}
    </dialog>
  )
}

/** What is asked or told, above the fields. */
export const DialogText = ({ children }: { children: ReactNode }) => (
  <div className={styles.text}>{children}</div>
)

/** The buttons at the end. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
