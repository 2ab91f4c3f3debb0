import { $live, type Known } from './live.ts'

/** Parts that change with every sale; no source of a page shows them. */
const fleeting: readonly (keyof Known)[] = ['stats', 'recent', 'solvency']

/**
 * Whether a change is one of what pages say in their source: a new version with a part that is no figure, or with none at
 * all, such as a correction.
 * @internal
 */
export function tellsOfPages(before: Known, after: Known): boolean {
  if (before.version === undefined || after.version === before.version) return false
  const names = Object.keys(after) as (keyof Known)[]
  const changed = names.filter((name) => name !== 'version' && after[name] !== before[name])
  return changed.length === 0 || changed.some((name) => !fleeting.includes(name))
}

type Options = {
  /** The event and the content that the page tells of; left out where it is the page of one event, whatever runs. */
  event?: string | undefined
  /** It may be older than the first state that it hears of, as a CDN keeps pages for a while, and does not see that itself. */
  isOld?: boolean
  /** Nothing is torn from under a visitor's hands. */
  isBusy?: () => boolean | Promise<boolean>
}

/**
 * After each change that pages may say, this one looks at itself as it is served now, and is loaded anew where that says something
 * else. What it says of an event that runs no more is hidden until then, however long that takes.
 */
export function followPage({ event, isOld = false, isBusy = () => false }: Options = {}): void {
  const own = markIn(document.head.innerHTML)
  let newest = 0
  let isOther = false

  async function look(): Promise<void> {
    const mine = ++newest
    let isHeld = false
    // A page in a CDN may be a minute old. Not all pages that are open in the world ask at one moment.
    for (let ms = isOther ? 500 : 2_500; ms < 60_000 || isOther || isHeld; ms *= isOther ? 2 : 4) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 16_000) * (0.9 + Math.random() * 0.4)))
      if (mine !== newest) return
      const served = await markServed()
      isHeld = served !== undefined && served !== own
      if (isHeld && !(await isBusy())) return location.reload()
    }
  }

  $live.listen((after, before) => {
    const { config } = after
    // The last field of the terms is the fingerprint of what is raffled.
    const now = config && `${config.eventNumber},${config.terms.trimEnd().split(',').at(-1)}`
    const wasOther = isOther
    isOther = event !== undefined && now !== undefined && now !== event
    document.documentElement.toggleAttribute('data-renewing', isOther)
    const isFirst = after.version !== undefined && before?.version === undefined
    const isNew = isFirst ? isOld : before !== undefined && tellsOfPages(before, after)
    if (isNew || (isOther && !wasOther)) void look()
  })
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
    return response.ok ? markIn(await response.text()) || undefined : undefined
  } catch {
    return undefined
  }
}
