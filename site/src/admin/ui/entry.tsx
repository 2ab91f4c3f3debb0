import { type ReactNode, useState } from 'react'
import { t } from '../language/t.ts'
import { type Action, useAct } from './action.tsx'
import { Button } from './Button.tsx'
import styles from './entry.module.css'
import { Cancelled, errorText } from './error-text.ts'
import { TextField } from './Field.tsx'
import { focusWrong } from './focus-wrong.ts'

type Props<A> = {
  label: string
  hint?: ReactNode
  /** The hint while it is sent. */
  busyHint?: string
  placeholder?: string
  maxLength?: number
  isMono?: boolean
  inputMode?: 'numeric'
  autoComplete?: 'one-time-code'
  /** What is known already, and cannot be sent again. */
  stored?: string
  /** Said of an empty field; without it an empty one cannot be sent, unless `isOptional`. */
  missing?: string
  isOptional?: boolean
  disabled?: boolean
  /** Why a text is not sent. */
  check?: (text: string) => string | undefined
  /** Gets what was typed, without the spaces around it. */
  action: Omit<Action<string, A>, 'label' | 'fits'>
  onDone?: (answer: A) => unknown
  /** What belongs to it, before the field. */
  before?: ReactNode
  /** Other buttons, beside its own. */
  children?: ReactNode
}

/** One field and the button that sends what is in it; the field says what was wrong. */
export function Entry<A>(props: Props<A>) {
  const {
    action,
    onDone,
    stored,
    missing,
    isOptional = false,
    check,
    busyHint,
    disabled,
    before,
    children,
    ...field
  } = props
  const [typed, setTyped] = useState(stored ?? '')
  const [error, setError] = useState<string>()
  const text = typed.trim()
  const run = async (sent: string) => {
    try {
      const answer = await action.run(sent)
      if (stored === undefined) setTyped('')
      return answer
    } catch (caught) {
      if (!(caught instanceof Cancelled)) setError(errorText(caught, t('처리하지 못했습니다.')))
      throw caught
    }
  }
  const [act, isBusy] = useAct({ ...action, run }, onDone)
  const isUnsent = stored === undefined ? text === '' && !missing && !isOptional : text === stored
  return (
    <form
      className={styles.entry}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = text === '' ? missing : check?.(text)
        setError(wrong)
        if (wrong) focusWrong(event.currentTarget)
        else void act(text)
      }}
    >
      {before}
      <TextField
        autoComplete="off"
        {...field}
        hint={isBusy && busyHint ? busyHint : field.hint}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setError(undefined)
        }}
        error={error}
        autoCapitalize="off"
        spellCheck={false}
      />
      <Button
        type="submit"
        tone={action.tone ?? 'ink'}
        icon={action.icon}
        writes={action.writes ?? false}
        isBusy={isBusy}
        disabled={disabled || isUnsent}
      >
        {action.name}
      </Button>
      {children}
    </form>
  )
}
