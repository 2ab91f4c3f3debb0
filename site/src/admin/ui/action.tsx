import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Row, Stack } from '../../shell/Layout.tsx'
import { DialogHead } from '../../shell/Parts.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { failed, isReadOnly, readOnlyText } from '../session/session.ts'
import { TextField } from './Field.tsx'
import styles from './form.module.css'

type Told = readonly [title: string, text: string]

/** What can be done, with a row or without one: asked for, called and told by itself. */
export type Action<T = void, A = unknown> = {
  name: string
  failure: string
  /** Undefined where nothing needs to be confirmed; title, button and tone are the action's own where nothing else is said. */
  ask?(row: T): (Partial<Question> & Pick<Question, 'body'>) | undefined
  run(row: T): Promise<A>
  told?(row: T, answer: A): Told | undefined
  /** For screen readers, where the name alone says too little. */
  label?(row: T): string
  writes?: boolean
  tone?: keyof typeof tones
  icon?: string
  fits?(row: T): boolean
}

/** For what is pressed by something else than a button: asks, calls, tells, and then `onDone` reloads. */
export function useAct<T = void, A = unknown>(
  action: Omit<Action<T, A>, 'name'> & { name?: string },
  onDone?: (answer: A) => unknown,
  onRefused?: () => unknown,
) {
  return useAction(action.failure, async (row: T) => {
    if (!(await isAgreed(action, row))) return
    const answer = await action.run(row).catch(async (error) => {
      await onRefused?.()
      throw error
    })
    const message = action.told?.(row, answer)
    if (message) showToast(...message, 'good')
    await onDone?.(answer)
  })
}

type Asking<T> = Pick<Action<T>, 'ask' | 'tone'> & { name?: string }

export async function isAgreed<T>({ name = '', tone, ask }: Asking<T>, row: T): Promise<boolean> {
  const question = ask?.(row)
  const own = { title: name, action: name, ...(tone?.startsWith('danger') && { tone: 'danger' as const }) }
  return !question || confirm({ ...own, ...question })
}

type Props<T, A> = {
  action: Action<T, A>
  onDone?: (answer: A) => unknown
  /** After a conflict this loads what another administrator has saved. */
  onRefused?: () => unknown
  size?: 'normal' | 'small' | 'compact'
  disabled?: boolean
} & (T extends void ? { row?: undefined } : { row: T })

export function ActionButton<T = void, A = unknown>(props: Props<T, A>) {
  const { action, onDone, onRefused, size = 'small', disabled = false } = props
  const row = props.row as T
  const { name, label, writes = false, tone = 'edged', icon, fits } = action
  const [act, isBusy] = useAct(action, onDone, onRefused)
  if (fits && !fits(row)) return null
  return (
    <Button
      {...{ tone, size, icon, isBusy, writes, disabled }}
      {...(label && { 'aria-label': label(row) })}
      onClick={() => void act(row)}
    >
      {name}
    </Button>
  )
}

/** An action of a button: `isBusy` while it runs, a toast with `title` if it fails. */
export function useAction<A extends unknown[]>(title: string, act: (...args: A) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const run = async (...args: A) => {
    if (isBusy) return
    setBusy(true)
    try {
      await act(...args)
    } catch (error) {
      failed(title, error)
    } finally {
      setBusy(false)
    }
  }
  return [run, isBusy] as const
}

export function savedWithUndo(title: string, text: string, undo: () => Promise<void>): void {
  const act = async () => {
    try {
      await undo()
      showToast(t('변경을 취소했습니다'), t('이전 값으로 되돌렸습니다.'), 'good')
    } catch (error) {
      failed(t('변경을 취소하지 못했습니다'), error)
    }
  }
  showToast(title, text, 'good', { label: t('변경 취소'), act: () => void act() })
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: keyof typeof tones
  size?: 'normal' | 'small' | 'compact'
  icon?: string | undefined
  isBusy?: boolean
  /** Changes something: a read-only administrator gets a button that is off and says so. */
  writes?: boolean
}

const tones = {
  ink: '',
  edged: 'edged',
  plain: 'plain',
  gold: 'gold',
  danger: styles.danger,
  'danger-edged': `edged ${styles.edged}`,
} as const

export function Button(props: ButtonProps) {
  const {
    tone = 'ink',
    size = 'normal',
    icon,
    isBusy = false,
    writes = false,
    disabled,
    children,
    ...rest
  } = props
  const isBarred = writes && isReadOnly()
  return (
    <button
      type="button"
      {...rest}
      className={['button', tones[tone], size === 'normal' ? '' : size].filter(Boolean).join(' ')}
      disabled={disabled || isBusy || isBarred}
      {...(isBarred && { title: readOnlyText })}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <span className="busy-ring" /> : icon ? <Icon svg={icon} /> : null}
      {children}
    </button>
  )
}

type DialogProps = { title: string; onClose: () => void; children: ReactNode }

export function Dialog({ title, onClose, children }: DialogProps) {
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
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <Stack gap={16}>
        <DialogHead {...{ id, title, close: t('닫기'), onClose }} />
        {children}
      </Stack>
    </dialog>
  )
}

export const DialogText = ({ children }: { children: ReactNode }) => (
  <Stack gap={8} className="muted">
    {children}
  </Stack>
)

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Row whole className={styles.actions}>
    {children}
  </Row>
)

type Question = {
  title: string
  body: ReactNode
  action: string
  tone?: 'plain' | 'danger'
  /** Must be typed first, so that a wrong click cannot start the action. */
  typed?: { label: string; value: string }
}

const $question = atom<(Question & { answer: (yes: boolean) => void }) | undefined>()

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
  return question ? <Confirm key={question.title} {...question} /> : null
}

function Confirm(question: NonNullable<ReturnType<typeof $question.get>>) {
  const { title, body, action, tone = 'plain', typed, answer } = question
  const [text, setText] = useState('')
  const isTyped = !typed || text.trim() === typed.value
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form
        className="stack gap-16"
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
