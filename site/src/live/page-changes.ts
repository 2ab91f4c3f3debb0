import { $live, type Known } from './live.ts'

/** Parts that change with every sale; no published page shows them. */
const fleeting: readonly (keyof Known)[] = ['stats', 'recent', 'solvency']

/**
 * Whether a change is one of what pages are published with: a new version with a part that is no figure, or with none at
 * all, such as a correction.
 * @internal
 */
export function tellsOfPages(before: Known, after: Known): boolean {
  if (before.version === undefined || after.version === before.version) return false
  const names = Object.keys(after) as (keyof Known)[]
  const changed = names.filter((name) => name !== 'version' && after[name] !== before[name])
  return changed.length === 0 || changed.some((name) => !fleeting.includes(name))
}

/** Pages are published within seconds, and a CDN that pulls has them within a minute. */
const laterMs = [2_500, 10_000, 70_000]

/**
 * While this page is open it is looked at again after each change that it may have been published anew with. `isOld`: it
 * may have been older than the first state that it heard of, as a CDN keeps pages for a while, and does not show it itself.
 */
export function followPage({ isOld = false } = {}): void {
  let timers: ReturnType<typeof setTimeout>[] = []
  const look = () => void import('../event/renew.ts').then(({ freshen }) => freshen())
  $live.listen((after, before) => {
    const isFirst = after.version !== undefined && before?.version === undefined
    if (isFirst ? !isOld : !before || !tellsOfPages(before, after)) return
    for (const timer of timers) clearTimeout(timer)
    // Not all pages that are open in the world at one moment.
    timers = laterMs.slice(isFirst ? 1 : 0).map((ms) => setTimeout(look, ms * (0.9 + Math.random() * 0.4)))
  })
}
