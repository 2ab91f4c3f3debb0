import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventPage, Picture } from '../../core/content/event-content.ts'
import { contentSlots } from '../../site/src/event/content-slots.ts'
import { eventSlots } from '../../site/src/event/event-slots.ts'
import { publishedFacts } from '../../site/src/event/facts.ts'
import { fillPage } from '../../site/src/event/fill-page.ts'
import { headSlots, jsonLd } from '../../site/src/event/head-slots.ts'
import type { Slots } from '../../site/src/event/slots.ts'
import type { Lang } from '../../site/src/texts/index.ts'
import type { Source } from './read.ts'
import { robots, sitemap } from './sitemap.ts'

export type Site = {
  /** The built pages. */
  dir: string
  /** The public address, without which there is no sitemap. */
  siteUrl?: string | undefined
  /** Origin of the public API, where it is another than the site's. */
  apiBase?: string | undefined
}

type Options = Site & {
  /** Path of a picture that was fetched and compared; undefined where it could not be. */
  picturePath: (picture: Picture) => string | undefined
  /** Path of the picture for shared links; empty where there is none. */
  sharePath: (page: EventPage, language: Lang) => string
}

const languages: readonly Lang[] = ['en', 'ko']

/** Every page that tells of an event, by its path in the site: a pure function of the templates and the API's answers. */
export function pagesOf({ current, events, missing }: Source, options: Options): Map<string, string> {
  const { dir, siteUrl } = options
  const pages = new Map<string, string>()
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  for (const language of languages) {
    const prefix = language === 'ko' ? 'ko/' : ''
    const running = events.find(({ eventNumber }) => eventNumber === current)
    if (running)
      pages.set(
        `${prefix}index.html`,
        fillPage(read(`${prefix}index.html`), ...filled('home', running, language, options)),
      )
    const template = read(`_publish/event-${language}.html`)
    for (const event of events)
      pages.set(
        `${prefix}e/${event.eventNumber}/index.html`,
        fillPage(template, ...filled('event', event, language, options)),
      )
  }
  if (siteUrl) {
    const numbers = [...events.map(({ eventNumber }) => eventNumber), ...missing]
    pages.set('sitemap.xml', sitemap(numbers, siteUrl))
    pages.set('robots.txt', robots(read('robots.txt'), siteUrl))
  }
  return pages
}

function filled(
  kind: 'home' | 'event',
  page: EventPage,
  language: Lang,
  options: Options,
): [Slots, Record<string, string>] {
  const { siteUrl, apiBase, picturePath, sharePath } = options
  const places = { pictureUrl: (picture: Picture) => picturePath(picture) ?? '', ...(apiBase && { apiBase }) }
  const head = { kind, language, siteUrl, sharePath: sharePath(page, language) }
  const slots = {
    ...contentSlots(withPictures(page, picturePath), language, places),
    ...headSlots(page, head),
    'event-number': `${page.eventNumber}`,
    'event-content': page.contentSha256 ?? 'none',
    ...jsonLd(page, head),
    ...(kind === 'event' && eventSlots(page, language, places)),
  }
  return [slots, publishedFacts(page, language)]
}

/** Without those that could not be fetched: a drawing stands in their place. */
function withPictures(page: EventPage, picturePath: Options['picturePath']): EventPage {
  if (!page.content) return page
  const prizes = page.content.prizes.map((prize) => ({
    ...prize,
    pictures: prize.pictures.filter((picture) => picturePath(picture)),
  }))
  return { ...page, content: { ...page.content, prizes } }
}
