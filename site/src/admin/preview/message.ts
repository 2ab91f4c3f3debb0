import type { Told } from '../../event/slots.ts'
import { apiBase } from '../../shell/api.ts'
import type { Lang } from '../../texts/index.ts'

/** What a content is shown on, besides the home page. */
export const otherViews = ['event', 'card'] as const
export type View = 'home' | (typeof otherViews)[number]

export const pictureUrl = ({ key }: { key: string }): string => `${apiBase}/api/uploads/${key}`

/** What the administrator's page tells the preview in its frame. */
export type PreviewMessage = {
  type: 'blockdraw:preview'
  told: Told
  language: Lang
  theme: 'light' | 'dark' | null
}
/** What the preview says once it listens. */
export const previewReady = 'blockdraw:preview-ready'

/**
 * The message in an event, where it came from the window that holds this page and from our own origin; undefined for all
 * others, whatever they say.
 */
export function previewMessage(
  { origin, source, data }: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  own: { origin: string; holder: MessageEventSource | null },
): PreviewMessage | undefined {
  if (origin !== own.origin || source === null || source !== own.holder) return undefined
  const message = data as Partial<PreviewMessage> | null
  if (typeof message !== 'object' || message?.type !== 'blockdraw:preview') return undefined
  return message.told?.content && message.language ? (message as PreviewMessage) : undefined
}
