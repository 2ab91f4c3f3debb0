import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { formatDate } from '../shell/dates.ts'
import { html, type Markup } from './markup.ts'

/** Leaders: a name, dots, a value. */
export const rows = (pairs: readonly (readonly [name: string, value: string | Markup])[]): Markup =>
  html`<dl class="summary ruled">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

export const when = (value: string): Markup => html`<time datetime="${value}">${formatDate(value)}</time>`

export const hashLink = (hash: string, label: string): Markup =>
  html`<a class="hash" href="${site.explorerUrl}/tx/${hash}" target="_blank" rel="noreferrer" title="${hash}" aria-label="${label}: ${hash}"><span>${shorten(hash, 8, 4)}</span></a>`
