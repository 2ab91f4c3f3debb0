import { useStore } from '@nanostores/react'
import closeIcon from 'lucide-static/icons/x.svg?raw'
import { atom } from 'nanostores'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { Button } from './action.tsx'
import { TextField } from './Field.tsx'
import styles from './form.module.css'

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
      <div className="row whole spread gap-12 dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="tool" aria-label={t('닫기')} onClick={onClose}>
          <Icon svg={closeIcon} />
        </button>
      </div>
      {children}
    </dialog>
  )
}

export const DialogText = ({ children }: { children: ReactNode }) => (
  <div className={`muted ${styles.text}`}>{children}</div>
)

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={`row whole ${styles.actions}`}>{children}</div>
)

export type Question = {
  title: string
  body: ReactNode
  action: string
  tone?: 'plain' | 'danger'
  /** Must be typed first, so that a wrong click cannot start the action. */
  typed?: { label: string; value: string }
}

const $question = atom<(Question & { answer: (yes: boolean) => void }) | undefined>()

/** Asks for confirmation; false if the dialog was closed. */
export function confirm(question: Question): Promise<boolean> {
  $question.get()?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      $question.set(undefined)
      resolve(yes)
    }
    $question.set({ ...question, answer })
  })
}

export function ConfirmDialog() {
  const question = useStore($question)
  return question ? <Open key={question.title} {...question} /> : null
}

function Open(question: NonNullable<ReturnType<typeof $question.get>>) {
  const { title, body, action, tone = 'plain', typed, answer } = question
  const [text, setText] = useState('')
  const isTyped = !typed || text.trim() === typed.value
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped) answer(true)
        }}
      >
        <DialogText>{body}</DialogText>
        {typed && (
          <TextField
            label={typed.label}
            value={text}
            onChange={setText}
            isMono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
        <DialogActions>
          <Button tone="plain" onClick={() => answer(false)}>
            {t('취소')}
          </Button>
          <Button type="submit" tone={tone === 'danger' ? 'danger' : 'ink'} disabled={!isTyped}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
