import type { ContentPrize, EventPage, Picture } from '../../../../core/content/event-content.ts'
import { type PublicBranding, shadesOf } from '../../../../core/house/branding.ts'
import { shorten, usdt } from '../../../../core/money.ts'
import { site } from '../../content/site.ts'
import { drawingBox, prizeDrawing } from '../../home/prize-drawing.ts'
import { fill, type Lang } from '../../texts/index.ts'
import { html, type Markup, plain, wordsIn } from '../slots.ts'

const ink = '#1b1712'
const ink2 = '#4a4338'
const print2 = '#3d2b05'
const desk = '#f3ede0'

type Brand = Pick<PublicBranding, 'name' | 'accent'>
type Colours = { gold: string; light: string }

function coloursOf(accent: string | null): Colours {
  if (!accent) return { gold: '#e3aa2b', light: '#f3cc6d' }
  const { surface, light } = shadesOf(accent)
  return { gold: surface, light }
}

export type CardFacts = Pick<
  EventPage,
  'eventNumber' | 'state' | 'content' | 'ticketPrice' | 'drawDate' | 'result'
>

/** Where a picture of the event is read; undefined where it could not be fetched. */
type HrefOf = (picture: Picture) => string | undefined

/** Without signs that none of its faces has: each would be an empty box. */
const printed = (text: string): string =>
  plain(text)
    .replace(/\p{Emoji_Presentation}|\p{Emoji_Modifier}|[\u200d\ufe0f]/gu, '')
    .trim()

const inMono = (text: string, width: number, most: number): number =>
  Math.min(most, Math.floor(width / (text.length * 0.6)))

const ticket = { x: 56, y: 118, width: 800, height: 456, tear: 560 }

/** What a shared link shows, 1200 x 630: the ticket, event number, prize, price, date; once drawn the holder and a seal. */
export function cardSvg(
  page: CardFacts,
  language: Lang,
  hrefOf: HrefOf,
  brand: Brand = { name: null, accent: null },
): string {
  const colours = coloursOf(brand.accent)
  const { eventNumber, result } = page
  const words = wordsIn(language)
  const [winner] = result?.winners ?? []
  const event = fill(words.title, { event: `${eventNumber}` })
  return html`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1200" height="630" viewBox="0 0 1200 630"><defs>${holes()}<filter id="lift" x="-10%" y="-10%" width="120%" height="130%"><feDropShadow dx="0" dy="14" stdDeviation="12" flood-color="${ink}" flood-opacity=".16"/></filter></defs><rect width="1200" height="630" fill="${desk}"/>${mark(printed(brand.name ?? site.name), colours)}<text x="1144" y="74" text-anchor="end" font-family="${display(language)}" font-weight="${weight(language)}" font-size="26" fill="${ink2}">${words.states[page.state]}</text><g filter="url(#lift)"><rect x="${ticket.x}" y="${ticket.y}" width="${ticket.width}" height="${ticket.height}" fill="${colours.gold}" mask="url(#holes)"/></g>${face(page, language, { hrefOf, event, colours })}${winner ? seal(page) : stub(page, language)}${beside(page, language)}</svg>`
    .markup
}

const display = (language: Lang) => (language === 'ko' ? 'Pretendard' : 'Besley')
const weight = (language: Lang) => (language === 'ko' ? '700' : '600')
const label = (x: number, y: number, text: string, language: Lang, anchor = 'start'): Markup =>
  html`<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${language === 'ko' ? 'Pretendard' : 'IBM Plex Mono, IBM Plex Mono Medium'}" font-weight="${language === 'ko' ? '700' : '500'}" font-size="16" letter-spacing="${language === 'ko' ? '0' : '1'}" fill="${print2}">${language === 'ko' ? text : text.toUpperCase()}</text>`

const big = (x: number, y: number, text: string, size: number, language: Lang): Markup =>
  html`<text x="${x}" y="${y}" font-family="${display(language)}" font-weight="${weight(language)}" font-size="${size}" fill="${ink}">${text}</text>`

function holes(): Markup {
  const { x, y, width, height, tear } = ticket
  const sides = Array.from({ length: 24 }, (_, index) => y + 19 * index + 9.5)
  const line = Array.from({ length: 31 }, (_, index) => y + 30 + index * 13.2)
  return html`<mask id="holes" maskUnits="userSpaceOnUse" x="0" y="0" width="1200" height="630"><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fff"/>${sides.flatMap((at) => [html`<circle cx="${x}" cy="${at}" r="6"/>`, html`<circle cx="${x + width}" cy="${at}" r="6"/>`])}${line.map((at) => html`<circle cx="${x + tear}" cy="${at}" r="2.6"/>`)}<circle cx="${x + tear}" cy="${y}" r="16"/><circle cx="${x + tear}" cy="${y + height}" r="16"/></mask>`
}

const mark = (name: string, { gold }: Colours): Markup =>
  html`<g transform="translate(56 44) scale(1.5)"><path fill="${gold}" stroke="${ink}" stroke-width="1.75" stroke-linejoin="round" d="M1.5 2h29v5.5a4.5 4.5 0 0 0 0 9V22h-29v-5.5a4.5 4.5 0 0 0 0-9z"/><path fill="none" stroke="${ink}" stroke-width="1.75" stroke-linecap="round" d="M16 8h6.5M16 12h9M16 16h6.5M11 6.5v.01M11 10.2v.01M11 13.8v.01M11 17.5v.01"/></g><text x="118" y="74" font-family="Besley, Pretendard" font-weight="600" font-size="${fitted(name, 600, 32)}" fill="${ink}">${name}</text>`

type Face = { hrefOf: HrefOf; event: string; colours: Colours }

function face({ content }: CardFacts, language: Lang, { hrefOf, event, colours }: Face): Markup {
  const words = wordsIn(language)
  const first = content?.prizes[0]
  const count = content?.prizes.reduce((sum, { copies }) => sum + copies, 0) ?? 0
  const many = count === 1 ? words.onePrize : count > 1 ? fill(words.prizes, { count }) : ''
  const name = wrapped(printed(first?.name[language] ?? '').replaceAll('\n', ' '), 210, 22, 2)
  const value = printed(first?.value ?? '')
  const [left, top, width, height] = [ticket.x + 34, ticket.y + 28, ticket.tear - 62, ticket.height - 56]
  return html`<g fill="none" stroke="${ink}"><rect x="${left}" y="${top}" width="${width}" height="${height}" rx="6" stroke-width="2"/><rect x="${left + 5}" y="${top + 5}" width="${width - 10}" height="${height - 10}" rx="4"/></g>${label(left + 28, top + 42, event, language)}${label(left + width - 28, top + 42, many, language, 'end')}${first ? drawing(first, hrefOf, { x: left + width / 2, y: top + 60, light: colours.light }) : untold(left + 28, top + height / 2, language)}${first && label(left + 28, top + height - 84, words.value, language)}${big(left + 28, top + height - 32, value, fitted(value, 230, 54), language === 'ko' ? 'en' : language)}${name.map(
    (line, index) =>
      html`<text x="${left + width - 28}" y="${top + height - 34 - (name.length - 1 - index) * 28}" text-anchor="end" font-family="${display(language)}" font-weight="${weight(language)}" font-size="22" fill="${print2}">${line}</text>`,
  )}`
}

function untold(x: number, y: number, language: Lang): Markup {
  const lines = wrapped(wordsIn(language).untitled, 440, 48, 3)
  return html`${lines.map((line, index) => big(x, y + 16 + (index - (lines.length - 1) / 2) * 58, line, 48, language))}`
}

type Drawn = { x: number; y: number; light: string }
function drawing(prize: ContentPrize, hrefOf: HrefOf, { x, y, light }: Drawn): Markup {
  const [picture] = prize.pictures
  const href = picture && hrefOf(picture)
  if (!href)
    return html`<svg x="${x - 140}" y="${y}" width="280" height="236" viewBox="${drawingBox}">${{ markup: prizeDrawing(prize, ink, light) }}</svg>`
  const [width, height] = [296, 222]
  return html`<rect x="${x - width / 2}" y="${y}" width="${width}" height="${height}" fill="${light}" stroke="${ink}"/><image x="${x - width / 2}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid meet" xlink:href="${href}"/>`
}

function stub({ ticketPrice, drawDate, eventNumber }: CardFacts, language: Lang): Markup {
  const { dates } = wordsIn(language)
  const x = ticket.x + ticket.tear + 36
  const price = usdt(ticketPrice)
  return html`${label(x, ticket.y + 70, dates.price, language)}${big(x, ticket.y + 124, price, fitted(price, 120, 56), 'en')}<text x="${x}" y="${ticket.y + 156}" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="22" fill="${ink}">USDT</text>${bars(x, ticket.y + 196, `event ${eventNumber}`)}${drawDate && html`${label(x, ticket.y + 372, dates.drawDate, language)}${lineOf(x, ticket.y + 402, drawDate.slice(0, 10))}${lineOf(x, ticket.y + 428, `${drawDate.slice(11, 16)} UTC`)}`}`
}

const lineOf = (x: number, y: number, text: string): Markup =>
  html`<text x="${x}" y="${y}" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="20" fill="${ink}">${text}</text>`

/** A decoration that is the same for the same event, and no code that anything reads. */
function bars(x: number, y: number, seed: string): Markup {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  const lines: Markup[] = []
  for (let at = 0; at < 160; ) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    const wide = 1 + (state >>> 28) / 4
    lines.push(html`<rect x="${x + at}" y="${y}" width="${wide.toFixed(1)}" height="110" fill="${ink}"/>`)
    at += Math.ceil(wide) + 2 + ((state >>> 20) & 3)
  }
  return html`${lines}`
}

function seal({ eventNumber, result, drawDate }: CardFacts): Markup {
  const date = (drawDate ?? result?.drawnAt ?? '').slice(0, 16)
  const x = ticket.x + ticket.tear + (ticket.width - ticket.tear) / 2
  const y = ticket.y + ticket.height / 2
  return html`<g transform="translate(${x} ${y}) rotate(-8)" text-anchor="middle" fill="${ink}"><g fill="none" stroke="${ink}"><circle r="100" stroke-width="3.6"/><circle r="93" stroke-width="1"/></g><text y="-44" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="16">${`EVENT No. ${eventNumber}`}</text><path d="M-66-28H66M-66 26H66" stroke="${ink}" stroke-width="2"/><text y="13" font-family="Besley" font-weight="600" font-size="42">FINAL</text><text y="50" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="16">${date.slice(0, 10)}</text><text y="70" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="14">${`${date.slice(11)} UTC`}</text></g>`
}

function beside(page: CardFacts, language: Lang): Markup {
  const words = wordsIn(language)
  const [winner, ...others] = page.result?.winners ?? []
  const x = ticket.x + ticket.width + 36
  if (winner)
    return html`${label(x, 226, words.result.winner, language)}<text x="${x}" y="268" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="27" fill="${ink}">${shorten(winner.walletAddress, 6, 4)}</text>${label(x, 336, fill(words.result.ticket, { ticket: '' }).trim(), language)}<text x="${x}" y="384" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="${inMono(`#${winner.ticketNumber}`, 1_144 - x, 44)}" fill="${ink}">#${winner.ticketNumber}</text>${others.length > 0 && html`<text x="${x}" y="430" font-family="IBM Plex Mono, IBM Plex Mono Medium" font-weight="500" font-size="20" fill="${ink2}">+ ${others.length}</text>`}`
  const lines = (page.content?.title[language] ?? fill(words.title, { event: `${page.eventNumber}` }))
    .split('\n')
    .map((line) => printed(line))
    .filter(Boolean)
    .flatMap((line) => wrapped(line, 258, 34, 4))
    .slice(0, 8)
  return html`${lines.map((line, index) => big(x, 376 - lines.length * 21 + index * 42, line, fitted(line, 258, 34), language))}`
}

/** Widths of letters by guess, on the wide side: pictures are printed without a layout that could measure. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) =>
      sum +
      (letter.charCodeAt(0) > 0x2e80
        ? 0.95
        : /[iIl.,:;'|!() ]/.test(letter)
          ? 0.36
          : /[mwMW@]/.test(letter)
            ? 0.95
            : 0.62),
    0,
  )

/** The largest size up to `most` at which one line is no wider than `width`. */
const fitted = (text: string, width: number, most: number): number =>
  Math.min(most, Math.floor(width / Math.max(widthOf(text), 1)))

/** Lines of words no wider than `width`; what is left after `most` lines ends in an ellipsis. */
function wrapped(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`) * size <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  const cut = lines.map((line) => shortened(line, width / size))
  return cut.length > most ? [...cut.slice(0, most - 1), shortened(`${cut[most - 1]}…`, width / size)] : cut
}

/** Without a space there is nowhere to break. */
function shortened(line: string, most: number): string {
  if (widthOf(line) <= most) return line
  const letters = [...line]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > most) letters.pop()
  return `${letters.join('')}…`
}
