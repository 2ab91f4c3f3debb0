import { trustedMarkup } from '../shell/trusted.ts'

/** Which event, and which content of it, a page was published with. */
const markOf = (page: Document): string =>
  ['event-number', 'event-content']
    .map((name) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content)
    .join()

const longestMs = 16_000

let wanted: string | undefined

/**
 * Another event has begun, or says something else, while this page is open: its marked places are taken over from the page as
 * it is published now. They are hidden until then, however long that takes: nobody reads of a prize that is not this event's.
 */
export async function renew(mark: string): Promise<void> {
  wanted = mark
  const root = document.documentElement
  root.dataset.renewing = ''
  for (let waitMs = 500; wanted === mark; waitMs = Math.min(waitMs * 2, longestMs)) {
    const page = await published()
    if (wanted !== mark) return
    if (page && markOf(page) === mark) {
      takeOver(page)
      document.dispatchEvent(new Event('blockdraw:renewed'))
      delete root.dataset.renewing
      return
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

async function published(): Promise<Document | undefined> {
  try {
    // With the origin, as a path may begin with two slashes: alone it would name another host, whose answer is no page of ours.
    const response = await fetch(`${location.origin}${location.pathname}`, {
      cache: 'no-cache',
      mode: 'same-origin',
    })
    if (!response.ok) return undefined
    return new DOMParser().parseFromString(trustedMarkup(await response.text()), 'text/html')
  } catch {
    return undefined
  }
}

/**
 * The same event says something else: a correction, a date, a result. Only places that differ are replaced, so nothing that somebody
 * reads or has chosen is touched.
 */
export async function freshen(): Promise<void> {
  const page = await published()
  const running = (of: Document) => of.querySelector<HTMLMetaElement>('meta[name="event-running"]')?.content
  const isEventPage = running(document) !== undefined
  const numberOf = (of: Document) => markOf(of).split(',')[0]
  if (!page || (isEventPage ? numberOf(page) !== numberOf(document) : markOf(page) !== markOf(document)))
    return
  const isOver = isEventPage && running(page) === ''
  takeOver(page, (place, other) =>
    place.dataset.fact !== undefined ? !isOver : sourceOf(place) === sourceOf(other),
  )
  // What is over has its last figures in the source.
  if (isOver) for (const place of document.querySelectorAll('[data-fact]')) place.removeAttribute('data-fact')
  document.dispatchEvent(new Event('blockdraw:renewed'))
}

/** Without the figures that a script keeps up to date. */
function sourceOf(place: Element): string {
  const copy = place.cloneNode(true) as Element
  for (const fact of copy.querySelectorAll('[data-fact]')) fact.textContent = ''
  return copy.innerHTML
}

type Keeps = (place: HTMLElement, other: HTMLElement) => boolean

function takeOver(page: Document, keeps: Keeps = () => false): void {
  document.title = page.title
  for (const marked of ['slot', 'slot-if', 'slot-content', 'slot-href']) {
    const [old, next] = [document, page].map((each) => [
      ...each.querySelectorAll<HTMLElement>(`[data-${marked}]`),
    ])
    for (const place of old ?? []) {
      // Data blocks and tags of the head are for readers of the source.
      if (place.closest('head') && place.localName !== 'meta') continue
      const name = place.getAttribute(`data-${marked}`)
      const at = old?.filter((each) => each.getAttribute(`data-${marked}`) === name).indexOf(place) ?? 0
      const other = next?.filter((each) => each.getAttribute(`data-${marked}`) === name)[at]
      if (!other) continue
      if (marked === 'slot') {
        if (!keeps(place, other)) place.replaceChildren(...other.cloneNode(true).childNodes)
      } else if (marked === 'slot-if') place.hidden = other.hidden
      else copyAttribute(other, place, marked.slice('slot-'.length))
    }
  }
}

function copyAttribute(from: Element, to: Element, name: string): void {
  const value = from.getAttribute(name)
  if (value !== null) to.setAttribute(name, value)
}
