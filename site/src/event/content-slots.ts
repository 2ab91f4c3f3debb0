import { type ContentPrize, narrowerSet, type Picture } from '../../../core/content/event-content.ts'
import { usdt } from '../../../core/money.ts'
import { drawingBox, prizeDrawing } from '../home/prize-drawing.ts'
import { fill, type Lang } from '../texts/index.ts'
import { html, type Markup, nothing, type Places, plain, type Slots, type Told, wordsIn } from './slots.ts'

/** The prizes, on pages and in the preview alike. An event without content tells of no prize. */
export function contentSlots(told: Told, language: Lang, { pictureUrl }: Places): Slots {
  const { content, eventNumber, ticketPrice } = told
  const words = wordsIn(language)
  if (!content) return untold(eventNumber, language)
  const [first] = content.prizes
  const isOnly = content.prizes.length === 1
  const picture = first?.pictures[0]
  const count = content.prizes.reduce((sum, { copies }) => sum + copies, 0)
  return {
    'event-number': `${eventNumber}`,
    'hero-title': html`${linesOf(content.title[language]).map((line) => html`<span>${line} </span>`)}`,
    'hero-lead': withPrice(content.lead[language], ticketPrice),
    'hero-count': count === 1 ? words.onePrize : fill(words.prizes, { count }),
    'hero-picture': picture ? image(picture, pictureUrl(picture), language) : nothing,
    'hero-drawing': picture
      ? nothing
      : html`<svg viewBox="${drawingBox}" aria-hidden="true">${{ markup: prizeDrawing(first, 'var(--print)', 'var(--gold-light)') }}</svg>`,
    'hero-value': plain(first?.value ?? ''),
    'hero-kind': first ? kindOf(first, language) : nothing,
    prize: 'yes',
    'prize-title': count === 1 ? words.headings.prize : words.headings.prizes,
    'prize-about': isOnly ? plain(first?.about[language] ?? '') : '',
    'prize-list': html`${content.prizes.map((prize, at) => prizeMarkup({ prize, at, isOnly, language, pictureUrl }))}`,
    'prize-shipping': plain(content.shipping[language]),
    'prize-links': html`${content.links.map(
      ({ label, url }) =>
        html`<li><a href="${webAddress(url)}" target="_blank" rel="noreferrer">${label[language]}</a></li>`,
    )}`,
  }
}

function untold(eventNumber: number, language: Lang): Slots {
  const title = html`<span>${fill(wordsIn(language).title, { event: `${eventNumber}` })}</span>`
  return {
    'event-number': `${eventNumber}`,
    ...{ 'hero-title': title, 'hero-lead': '', 'hero-count': '', 'hero-kind': '', 'hero-value': '–' },
    ...{ 'hero-picture': '', 'hero-drawing': '', prize: '', 'prize-about': '', 'prize-list': '' },
    ...{ 'prize-shipping': '', 'prize-links': '' },
  }
}

type Shown = Places & { prize: ContentPrize; at: number; isOnly: boolean; language: Lang }

/** A single prize is described beside its heading; of several each has its own. */
function prizeMarkup({ prize, at, isOnly, language, pictureUrl }: Shown): Markup {
  const words = wordsIn(language)
  const rows = [
    ...(isOnly ? [] : [{ name: words.value, value: prize.value }]),
    ...prize.facts.map(({ name, value }) => ({ name: name[language], value: value[language] })),
  ]
  // The first picture is on the ticket.
  const pictures = prize.pictures.slice(at === 0 ? 1 : 0)
  return html`<li class="prize">${
    isOnly
      ? nothing
      : html`<h3>${prize.name[language]}${prize.copies > 1 && html` <small>${fill(words.copies, { count: prize.copies })}</small>`}</h3><p dir="auto">${prize.about[language]}</p>`
  }<dl class="summary ruled">${rows.map(
    ({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>${pictures.length > 0 && html`<div class="grid prize-pictures">${pictures.map((picture) => image(picture, pictureUrl(picture), language, true))}</div>`}</li>`
}

function kindOf({ name, copies }: ContentPrize, language: Lang): Markup {
  const more = copies > 1 && html`<br>${fill(wordsIn(language).copies, { count: copies })}`
  return html`${name[language]}${more}`
}

/** Its size is known, so nothing moves when it arrives; the browser takes the narrowest that is wide enough. */
const image = (picture: Picture, url: string, language: Lang, later = false): Markup =>
  html`<img src="${url}"${sourcesOf(picture, url)} width="${picture.width}" height="${picture.height}" alt="${picture.alt[language]}"${later && html` loading="lazy"`} decoding="async">`

function sourcesOf({ width }: Picture, url: string): Markup | false {
  const made = narrowerSet(url, width)
  return made.length > 0 && html` srcset="${[...made, `${url} ${width}w`].join(', ')}" sizes="${shownAt}"`
}

/** On a phone as wide as the page, beside other things about as wide as the ticket. */
const shownAt = '(width < 768px) calc(100vw - 80px), 400px'

/** At {price} stands a value that the page's script keeps up to date. */
function withPrice(text: string, ticketPrice: number): Markup {
  const price = html`<span data-slot="ticket-price">${usdt(BigInt(ticketPrice))}</span>`
  return html`${text.split('{price}').map((part, at) => html`${at > 0 && price}${part}`)}`
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim())

/** Only the web: an address that runs something is no link. */
const webAddress = (url: string): string => (/^https?:\/\//i.test(url) ? url : '#')
