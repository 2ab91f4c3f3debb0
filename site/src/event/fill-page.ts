import { attributes, type Slots } from './slots.ts'

/** A page's source with its marked places filled, where pages are built and served; twice is as good as once. */
export function fillPage(page: string, slots: Slots): string {
  const rewriter = new HTMLRewriter()
  rewriter.on('[data-slot]', {
    element(element) {
      const value = slots[element.getAttribute('data-slot') ?? '']
      if (typeof value === 'string') element.setInnerContent(value)
      else if (value) element.setInnerContent(value.markup, { html: true })
    },
  })
  for (const name of [...attributes, ...ofRoot])
    rewriter.on(`[data-slot-${name}]`, {
      element(element) {
        const value = slots[element.getAttribute(`data-slot-${name}`) ?? '']
        if (typeof value === 'string') element.setAttribute(name, value)
      },
    })
  rewriter.on('[data-slot-if]', {
    element(element) {
      const value = slots[element.getAttribute('data-slot-if') ?? '']
      if (value === undefined) return
      const isEmpty = (typeof value === 'string' ? value : value.markup) === ''
      if (!isEmpty) element.removeAttribute('hidden')
      // Nothing hides a tag of the head.
      else if (element.tagName === 'meta') element.remove()
      else element.setAttribute('hidden', '')
    },
  })
  return rewriter.transform(page)
}

/** What scripts read of the page's own element, and set themselves. */
const ofRoot = ['data-stage', 'data-draw', 'data-end'] as const
