import { atom } from 'nanostores'
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
    show()
  })
  for (const store of [$accepted, $isCountryClosed]) store.listen(show)
  show()
}

/** Asked anew before a wallet is opened; where something has to be confirmed, the buyer is asked to. */
export async function pass(): Promise<boolean> {
  await askCountry()
  show()
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

function show(): void {
  const gate = gateNow()
  if (JSON.stringify(gate) !== JSON.stringify($found.get())) $found.set(gate)
}

function gateNow(): Gate {
  const rules = $rules.get()
  const { asking, closed, confirm } = words
  if (!hasRules(rules)) return openGate
  const isCountryClosed = rules.closedCountries.length > 0 ? $isCountryClosed.get() : false
  if (isCountryClosed) return { kind: 'closed', ...closed }
  if (isCountryClosed === undefined) return { kind: 'asking', ...asking }
  if (Object.keys(missing(rules, $accepted.get())).length > 0) {
    const { title, text, instead } = confirm
    return { kind: 'confirm', title, text, instead }
  }
  return openGate
}

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
