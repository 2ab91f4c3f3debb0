import { atom } from 'nanostores'
import type { ReactNode } from 'react'

export type Question = {
  title: string
  /** What will happen, and what cannot be undone. */
  body: ReactNode
  /** Label of the button. */
  action: string
  tone?: 'plain' | 'danger'
  /** Must be typed first, so that a wrong click cannot start the action. */
  typed?: { label: string; value: string }
}

export const $question = atom<(Question & { answer: (yes: boolean) => void }) | undefined>()

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
