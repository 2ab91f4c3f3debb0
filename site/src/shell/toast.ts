import { atom } from 'nanostores'

export type ToastAction = { label: string; act: () => void }
export type Toast = {
  id: number
  title: string
  text: string
  tone: 'plain' | 'good' | 'bad'
  action?: ToastAction | undefined
}

export const $toast = atom<Toast | undefined>()

let lastId = 0

export function showToast(
  title: string,
  text: string,
  tone: Toast['tone'] = 'plain',
  action?: ToastAction,
): void {
  lastId += 1
  $toast.set({ id: lastId, title, text, tone, action })
}

/** Takes away the toast with this title, if it is still the one on screen: what it says is over. */
export function takeBackToast(title: string): void {
  if ($toast.get()?.title === title) $toast.set(undefined)
}
