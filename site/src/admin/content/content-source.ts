import type { EventContent } from '../../../../core/content/event-content.ts'
import type { ContentForm } from '../../../../core/content/read-content.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { Which } from './content-store.ts'

/** A content as the server has it, in one shape for both. */
export type Content = {
  eventNumber: number
  content: EventContent | null
  /** Without a draft the next event takes over what the open one has. */
  isDraft: boolean
  isLocked: boolean
  version: number
}

const { raffle } = api
const next = raffle['next-content']

export async function loadContent(which: Which): Promise<Content> {
  if (which === 'open') return { ...(await call(() => raffle.content.get())), isDraft: false }
  const { draft, next: taken, ...found } = await call(() => next.get())
  return { ...found, isDraft: draft !== null, isLocked: false, content: draft ?? taken }
}

export async function saveContent(which: Which, content: ContentForm, version: number): Promise<void> {
  const body = { content, version } as Parameters<typeof next.put>[0]
  if (which === 'next') await call(() => next.put(body))
  else await call(() => raffle.content.put(body))
}

export const discardContent = (version: number) =>
  call(() => next.delete(undefined, { query: { version: `${version}` } }))
