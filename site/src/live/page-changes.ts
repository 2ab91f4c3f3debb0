import { $now, serverNow } from './clock.ts'
import { $live, type Known } from './live.ts'
import { stageOf } from './stage.ts'

type Options = {
  /** What a page tells that was served in this state, as its meta element `page-mark` has it. */
  markOf: (known: Known) => string | undefined
  /** Nothing is torn from under a visitor's hands. */
  isBusy?: () => boolean | Promise<boolean>
}

/** The home page is another where another event runs, or its prizes are others: the last field of the terms is their fingerprint. */
export const homeMark = ({ config }: Known): string | undefined =>
  config && `${config.eventNumber},${config.terms.trimEnd().split(',').at(-1)}`

/** The page of an event is another with each of its terms, and with its stage. */
export const eventMark = (known: Known): string | undefined =>
  known.config && `${known.config.termsSha256},${stageOf(known, serverNow())}`

/** An open page whose event is another loads anew once it is served so; until then it hides what is over. */
export function followPage({ markOf, isBusy = () => false }: Options): void {
  const own = markIn(document.head.innerHTML)
  let isLooking = false
  const isOther = () => {
    const mark = markOf($live.get())
    return own !== undefined && mark !== undefined && mark !== own
  }

  async function look(): Promise<void> {
    isLooking = true
    // Not all pages that are open in the world ask at one moment.
    for (let ms = 500; isOther(); ms = Math.min(2 * ms, 16_000)) {
      await new Promise((resolve) => setTimeout(resolve, ms * (0.9 + Math.random() * 0.4)))
      const served = await markServed()
      if (served !== undefined && served !== own && !(await isBusy())) return location.reload()
    }
    isLooking = false
  }

  const check = () => {
    document.documentElement.toggleAttribute('data-renewing', isOther())
    if (isOther() && !isLooking) void look()
  }
  $live.listen(check)
  $now.listen(check)
}

const markIn = (html: string): string | undefined =>
  /<meta name="page-mark" content="([^"]*)"/.exec(html)?.[1]

async function markServed(): Promise<string | undefined> {
  try {
    // With the origin, as a path may begin with two slashes: alone it would name another host, whose answer is no page of ours.
    const response = await fetch(`${location.origin}${location.pathname}`, {
      cache: 'no-cache',
      mode: 'same-origin',
    })
    return response.ok ? markIn(await response.text()) : undefined
  } catch {
    return undefined
  }
}
