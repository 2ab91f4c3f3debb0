import type { ReactNode } from 'react'
import { t } from '../language/t.ts'
import { type Action, Button, isAgreed } from './action.tsx'
import { errorText } from './error-text.ts'
import { TextField } from './Field.tsx'
import { text } from './fields.tsx'
import styles from './form.module.css'
import { FormPlace, useDraft } from './form.tsx'

type Props<A> = {
  label: string
  hint?: ReactNode
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
  check?: (text: string) => string | undefined
  /** Gets what was typed, without the spaces around it. */
  action: Omit<Action<string, A>, 'label' | 'fits'>
  onDone?: (answer: A) => unknown
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
    children,
    ...line
  } = props
  const form = useDraft({
    isSent: true,
    saved: { typed: stored ?? '' },
    fields: {
      typed: text({
        label: line.label,
        isAside: true,
        missing,
        check: (value) => (value === null ? missing : check?.(value)),
      }),
    },
    ask: async ({ typed }) => ((await isAgreed(action, typed.trim())) ? {} : undefined),
    async save({ typed }) {
      const sent = typed ?? ''
      return { sent, answer: await action.run(sent) }
    },
    failure: action.failure,
    blame: (error) => ({ typed: errorText(error, t('처리하지 못했습니다.')) }),
    told: ({ sent, answer }) => action.told?.(sent, answer),
    done: ({ answer }) => onDone?.(answer),
  })
  const typed = form.draft.typed.trim()
  const isUnsent = stored === undefined ? typed === '' && !missing && !isOptional : typed === stored
  return (
    <FormPlace of={form} className={styles.entry}>
      <TextField
        autoComplete="off"
        {...line}
        hint={form.isBusy && busyHint ? busyHint : line.hint}
        value={form.draft.typed}
        onChange={(typed) => form.edit({ typed })}
        error={form.wrong.typed}
        autoCapitalize="off"
        spellCheck={false}
      />
      <Button
        type="submit"
        tone={action.tone ?? 'ink'}
        icon={action.icon}
        writes={action.writes ?? false}
        isBusy={form.isBusy}
        disabled={disabled || isUnsent}
      >
        {action.name}
      </Button>
      {children}
    </FormPlace>
  )
}
