import { pathOf } from '../../site/src/event/head-slots.ts'

/** All pages with their other language, as sitemaps.org describes. */
export function sitemap(eventNumbers: readonly number[], siteUrl: string): string {
  const whole = (path: string) => new URL(path, siteUrl).href.replaceAll('&', '&amp;')
  const pairs = [
    ['/', '/ko/'],
    ...eventNumbers.map((eventNumber) => [
      pathOf('event', eventNumber, 'en'),
      pathOf('event', eventNumber, 'ko'),
    ]),
  ] as [string, string][]
  const alternates = ([en, ko]: [string, string]) =>
    [
      ['en', en],
      ['ko', ko],
      ['x-default', en],
    ]
      .map(([lang, path = '']) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${whole(path)}"/>`)
      .join('')
  const urls = pairs.flatMap((pair) =>
    pair.map((path) => `<url><loc>${whole(path)}</loc>${alternates(pair)}</url>\n`),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('')}</urlset>
`
}

export const robots = (built: string, siteUrl: string): string =>
  `${built.trimEnd()}\nSitemap: ${new URL('/sitemap.xml', siteUrl).href}\n`
