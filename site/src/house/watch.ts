import { atom, computed } from 'nanostores'
import { $rules } from '../live/live.ts'
import type house from '../messages/en/house.json'
import { getJson } from '../shell/api.ts'
import { lang } from '../texts/index.ts'
import { $accepted, missing } from './acceptance.ts'
import { $found, type Gate, hasRules, openGate } from './gate.ts'

/** Texts of the rules in the page's language, once they are loaded. */
export let words: typeof house

export async function loadWords(): Promise<void> {
  words = (await (lang === 'ko' ? import('../messages/ko/house.json') : import('../messages/en/house.json')))
    .default
}

export const $confirming = atom<((isConfirmed: boolean) => void) | undefined>()
/** Whether the page sells where the visitor is; undefined before the answer. */
const $isCountryClosed = atom<boolean | undefined>()

const againMs = 5_000
let retry: ReturnType<typeof setTimeout> | undefined

export async function watch(): Promise<void> {
  await loadWords()
  let countries = ''
  $rules.subscribe((rules) => {
    const now = `${rules?.closedCountries}`
    if (now !== countries) void askCountry()
    countries = now
  })
  $standing.subscribe((gate) => $found.set(gate))
}

/** Asked anew before a wallet is opened; where something has to be confirmed, the buyer is asked to. */
export async function pass(): Promise<boolean> {
  await askCountry()
  const gate = $found.get()
  if (gate?.kind !== 'confirm') return gate?.kind === 'open'
  return confirmRules()
}

export function confirmRules(): Promise<boolean> {
  $confirming.get()?.(false)
  return new Promise((resolve) => {
    $confirming.set((isConfirmed) => {
      $confirming.set(undefined)
      resolve(isConfirmed)
    })
  })
}

const $standing = computed([$rules, $accepted, $isCountryClosed], (rules, accepted, answer): Gate => {
  const { asking, closed, confirm } = words
  if (!hasRules(rules)) return openGate
  const isCountryClosed = rules.closedCountries.length > 0 ? answer : false
  if (isCountryClosed) return { kind: 'closed', ...closed }
  if (isCountryClosed === undefined) return { kind: 'asking', ...asking }
  if (Object.keys(missing(rules, accepted)).length === 0) return openGate
  const { title, text, instead } = confirm
  return { kind: 'confirm', title, text, instead }
})

/** Until there is an answer nothing is sold, and what is known stays. */
async function askCountry(): Promise<void> {
  if (($rules.get()?.closedCountries.length ?? 0) === 0) return
  try {
    $isCountryClosed.set((await getJson('/api/visitor')).value.isCountryClosed)
  } catch {
    clearTimeout(retry)
    retry = setTimeout(() => void askCountry(), againMs)
  }
}
