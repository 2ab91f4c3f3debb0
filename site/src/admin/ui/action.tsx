import type { ReactNode } from 'react'
import { showToast } from '../../shell/toast.ts'
import { Button } from './Button.tsx'
import { confirm, type Question } from './confirm.ts'
import { Note } from './Note.tsx'
import { useAction } from './use-action.ts'

/** What can be done with a row: asked for, called and told by itself. */
export type Action<T, A = unknown> = {
  name: string
  /** Title of the message if it fails. */
  failure: string
  /** Undefined where nothing needs to be confirmed. */
  ask?: (row: T) => Question | undefined
  run: (row: T) => Promise<A>
  /** Title and text of the message after it. */
  told: (row: T, answer: A) => readonly [title: string, text: string]
  writes?: boolean
  tone?: 'ink' | 'edged' | 'plain' | 'danger-edged'
  icon?: string
  /** Rows that it is for; all by default. */
  fits?: (row: T) => boolean
}

type Props<T, A> = {
  action: Action<T, A>
  row: T
  onDone: () => unknown
  size?: 'normal' | 'small' | 'compact'
  disabled?: boolean
}

/** The button of an action; nothing for a row that it does not fit. */
export function ActionButton<T, A>(props: Props<T, A>) {
  const { action, row, onDone, size = 'compact', disabled = false } = props
  const { name, failure, ask, run, told, writes = false, tone = 'edged', icon, fits } = action
  const [act, isBusy] = useAction(failure, async () => {
    const question = ask?.(row)
    if (question && !(await confirm(question))) return
    const answer = await run(row)
    showToast(...told(row, answer), 'good')
    await onDone()
  })
  if (fits && !fits(row)) return null
  return (
    <Button {...{ tone, size, icon, isBusy, writes, disabled }} onClick={() => void act()}>
      {name}
    </Button>
  )
}

type NoteProps = {
  tone?: 'plain' | 'bad'
  name: string
  act: () => unknown
  isBusy?: boolean
  children: ReactNode
}

/** What is in the way, and the button that does something about it. */
export const ActNote = ({ tone = 'plain', name, act, isBusy = false, children }: NoteProps) => (
  <Note
    tone={tone}
    action={
      <Button tone="edged" size="small" isBusy={isBusy} onClick={() => void act()}>
        {name}
      </Button>
    }
  >
    {children}
  </Note>
)
