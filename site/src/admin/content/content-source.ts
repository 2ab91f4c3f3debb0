import { atom } from 'nanostores'
import type { ContentForm } from '../../../../core/content/read-content.ts'
import { storage } from '../../shell/storage.ts'
import { api, call } from '../session/session.ts'
import type { Edits } from '../ui/form.tsx'

const { raffle } = api
const next = raffle['next-content']

export const loadOpenContent = () => call(() => raffle.content.get())
export const loadNextContent = () => call(() => next.get())

type Body = Parameters<typeof next.put>[0]
const bodyOf = (content: ContentForm, version: number) => ({ content, version }) as Body

export const saveOpenContent = (content: ContentForm, version: number) =>
  call(() => raffle.content.put(bodyOf(content, version)))
export const saveNextContent = (content: ContentForm, version: number) =>
  call(() => next.put(bodyOf(content, version)))
export const discardContent = (version: number) =>
  call(() => next.delete(undefined, { query: { version: `${version}` } }))

export const $isOpenWanted = atom(false)

const writeAfterMs = 400

/** What is typed survives a change of tab, and in this browser a page that is closed. */
export function browserEdits<S>(which: 'next' | 'open') {
  const key = `blockdraw:admin-content-${which}`
  const $edits = atom<Edits<S> | undefined>(storage.read(key, isEdits<S>))
  let timer: ReturnType<typeof setTimeout>
  const write = () => storage.write(key, $edits.get())
  $edits.listen((edits) => {
    clearTimeout(timer)
    if (edits) timer = setTimeout(write, writeAfterMs)
    else write()
  })
  return $edits
}

/** Of an older page it may have another shape: then it is left. */
function isEdits<S>(value: unknown): value is Edits<S> {
  const { version, seen, edited } = (value ?? {}) as Partial<Edits<S>>
  return version !== undefined && typeof seen === 'object' && typeof edited === 'object'
}
