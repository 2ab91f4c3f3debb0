import { trustedMarkup } from '../shell/trusted.ts'
import { attributes, type Slots } from './slots.ts'

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
