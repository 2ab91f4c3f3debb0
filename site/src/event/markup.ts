import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { formatDate } from '../shell/dates.ts'

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

/** Leaders: a name, dots, a value. */
export const rows = (pairs: readonly (readonly [name: string, value: string | Markup])[]): Markup =>
  html`<dl class="summary ruled">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

export const when = (value: string): Markup => html`<time datetime="${value}">${formatDate(value)}</time>`

export const hashLink = (hash: string, label: string): Markup =>
  html`<a class="hash" href="${site.explorerUrl}/tx/${hash}" target="_blank" rel="noreferrer" title="${hash}" aria-label="${label}: ${hash}"><span>${shorten(hash, 8, 4)}</span></a>`
