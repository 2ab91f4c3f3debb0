import type { EventPage, Picture } from '../../../core/content/event-content.ts'
import english from '../messages/en/event.json'
import korean from '../messages/ko/event.json'
import { trustedMarkup } from '../shell/trusted.ts'
import type { Lang } from '../texts/index.ts'
import type { Markup } from './markup.ts'

/**
 * In built pages `data-slot="NAME"` marks what is replaced, `data-slot-ATTRIBUTE` an attribute, `data-slot-if` what
 * is hidden where the value is empty. A plain value is a text; applied twice, the second stands.
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

/** Fills the marked places below `root`, as the API does in a page's source; what is the same already stays untouched. */
export function applySlots(root: ParentNode, slots: Slots): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-slot]')) {
    const value = slots[place.dataset.slot ?? '']
    if (typeof value !== 'string') {
      if (value && place.innerHTML !== value.markup) place.innerHTML = trustedMarkup(value.markup)
    } else if (place.textContent !== value) place.textContent = value
  }
  for (const name of attributes)
    for (const place of root.querySelectorAll(`[data-slot-${name}]`)) {
      const value = slots[place.getAttribute(`data-slot-${name}`) ?? '']
      // A style sheet whose address is set is fetched, whatever it was.
      if (typeof value === 'string' && place.getAttribute(name) !== value) place.setAttribute(name, value)
    }
  for (const place of root.querySelectorAll<HTMLElement>('[data-slot-if]')) {
    const value = slots[place.dataset.slotIf ?? '']
    if (value !== undefined) place.hidden = (typeof value === 'string' ? value : value.markup) === ''
  }
}
