import { $rules } from '../live/live.ts'
import { hasRules } from './gate.ts'

/** Whether a wallet may be opened for a purchase now: asks, and lets the buyer confirm what has to be. */
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
