import { atom } from 'nanostores'
import type { EventContent } from '../../../../core/content/event-content.ts'
import { storage } from '../../shell/storage.ts'
import type { ContentDraft } from './content-draft.ts'

/** Which content: that of the open event, or of the one after it. */
export type Which = 'next' | 'open'

/** What is typed and not saved, and what was seen when it was begun: somebody else made any later change. */
export type ContentEdit = {
  eventNumber: number
  version: number
  seen: EventContent | null
  draft: ContentDraft
}

/** Somebody wants to change the open event's content: its form opens as soon as it is there. */
export const $isOpenWanted = atom(false)

const keyOf = (which: Which) => `blockdraw:admin-content-${which}`
const writeAfterMs = 400

/** Survives a change of tab, and in this browser a page that is closed. */
const edits = { next: editOf('next'), open: editOf('open') }
export const $edit = (which: Which) => edits[which]

function editOf(which: Which) {
  const $found = atom<ContentEdit | undefined>(storage.read(keyOf(which), isEdit))
  let timer: ReturnType<typeof setTimeout>
  const write = () => storage.write(keyOf(which), $found.get())
  $found.listen((edit) => {
    clearTimeout(timer)
    if (edit) timer = setTimeout(write, writeAfterMs)
    // What was saved or thrown away must not come back.
    else write()
  })
  return $found
}

/** Of an older page it may have another shape: then it is left. */
function isEdit(value: unknown): value is ContentEdit {
  const { eventNumber, version, draft } = (value ?? {}) as Partial<ContentEdit>
  return (
    typeof eventNumber === 'number' &&
    typeof version === 'number' &&
    typeof draft?.title?.en === 'string' &&
    Array.isArray(draft.prizes) &&
    Array.isArray(draft.links)
  )
}
