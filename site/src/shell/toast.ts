import { atom } from 'nanostores'

/** Something that can be done about it, as long as the toast is there. */
export type ToastAction = { label: string; act: () => void }
export type Toast = {
  id: number
  title: string
  text: string
  tone: 'plain' | 'good' | 'bad'
  action?: ToastAction | undefined
}

/** The one toast on screen; a new one takes the place of the last. */
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
