import { atom, computed } from 'nanostores'
import type { PublicRules } from '../../../core/house/rules.ts'
import { $rules } from '../live/live.ts'

/** What stands between this visitor and a purchase, and what is said of it; `instead` of the address. */
export type Gate = {
  kind: 'open' | 'asking' | 'closed' | 'confirm'
  title: string
  text: string
  instead: string
}

const silent = { title: '', text: '', instead: '–' }
export const openGate: Gate = { kind: 'open', ...silent }

/** What the part that loads with the first rule has found out. */
export const $found = atom<Gate | undefined>()

/** The operator has switched something on that buyers meet. */
export const hasRules = (rules: PublicRules | undefined): rules is PublicRules =>
  rules !== undefined &&
  (rules.minAge !== null || rules.requireAcceptance || rules.closedCountries.length > 0)

export const $gate = computed(
  [$rules, $found],
  (rules, found): Gate => (hasRules(rules) ? (found ?? { kind: 'asking', ...silent }) : openGate),
)

export const passGate = async (): Promise<boolean> =>
  !hasRules($rules.get()) || (await import('./watch.ts')).pass()

/** Loads the rest with the first rule; links to the texts show where there are texts. */
export function watchRules(): void {
  let isWatched = false
  $rules.subscribe((rules) => {
    for (const link of document.querySelectorAll<HTMLElement>('[data-legal]'))
      link.hidden = !rules?.[link.dataset.legal as 'terms' | 'privacy']
    if (isWatched || !hasRules(rules)) return
    isWatched = true
    void import('./watch.ts').then(({ watch }) => watch())
  })
}
