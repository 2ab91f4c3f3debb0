import type { ReactNode } from 'react'
import { type Action, Button, isAgreed } from './action.tsx'
import { type TextOptions, text } from './fields.tsx'
import styles from './form.module.css'
import { Fields, FormPlace, useDraft } from './form.tsx'

type Props<A> = Omit<TextOptions, 'check' | 'isAside'> & {
  stored?: string
  /** An empty field can be sent too; else only to be told what is `missing`. */
  isOptional?: boolean
  disabled?: boolean
  check?: (text: string) => string | undefined
  /** Gets what was typed, without the spaces around it. */
  action: Omit<Action<string, A>, 'label' | 'fits'>
  onDone?: (answer: A) => unknown
  children?: ReactNode
}

export function Entry<A>(props: Props<A>) {
  const { action, onDone, stored, isOptional = false, check, disabled, children, ...line } = props
  const { missing } = line
  const form = useDraft({
    isSent: true,
    saved: { typed: stored ?? '' },
    fields: {
      typed: text({
        ...{ autoCapitalize: 'off', ...line, isAside: true },
        check: (value) => (value === null ? missing : check?.(value)),
      }),
    },
    ask: async ({ typed }) => ((await isAgreed(action, typed.trim())) ? {} : undefined),
    async save({ typed }) {
      const sent = typed ?? ''
      return { sent, answer: await action.run(sent) }
    },
    failure: action.failure,
    // The toast says why; the field is only marked.
    blame: () => ({ typed: '' }),
    told: ({ sent, answer }) => action.told?.(sent, answer),
    done: ({ answer }) => onDone?.(answer),
  })
  const typed = form.draft.typed.trim()
  const isUnsent = stored === undefined ? typed === '' && !missing && !isOptional : typed === stored
  const { name, tone = 'ink', icon, writes = false } = action
  return (
    <FormPlace of={form} className={`row top ${styles.entry}`}>
      <Fields of={form} names={['typed']} />
      <Button type="submit" {...{ tone, icon, writes, isBusy: form.isBusy, disabled: disabled || isUnsent }}>
        {name}
      </Button>
      {children}
    </FormPlace>
  )
}
