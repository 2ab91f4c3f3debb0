import type { Told } from '../../event/slots.ts'
import { apiBase } from '../../shell/api.ts'
import type { Lang } from '../../texts/index.ts'

export const otherViews = ['event', 'card'] as const
export type View = 'home' | (typeof otherViews)[number]

export const pictureUrl = ({ key }: { key: string }): string => `${apiBase}/api/uploads/${key}`

export type PreviewMessage = {
  type: 'blockdraw:preview'
  told: Told
  language: Lang
  theme: 'light' | 'dark' | null
}
export const previewReady = 'blockdraw:preview-ready'

/** The message in an event; undefined unless it came from the window that holds this page, and from our own origin. */
export function previewMessage(
  { origin, source, data }: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  own: { origin: string; holder: MessageEventSource | null },
): PreviewMessage | undefined {
  if (origin !== own.origin || source === null || source !== own.holder) return undefined
  const message = data as Partial<PreviewMessage> | null
  if (typeof message !== 'object' || message?.type !== 'blockdraw:preview') return undefined
  return message.told?.content && message.language ? (message as PreviewMessage) : undefined
}
