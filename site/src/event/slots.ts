import type { EventPage, Picture } from '../../../core/content/event-content.ts'
import english from '../messages/en/event.json'
import korean from '../messages/ko/event.json'
import type { Lang } from '../texts/index.ts'
import type { Markup } from './markup.ts'

/**
 * What the marked places of a page say. In the built pages `data-slot="NAME"` marks an element whose content is replaced,
 * `data-slot-ATTRIBUTE="NAME"` an attribute, `data-slot-if="NAME"` an element that is hidden
 * where the value is empty. A plain value is a text. Applied twice, the second value stands.
 */
export type Slots = Readonly<Record<string, string | Markup>>

/** Attributes that have places: none that runs anything. */
export const attributes = ['content', 'href', 'rel', 'aria-label'] as const

/** What the parts that tell of a prize need to know of an event. */
export type Told = Pick<EventPage, 'eventNumber' | 'content' | 'ticketPrice'>

export type Places = {
  /** The public address of a picture. */
  pictureUrl: (picture: Picture) => string
  /** Origin of the public API; empty where it is the site's own. */
  apiBase?: string
}

export const wordsIn = (language: Lang) => (language === 'ko' ? korean : english)
