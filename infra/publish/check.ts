import type { EventPage } from '../../core/content/event-page.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { parseTerms, termsSha256 } from '../../core/terms.ts'
import { eventWords } from '../../site/src/texts/en/event.ts'

/**
 * An answer of the API as the page of event `number`. Throws for any other: half an answer would make half a page, a name may
 * lead out of the folder, and a prize that the terms do not promise is not published.
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
  const { state, terms, content, corrections, prizes, changes } = page
  if (!Object.hasOwn(eventWords.states, state)) return `its state is ${state}`
  if (![corrections, prizes, changes].every(Array.isArray) || typeof terms !== 'string')
    return 'a part of it is missing'
  if (termsSha256(terms) !== page.termsSha256) return 'its terms have another SHA-256'
  const promised = parseTerms(terms)?.contentSha256
  if (promised !== undefined && promised !== (page.contentSha256 ?? 'none'))
    return 'its terms promise another content'
  if (content === null) return page.contentSha256 === null ? undefined : 'its content is missing'
  if (contentSha256(content) !== page.contentSha256) return 'its content is not what it promises'
  const pictures = content.prizes.flatMap((prize) => prize.pictures)
  return pictures.every(({ key, sha256 }) => isName.test(key) && isHash.test(sha256))
    ? undefined
    : 'a picture has no name of ours'
}

const isName = /^[\w-]+\.(jpg|png)$/
const isHash = /^0x[0-9a-f]{64}$/
