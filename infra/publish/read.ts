import type { EventPage } from '../../core/content/event-content.ts'
import { isOver } from '../../site/src/winner/prizes.ts'
import { checkedNumber, checkedPage } from './check.ts'

const withinMs = 10_000

/**
 * What is published: the running event's number, and the page of each event, oldest first. `unread` are events whose answer is
 * none: `events` has what they said before, `missing` are those of which nothing is known here.
 */
export type Source = {
  current: number
  events: readonly EventPage[]
  unread: readonly number[]
  missing: readonly number[]
}

/** The API answers something that makes no page. */
class WrongAnswer extends Error {}

/** Reads the public API as anybody may. `all` asks for settled events again, which change only by a correction. */
export class SourceReader {
  readonly #apiUrl: string
  readonly #log: (line: string) => void
  #known = new Map<number, EventPage>()
  #newest = 0

  constructor(apiUrl: string, log: (line: string) => void = () => {}) {
    this.#apiUrl = apiUrl.replace(/\/$/, '')
    this.#log = log
  }

  /**
   * A wrong answer about one event keeps that event's page as it is, and no other's. Throws where nobody answers at all, and where
   * an API that has lost its database still tells of the event before.
   */
  async read({ all = false } = {}): Promise<Source> {
    const current = checkedNumber(await this.#json('/api/raffle/config'))
    if (current < this.#newest)
      throw new Error(`raffle/config: event ${current} runs, and event ${this.#newest} did before`)
    const events: EventPage[] = []
    const unread: number[] = []
    const missing: number[] = []
    for (let number = 1; number <= current; number++) {
      const old = this.#known.get(number)
      try {
        const page = !all && old && isSettled(old) ? old : await this.#event(number)
        // No page of an event is taken away because somebody answers that he does not know it.
        if (!page && (old || number === current)) throw new WrongAnswer(`GET raffle/event/${number}: 404`)
        if (page) events.push(page)
      } catch (error) {
        if (!(error instanceof WrongAnswer)) throw error
        this.#log(`The page of event ${number} stays as it is: ${error.message}`)
        unread.push(number)
        if (old) events.push(old)
        else missing.push(number)
      }
    }
    this.#newest = current
    this.#known = new Map(events.map((page) => [page.eventNumber, page]))
    return { current, events, unread, missing }
  }

  /** The bytes of a stored image. */
  async image(key: string): Promise<Uint8Array> {
    const response = await this.#get(`/api/uploads/${encodeURIComponent(key)}`)
    if (!response.ok) throw new Error(`GET uploads/${key}: ${response.status}`)
    return response.bytes()
  }

  /** Undefined for a number that no event had. */
  async #event(number: number): Promise<EventPage | undefined> {
    const response = await this.#get(`/api/raffle/event/${number}`)
    if (response.status === 404) return undefined
    if (!response.ok) throw new WrongAnswer(`GET raffle/event/${number}: ${response.status}`)
    try {
      return checkedPage(await response.json(), number)
    } catch (error) {
      throw new WrongAnswer((error as Error).message)
    }
  }

  async #json(path: string): Promise<unknown> {
    const response = await this.#get(path)
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    return response.json()
  }

  #get(path: string): Promise<Response> {
    return fetch(this.#apiUrl + path, { signal: AbortSignal.timeout(withinMs), redirect: 'error' })
  }
}

/** Only a correction would still change it: the slow look finds that. */
const isSettled = ({ isArchived, state, prizes }: EventPage): boolean =>
  isArchived && state !== 'refunding' && prizes.every(isOver)
