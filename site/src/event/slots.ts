import type { EventPage, Picture } from '../../../core/content/event-content.ts'
import type { PublicBranding } from '../../../core/house/branding.ts'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import english from '../messages/en/event.json'
import korean from '../messages/ko/event.json'
import { formatDate } from '../shell/dates.ts'
import { trustedMarkup } from '../shell/trusted.ts'
import { fill, type Lang, t } from '../texts/index.ts'

/** `data-slot` marks a text, `data-slot-ATTRIBUTE` an attribute, `data-slot-if` what an empty value hides; the second filling stands. */
export type Slots = Readonly<Record<string, string | Markup>>

/** Attributes that have places: none that runs anything. */
export const attributes = ['content', 'href', 'rel', 'aria-label'] as const

export type Told = Pick<EventPage, 'eventNumber' | 'content' | 'ticketPrice'>

export type Places = {
  pictureUrl: (picture: Picture) => string
  /** Origin of the public API; empty where it is the site's own. */
  apiBase?: string
}

export const wordsIn = (language: Lang) => (language === 'ko' ? korean : english)

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

/** Elements of our own around texts that were escaped; only `html` makes it. */
export type Markup = { markup: string }

type Value = string | number | Markup | readonly Markup[] | false | null | undefined

/** A template whose values are escaped, but for markup itself. Good inside elements and quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: parts.map((part, at) => part + markupOf(values[at])).join(''),
})

export const nothing: Markup = { markup: '' }

/** Of a text by an administrator: no control characters, and none that turn the direction of what follows. */
export const plain = (text: string): string => text.replace(unwelcome, '')

function markupOf(value: Value): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
  return escaped(plain(`${value}`))
}

const unwelcome = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\ufeff]/gu

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

export const rows = (pairs: readonly (readonly [name: string, value: string | Markup])[]): Markup =>
  html`<dl class="summary ruled">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

export const when = (value: string): Markup => html`<time datetime="${value}">${formatDate(value)}</time>`

export const hashLink = (hash: string, label: string): Markup =>
  html`<a class="hash" href="${site.explorerUrl}/tx/${hash}" target="_blank" rel="noreferrer" title="${hash}" aria-label="${label}: ${hash}"><span>${shorten(hash, 8, 4)}</span></a>`

/** The site itself, as saved, else as built. `apiBase` is the API's origin, empty where it is the site's own. */
export function brandSlots(branding: PublicBranding, apiBase = ''): Slots {
  const { logo, theme } = branding
  const name = branding.name ?? site.name
  const email = branding.supportEmail ?? site.supportEmail
  return {
    'brand-name': name,
    'brand-home': fill(t.facts.home, { name }),
    'brand-logo': logo
      ? html`<img class="mark-logo" src="${`${apiBase}/api/uploads/${logo.key}`}" width="${logo.width}" height="${logo.height}" alt="${name}">`
      : '',
    'brand-drawn': logo ? '' : 'yes',
    'support-email': email,
    'support-href': `mailto:${email}`,
    'social-name': branding.socialName ?? site.socialName,
    'social-href': secure(branding.socialUrl) ?? site.socialUrl,
    'shop-href': secure(branding.shopUrl) ?? site.shopUrl,
    copyright: branding.copyright ?? site.copyright,
    'theme-href': theme ? `${apiBase}/theme.css?v=${theme}` : '',
    'theme-rel': theme ? 'stylesheet' : '',
  }
}

/** No address that runs something, whoever wrote it. */
const secure = (url: string | null): string | undefined => (url && /^https:\/\//i.test(url) ? url : undefined)
