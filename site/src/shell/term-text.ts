import { parseTerms, type TermsField, termsFields } from '../../../core/event/terms.ts'
import { centsOf, shorten, usdt } from '../../../core/money.ts'
import { html, type Markup, nothing, rows } from '../event/slots.ts'
import { count, fill, t, wordFor } from '../texts/index.ts'
import { formatDate } from './dates.ts'

/** A value of the terms line as a person reads it. @internal */
export function termText(field: TermsField, value: string): string {
  if (value === 'none') return wordFor(t.terms.unset, field) ?? t.none.notSet
  if (dates.has(field)) return formatDate(new Date(Number(value) * 1000).toISOString())
  switch (field) {
    case 'eventNumber':
      return value
    case 'chainId':
      return value === '56' ? 'BNB Smart Chain (56)' : value
    case 'ticketPrice':
      return `${usdt(centsOf(BigInt(value)))} USDT`
    case 'autoDraw':
      return value === 'true' ? t.terms.byItself : t.terms.byOperator
    case 'entropy':
      return value === 'blocks' ? t.beacon.blocks : t.beacon.someRound
    case 'claimDays':
      return fill(t.terms.days, { count: Number(value) })
    case 'contentSha256':
      return fill(t.terms.content, { hash: shorten(value, 10, 8) })
    default:
      if (/^0x[0-9a-f]{64}$/.test(value)) return shorten(value, 10, 8)
      return value.startsWith('0x') ? shorten(value, 6, 4) : count(Number(value))
  }
}

const dates = new Set<TermsField>(['saleStart', 'saleEnd', 'drawDate'])

export function termsMarkup(line: string): Markup {
  const terms = parseTerms(line)
  if (!terms) return nothing
  return rows(
    termsFields.map((field) => [
      field === 'eventNumber' ? t.terms.event : t.terms.names[field],
      html`<span title="${terms[field]}">${termText(field, terms[field])}</span>`,
    ]),
  )
}
