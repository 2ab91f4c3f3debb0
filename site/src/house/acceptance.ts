import { atom } from 'nanostores'
import type { Acceptance, PublicRules } from '../../../core/house/rules.ts'
import { acceptedKey, storage } from '../shell/storage.ts'

const isAcceptance = (value: unknown): value is Acceptance => typeof value === 'object' && value !== null

export const $accepted = atom<Acceptance>(storage.read(acceptedKey, isAcceptance) ?? {})

export function accept(accepted: Acceptance): void {
  $accepted.set({ ...$accepted.get(), ...accepted })
  storage.write(acceptedKey, $accepted.get())
}

const asked = ({ minAge, requireAcceptance, terms, privacy }: PublicRules): Acceptance => ({
  ...(requireAcceptance && terms && { termsSha256: terms.sha256 }),
  ...(requireAcceptance && privacy && { privacySha256: privacy.sha256 }),
  ...(minAge !== null && { age: minAge }),
})

/** Of that, what this browser has not confirmed yet; empty once nothing is missing. */
export function missing(rules: PublicRules, accepted: Acceptance): Acceptance {
  const { termsSha256, privacySha256, age } = asked(rules)
  return {
    ...(termsSha256 && termsSha256 !== accepted.termsSha256 && { termsSha256 }),
    ...(privacySha256 && privacySha256 !== accepted.privacySha256 && { privacySha256 }),
    ...(age !== undefined && !((accepted.age ?? 0) >= age) && { age }),
  }
}

/** Of what these rules ask, what this browser has confirmed: that alone is said beside a payment. */
export function confirmed(rules: PublicRules, accepted: Acceptance): Acceptance {
  const open = missing(rules, accepted)
  return Object.fromEntries(Object.entries(asked(rules)).filter(([name]) => !(name in open)))
}
