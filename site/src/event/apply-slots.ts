import { trustedMarkup } from '../shell/trusted.ts'
import type { Slots } from './slots.ts'

/** Fills the marked places below `root`, as the API does in a page's source. */
export function applySlots(root: ParentNode, slots: Slots): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-slot]')) {
    const value = slots[place.dataset.slot ?? '']
    if (typeof value === 'string') place.textContent = value
    else if (value) place.innerHTML = trustedMarkup(value.markup)
  }
  for (const place of root.querySelectorAll<HTMLElement>('[data-slot-if]')) {
    const value = slots[place.dataset.slotIf ?? '']
    if (value !== undefined) place.hidden = isEmpty(value)
  }
}

const isEmpty = (value: Slots[string]): boolean => (typeof value === 'string' ? value : value.markup) === ''
