import { atom } from 'nanostores'
import type { ReactNode } from 'react'

export type Question = {
  title: string
  /** What will happen, and what cannot be taken back. */
  body: ReactNode
  /** Word of the button that does it. */
  action: string
  tone?: 'plain' | 'danger'
  /** Has to be typed first, so that no wrong click does it. */
  typed?: { label: string; value: string }
}

export const $question = atom<(Question & { answer: (yes: boolean) => void }) | undefined>()

/** Asks before something is done; false when the dialog was left. */
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
