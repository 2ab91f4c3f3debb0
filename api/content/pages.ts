import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import type { EventContent, EventPage } from '../../core/content/event-content.ts'
import type { PublicBranding } from '../../core/house/branding.ts'
import { type LegalKind, legalKinds } from '../../core/house/rules.ts'
import type { PublicState } from '../../core/live/public.ts'
import { limit } from '../../core/server/concurrency.ts'
import { pageHeaders } from '../../core/server/page-headers.ts'
import { realClock } from '../../core/server/time.ts'
import { loadEventPage } from '../../db/content/page.ts'
import { contentSlots } from '../../site/src/event/content-slots.ts'
import { eventSlots, servedSlots } from '../../site/src/event/event-slots.ts'
import { fillPage } from '../../site/src/event/fill-page.ts'
import { headSlots, type PageKind, pathOf } from '../../site/src/event/head-slots.ts'
import { servedBrand } from '../../site/src/event/served-brand.ts'
import type { Slots } from '../../site/src/event/slots.ts'
import { stages } from '../../site/src/event/state-slots.ts'
import type { Lang } from '../../site/src/texts/index.ts'
import type { Deps } from '../deps.ts'
import { answerReady, type Ready, readyPage } from '../http/ready.ts'
import { isImageKey, uploadPath } from '../upload/schema.ts'
import { shareCards } from './share-cards.ts'

/** The built pages of this release: beside the program in an image. */
const siteOfRelease = import.meta.filename.endsWith('.js')
  ? join(import.meta.dirname, 'site')
  : join(import.meta.dirname, '../../site/dist')

const cacheControl = 'max-age=0, s-maxage=5, stale-while-revalidate=60, stale-if-error=86400'
const languages: readonly Lang[] = ['en', 'ko']
const onceMs = 1_000
/** Each some 300 KB with its compressed forms. */
const mostKept = 60
/** Visitors' purchases use the same connections to the database. */
const atOnce = 2

type Asked = { kind: PageKind; language: Lang; number: number }
/** `isOpen`: something of it is still being made. */
type Made = { ready: Ready | undefined; isOpen?: boolean }

/** The built pages with the words of an event, kept until the public state has changed; the last one while
 * the database is gone, or the page as it was built. */
export function pageRoutes(deps: Deps) {
  const { db, state, admin, allowedOrigins, log, siteDir: dir = siteOfRelease } = deps
  const [siteUrl] = allowedOrigins
  const clock = deps.clock ?? realClock
  const apiBase = admin.publicApiUrl?.replace(/\/$/, '') ?? ''
  const cards = shareCards({ storageUrl: admin.storageUrl, fonts: join(dir, '_event'), log })
  const kept = new Map<string, { version: number; at: number; made: Promise<Made> }>()
  const inTurn = limit(atOnce)
  const built = (name: string): Promise<string> => Bun.file(join(dir, name)).text()

  async function made(asked: Asked, template: string): Promise<Made> {
    const told = await loadEventPage(db, asked.number, new Date(state.now()))
    if (!told) return { ready: undefined }
    const { branding } = (state.current as PublicState).config
    const card = await cards.pathOf(told, asked.language, branding)
    const places = { siteUrl, apiBase, branding, sharePath: card && `${apiBase}${card}` }
    return { ready: await page(filledPage(await built(template), told, asked, places)), isOpen: !card }
  }

  async function sitemapOfAll(newest: number): Promise<Made> {
    const numbers = Array.from({ length: newest }, (_, index) => index + 1)
    const headers = { 'content-type': 'application/xml; charset=utf-8' }
    return { ready: siteUrl ? await page(sitemap(numbers, siteUrl), headers) : undefined }
  }

  /** What is kept under `name`, made anew where the public state says something else by now. If that fails,
   * the last one is served, or `fallback`. */
  async function current(name: string, make: () => Promise<Made>, fallback?: () => Promise<Ready>) {
    const known = kept.get(name)
    const now = clock.now()
    const before = await known?.made
    if (known && before && (now < known.at + onceMs || (known.version === state.version && !before.isOpen)))
      return before.ready
    const newer = kept.get(name)
    if (newer && newer !== known) return (await newer.made).ready
    const next = inTurn(make).catch(async (err): Promise<Made> => {
      log.warn({ err, page: name }, 'a page is served as it was')
      return { ready: before?.ready ?? (await fallback?.()), isOpen: true }
    })
    kept.delete(name)
    kept.set(name, { version: state.version, at: now, made: next })
    if (kept.size > mostKept) kept.delete(kept.keys().next().value as string)
    return (await next).ready
  }

  async function pageOf(kind: PageKind, language: Lang, number?: string) {
    const newest = state.current?.config.eventNumber
    const wanted = number === undefined ? newest : /^[1-9]\d{0,8}$/.test(number) ? Number(number) : Number.NaN
    if (Number.isNaN(wanted) || (newest !== undefined && Number(wanted) > newest)) return undefined
    const template =
      kind === 'event' ? `_event/${language}.html` : `${language === 'ko' ? 'ko/' : ''}index.html`
    return filled(template, `${kind} ${language} ${wanted}`, () =>
      made({ kind, language, number: wanted as number }, template),
    )
  }

  function legalOf(kind: LegalKind, language: Lang) {
    const template = `${language === 'ko' ? 'ko/' : ''}${kind}/index.html`
    return filled(template, `${kind} ${language}`, async () => {
      const { branding } = (state.current as PublicState).config
      const slots = servedBrand(branding, language, apiBase, kind)
      return { ready: await page(fillPage(await built(template), slots)) }
    })
  }

  /** As it was built while nothing is loaded. */
  async function filled(template: string, name: string, make: () => Promise<Made>) {
    const asBuilt = async () => page(await built(template), { 'cache-control': 'no-cache' })
    return state.isLoaded ? current(name, make, asBuilt) : asBuilt()
  }

  let notFound: Promise<Ready> | undefined
  async function answer(request: Request, made: Ready | undefined): Promise<Response> {
    if (made) return answerReady(request, made)
    notFound ??= built('404.html').then((text) => page(text, { 'cache-control': 'no-cache' }))
    const { plain, headers } = await notFound
    return new Response(plain, { status: 404, headers })
  }

  const app = new Elysia({ detail: { hide: true } })
  // An api whose pages lie elsewhere.
  if (!existsSync(join(dir, '404.html'))) return app
  for (const language of languages) {
    const prefix = language === 'ko' ? '/ko' : ''
    app.get(prefix || '/', async ({ request }) => answer(request, await pageOf('home', language)))
    app.get(`${prefix}/e/:number`, async ({ request, params: { number } }) =>
      answer(request, await pageOf('event', language, number)),
    )
    for (const kind of legalKinds)
      app.get(`${prefix}/${kind}`, async ({ request }) => answer(request, await legalOf(kind, language)))
  }
  app.get('/sitemap.xml', async ({ request }) => {
    const newest = state.current?.config.eventNumber ?? 1
    return answer(request, await current('sitemap', () => sitemapOfAll(newest)))
  })
  return app
}

type Places = {
  siteUrl: string | undefined
  apiBase: string
  sharePath: string
  branding: PublicBranding
}

/** A template with the words of an event: texts and our own elements, and of addresses those alone that we make or allow. */
function filledPage(template: string, page: EventPage, { kind, language }: Asked, places: Places): string {
  const { apiBase, branding } = places
  const shown = { ...page, content: page.content && withImages(page.content) }
  const told = { pictureUrl: ({ key }: { key: string }) => `${apiBase}${uploadPath}${key}`, apiBase }
  const slots: Slots = {
    ...servedBrand(branding, language, apiBase),
    ...servedSlots(page, language),
    ...contentSlots(shown, language, told),
    ...(kind === 'event' && eventSlots(shown, language, told)),
  }
  const mark =
    kind === 'home'
      ? `${page.eventNumber},${page.contentSha256 ?? 'none'}`
      : `${page.termsSha256},${slots['event-running'] ? stages[page.state] : 'over'}`
  return fillPage(template, {
    ...slots,
    ...headSlots(page, { ...places, kind, language, name: branding.name }),
    // An open page that is told of another one is out of date (site/src/live/page-changes.ts).
    'page-mark': mark,
  })
}

const withImages = (content: EventContent): EventContent => ({
  ...content,
  prizes: content.prizes.map((prize) => ({
    ...prize,
    pictures: prize.pictures.filter(({ key }) => isImageKey(key)),
  })),
})

/** All pages with their other language, as sitemaps.org describes. */
function sitemap(numbers: readonly number[], siteUrl: string): string {
  const pairs = [
    ['/', '/ko/'],
    ...numbers.map((number) => languages.map((language) => pathOf('event', number, language))),
  ].map((paths) => paths.map((path) => new URL(path, siteUrl).href.replaceAll('&', '&amp;')))
  const urls = pairs.flatMap(([en = '', ko = '']) => {
    const others = Object.entries({ en, ko, 'x-default': en }).map(
      ([lang, href]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`,
    )
    return [en, ko].map((path) => `<url><loc>${path}</loc>${others.join('')}</url>\n`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('')}</urlset>
`
}

const page = (text: string, more: Record<string, string> = {}): Promise<Ready> =>
  readyPage(text, {
    ...pageHeaders,
    ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl },
    ...more,
  })
