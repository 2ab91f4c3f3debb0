import type { ReactNode } from 'react'
import { showToast } from '../../shell/toast.ts'
import { Button } from './Button.tsx'
import { confirm, type Question } from './confirm.ts'
import { Note } from './Note.tsx'
import { useAction } from './use-action.ts'

/** What can be done with a row: asked for, called and told by itself. */
export type Action<T> = {
  name: string
  /** Title of the message if it fails. */
  failure: string
  /** Undefined where nothing needs to be confirmed. */
  ask?: (row: T) => Question | undefined
  run: (row: T) => Promise<unknown>
  /** Title and text of the message after it. */
  told: (row: T) => readonly [title: string, text: string]
  writes?: boolean
  tone?: 'ink' | 'edged' | 'danger-edged'
  icon?: string
  /** Rows that it is for; all by default. */
  fits?: (row: T) => boolean
}

type Props<T> = { action: Action<T>; row: T; onDone: () => unknown; size?: 'small' | 'compact' }

/** The button of an action; nothing for a row that it does not fit. */
export function ActionButton<T>({ action, row, onDone, size = 'compact' }: Props<T>) {
  const { name, failure, ask, run, told, writes = false, tone = 'edged', icon, fits } = action
  const [act, isBusy] = useAction(failure, async () => {
    const question = ask?.(row)
    if (question && !(await confirm(question))) return
    await run(row)
    showToast(...told(row), 'good')
    await onDone()
  })
  if (fits && !fits(row)) return null
  return (
    <Button tone={tone} size={size} icon={icon} isBusy={isBusy} writes={writes} onClick={() => void act()}>
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
