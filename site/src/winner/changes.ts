import type { PublicChange } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { getJson } from '../shell/api.ts'
import { formatDate } from '../shell/dates.ts'
import { count, fill, t, wordFor } from '../texts/index.ts'

/** All changes, newest first, of all pages: a payment that was missed is listed under an event that is long over. */
export async function loadChanges(signal?: AbortSignal): Promise<PublicChange[]> {
  const found: PublicChange[] = []
  let query: string | undefined = ''
  while (query !== undefined) {
    const page: { value: PublicChange[]; next: string | undefined } = await getJson(
      '/api/raffle/changes',
      signal,
      query,
    )
    found.push(...page.value)
    query = page.next
  }
  return found
}

export const nameOf = ({ field }: PublicChange): string => wordFor(t.changes.names, field) ?? field

/** "Not Set → September 30, 2025 at 12:00 PM UTC"; without an arrow if there is no former value. */
export function describe({ field, from, to }: PublicChange): string {
  const after = textOf(field, to)
  if (field === 'ledger' && isHash(to)) return t.changes.frozen
  const isNew = from === null && !field.endsWith('Date')
  return isNew ? after : `${textOf(field, from)} → ${after}`
}

function textOf(field: string, value: string | null): string {
  if (field.endsWith('Date')) return formatDate(value)
  if (value === null) return t.none.notSet
  if (isHash(value)) return t.changes.fixed
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return shorten(value, 6, 4)
  if (/^\d+$/.test(value)) return count(Number(value))
  // A word, and what it is about: "missed: 0x…".
  const [word = '', about = ''] = value.split(': ', 2)
  const text = wordFor(t.changes.values, word)
  return text ? fill(text, { about }) : value
}

const isHash = (value: string | null): boolean => /^0x[0-9a-fA-F]{64}$/.test(value ?? '')
