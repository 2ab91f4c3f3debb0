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
