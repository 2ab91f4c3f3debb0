import { atom } from 'nanostores'

export type Toast = { id: number; title: string; text: string; tone: 'plain' | 'good' | 'bad' }

/** The one toast on screen; a new one takes the place of the last. */
export const $toast = atom<Toast | undefined>()

let lastId = 0

export function showToast(title: string, text: string, tone: Toast['tone'] = 'plain'): void {
  lastId += 1
  $toast.set({ id: lastId, title, text, tone })
}
