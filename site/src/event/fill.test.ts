import { expect, test } from 'vitest'
import type { EventContent } from '../../../core/content/event-content.ts'
import { firstEventContent } from '../../../core/content/first-event.ts'
import { noBranding } from '../../../core/house/branding.ts'
import { spoken } from '../texts/speak.ts'
import { contentSlots } from './content-slots.ts'
import { fillPage } from './fill-page.ts'
import { firstSlots, headSlots } from './head-slots.ts'
import { brandSlots, html, plain } from './slots.ts'

const pictureUrl = () => '/pictures/a.png'
const told = { eventNumber: 7, content: firstEventContent, ticketPrice: 250 }

/** Every text of a content is `text`. */
const contentOf = (text: string): EventContent => {
  const both = { en: text, ko: text }
  const picture = { key: 'a', sha256: '0x00' as const, width: 4, height: 3, alt: both }
  const facts = [{ name: both, value: both }]
  return {
    ...{ title: both, lead: both, summary: both, shipping: both },
    prizes: [
      {
        name: both,
        value: text,
        kind: 'goods',
        amount: null,
        copies: 2,
        about: both,
        facts,
        pictures: [picture],
      },
      {
        name: both,
        value: text,
        kind: 'goods',
        amount: null,
        copies: 1,
        about: both,
        facts,
        pictures: [picture],
      },
    ],
    links: [{ label: both, url: text }],
  }
}
const template = [
  'hero-title',
  'hero-lead',
  'hero-picture',
  'hero-value',
  'hero-kind',
  'prize-list',
  'prize-links',
].map((name) => `<div data-slot="${name}"></div>`)

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></script></style><svg onload=alert(1)>',
  'javascript:alert(1)',
  '{price}<b>{price}</b>',
  '<!-- --><![CDATA[',
  '&lt;script&gt;',
]

test.each(hostile)('no text of an event becomes an element or an attribute: %s', async (text) => {
  const page = { ...told, content: contentOf(text) }
  const filled = fillPage(
    `<title data-slot="head-title"></title><meta name="description" data-slot-content="head-description">${template.join('')}`,
    { ...contentSlots(page, 'en', { pictureUrl }), ...headSlots(page, { kind: 'home', language: 'en' }) },
  )
  const found: string[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        found.push(element.tagName)
        for (const [name, value] of element.attributes) {
          expect(name).toMatch(
            /^(data-[a-z-]+|name|content|src|width|height|alt|decoding|loading|href|target|rel|class|dir|datetime)$/,
          )
          if (name === 'href') expect(value).toBe('#')
          if (name === 'src') expect(value).toBe('/pictures/a.png')
        }
      },
    })
    .transform(filled)
  expect(found.filter((name) => /script|svg|style|^b$|iframe|object/.test(name))).toEqual([])
})

test('marks that turn the direction of a text are taken out', () => {
  expect(plain('a\u202eb\u2066c\u200f\u0000\nd')).toBe('abc\nd')
  expect(html`<p>${'a\u202eb'}</p>`.markup).toBe('<p>ab</p>')
})

test('a page that is filled twice says what it was told last', () => {
  const page = '<h1 data-slot="hero-title">x</h1><p data-slot="prize-about" data-slot-if="prize-about">y</p>'
  const once = fillPage(page, contentSlots({ ...told, content: contentOf('Two') }, 'en', { pictureUrl }))
  const twice = fillPage(once, firstSlots('ko', undefined))
  expect(once).toContain('hidden')
  expect(twice).toContain('<span>채굴기 한 대, </span>')
  expect(twice).not.toMatch(/Two|hidden/)
})

test('the price in a sentence is where the page keeps it up to date', () => {
  const slots = contentSlots(told, 'en', { pictureUrl })
  expect(fillPage('<p data-slot="hero-lead"></p>', slots)).toContain(
    '<span data-slot="ticket-price">2.50</span> USDT a ticket',
  )
})

test('one prize is told of as one, several as several', () => {
  const page = '<h2 data-slot="prize-title">?</h2>'
  const heading = (content: EventContent) =>
    fillPage(page, contentSlots({ ...told, content }, 'en', { pictureUrl }))
  expect(heading(firstEventContent)).toContain('>The prize<')
  expect(heading(contentOf('Two'))).toContain('>The prizes<')
})

test('tags for shared links stay out where there is no picture', () => {
  const head =
    '<meta property="og:image" content="old" data-slot-content="share-image" data-slot-if="share-image">'
  const withPath = (sharePath: string) =>
    fillPage(
      head,
      headSlots(told, { kind: 'event', language: 'en', siteUrl: 'https://a.example', sharePath }),
    )
  expect(withPath('')).toBe('')
  expect(withPath('/share/1.png')).toContain('content="https://a.example/share/1.png"')
})

test('the page of an event without content tells of no prize, neither as it was built nor of another event', () => {
  const names = ['hero-title', 'hero-lead', 'hero-value', 'hero-kind', 'prize-list', 'prize-shipping']
  const places = names.map((name) => `<div data-slot="${name}"></div>`).join('')
  const page = `${places}<i data-slot-if="prize"></i><i data-slot-if="hero-drawing"></i>`
  const built = fillPage(page, firstSlots('en', undefined))
  const filled = fillPage(built, contentSlots({ ...told, content: null }, 'en', { pictureUrl }))
  expect(filled.replace(/<[^>]*>/g, '')).toBe('Event no. 7–')
  expect(filled.match(/<i [^>]*hidden/g)).toHaveLength(2)
  const back = fillPage(filled, contentSlots(told, 'en', { pictureUrl }))
  expect(back).toContain('$2,500')
  expect(back.match(/<i [^>]*hidden/g)).toBeNull()
})

test('without a picture the first event’s miner is drawn, and any other prize as a parcel', () => {
  const [prize] = firstEventContent.prizes
  const drawn = (name: string) => {
    const content = {
      ...firstEventContent,
      prizes: [{ ...prize, name: { en: name, ko: name } }],
    } as EventContent
    return (contentSlots({ ...told, content }, 'en', { pictureUrl })['hero-drawing'] as { markup: string })
      .markup
  }
  const [fans, bow] = ['<ellipse', 'r="13"']
  const shown = (name: string) => [drawn(name).includes(fans), drawn(name).includes(bow)]
  expect([shown(prize?.name.en ?? ''), shown('Tent')]).toEqual([
    [true, false],
    [false, true],
  ])
})

test('a wide picture offers its narrower ones, each with its width; a small one and one from elsewhere offer none', () => {
  const hash = 'a'.repeat(32)
  const shown = (width: number, url: string) => {
    const [prize] = contentOf('One').prizes
    const pictures = [{ key: 'a', sha256: '0x00' as const, width, height: 3, alt: { en: '', ko: '' } }]
    const content = { ...contentOf('One'), prizes: [{ ...prize, pictures }] } as EventContent
    const slots = contentSlots({ ...told, content }, 'en', { pictureUrl: () => url })
    return /srcset="([^"]*)"/.exec((slots['hero-picture'] as { markup: string }).markup)?.[1]
  }
  const url = `/api/uploads/${hash}.jpg`
  const narrow = (width: number) => `/api/uploads/${hash}-${width}.webp ${width}w`
  expect(shown(2_000, url)).toBe(`${narrow(480)}, ${narrow(1_200)}, ${url} 2000w`)
  expect(shown(1_200, url)).toBe(`${narrow(480)}, ${url} 1200w`)
  expect([shown(480, url), shown(2_000, '/pictures/a.png')]).toEqual([undefined, undefined])
})

test('the site’s own links lead to the web alone, and everything unsaid is as it was built', () => {
  const page =
    '<a data-slot-href="shop-href" href="x"></a><b data-slot="brand-name"></b><link data-slot-href="theme-href" data-slot-rel="theme-rel">'
  const filled = (change: object) =>
    fillPage(
      page,
      spoken('en', () => brandSlots({ ...noBranding, ...change })),
    )
  expect(filled({ shopUrl: 'javascript:alert(1)' })).toContain('href="https://shop.blockdraw.example"')
  expect(filled({})).toContain('>Blockdraw<')
  expect(filled({})).not.toContain('stylesheet')
  expect(filled({ theme: '0123456789abcdef' })).toContain('href="/theme.css?v=0123456789abcdef"')
  expect(filled({ name: '<script>alert(1)</script>' })).toContain('&lt;script&gt;')
})
