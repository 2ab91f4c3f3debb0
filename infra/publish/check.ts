import type { EventPage } from '../../core/content/event-content.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { parseTerms, termsSha256 } from '../../core/event/terms.ts'
import { pageShape } from './page-shape.ts'

/**
 * An answer of the API as the page of event `number`. Throws for any other: half an answer would make half a page, a name may
 * lead out of the folder, and a prize that the terms do not promise is not published. What passes makes a page: nothing that
 * one answer holds stops the others.
 */
export function checkedPage(answer: unknown, number: number): EventPage {
  const page = answer as EventPage
  const wrong = wrongWith(page, number)
  if (wrong) throw new Error(`raffle/event/${number}: ${wrong}`)
  return page
}

/** The number of the running event. */
export function checkedNumber(answer: unknown): number {
  const number = (answer as { eventNumber?: unknown } | null)?.eventNumber
  if (Number.isSafeInteger(number) && (number as number) >= 1) return number as number
  throw new Error('raffle/config: no event is named')
}

function wrongWith(page: EventPage | null, number: number): string | undefined {
  if (page?.eventNumber !== number) return 'it tells of another event'
  const place = pageShape(page, '')
  if (place !== undefined) return `its ${place} is ${shown(page, place)}`
  const { terms, content } = page
  if (termsSha256(terms) !== page.termsSha256) return 'its terms have another SHA-256'
  const told = parseTerms(terms)
  if (told?.eventNumber !== `${number}`) return 'its terms are no line of this event'
  if (!dates.every((field) => told[field] === 'none' || Number(told[field]) <= lastSecond))
    return 'its terms have a date beyond all calendars'
  if (told.contentSha256 !== (page.contentSha256 ?? 'none')) return 'its terms promise another content'
  if (content === null) return page.contentSha256 === null ? undefined : 'its content is missing'
  return contentSha256(content) === page.contentSha256 ? undefined : 'its content is not what it promises'
}

const dates = ['saleStart', 'saleEnd', 'drawDate'] as const
/** Of what `Date` can tell. */
const lastSecond = 8.64e12

/** For the log: what stands there, short. */
function shown(page: EventPage, place: string): string {
  const value = place
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], page)
  return `${JSON.stringify(value)}`.slice(0, 80)
}
