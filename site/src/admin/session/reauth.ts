import { atom } from 'nanostores'
import { Cancelled } from '../ui/error-text.ts'

type Asking = { done: () => void; cancel: () => void }

/** Set while the dialog for a fresh password is open. */
export const $reauth = atom<Asking | undefined>()

let asked: Promise<void> | undefined

/** Resolves once the password was given again; throws Cancelled. Calls at the same time share one dialog. */
export function askReauth(): Promise<void> {
  asked ??= new Promise<void>((resolve, reject) => {
    $reauth.set({ done: resolve, cancel: () => reject(new Cancelled()) })
  }).finally(() => {
    asked = undefined
    $reauth.set(undefined)
  })
  return asked
}
