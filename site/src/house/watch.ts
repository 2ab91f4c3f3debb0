import { atom } from 'nanostores'
import { serverNow } from '../live/clock.ts'
import { $rules } from '../live/live.ts'
import { getJson } from '../shell/api.ts'
import { formatDate } from '../shell/dates.ts'
import { fill } from '../texts/fill.ts'
import { $wallet } from '../wallet/wallet.ts'
import { $accepted, missing } from './acceptance.ts'
import { $found, type Gate, hasRules } from './gate.ts'
import { loadWords, words } from './words.ts'

/** Set while the buyer is asked to confirm the rules. */
export const $confirming = atom<((isConfirmed: boolean) => void) | undefined>()
/** Until when the connected wallet has barred itself; null where it has not, undefined before the answer. */
export const $barredUntil = atom<string | null | undefined>()
/** Whether the page sells where the visitor is; undefined before the answer. */
const $isCountryClosed = atom<boolean | undefined>()

const againMs = 5_000
/** Timers take at most 2^31 ms. */
const longestMs = 86_400_000
let timer: ReturnType<typeof setTimeout> | undefined
let retry: ReturnType<typeof setTimeout> | undefined

/** Keeps the gate: by the rules, the country, the wallet, and what was confirmed. */
export async function watch(): Promise<void> {
  await loadWords()
  const askCountry = () => void ask(countryAsked)
  let countries = ''
  let wallet: string | undefined
  $rules.subscribe((rules) => {
    const now = `${rules?.closedCountries}`
    if (now !== countries) askCountry()
    countries = now
    void ask(barAsked)
  })
  $wallet.subscribe(({ address }) => {
    if (address === wallet) return
    wallet = address
    $barredUntil.set(undefined)
    void ask(barAsked)
  })
  for (const store of [$accepted, $barredUntil, $isCountryClosed]) store.listen(show)
  show()
}

/**
 * Asked anew before a wallet is opened, as a break may have begun in another browser; where something has to be confirmed, the buyer
 * is asked to.
 */
export async function pass(): Promise<boolean> {
  await Promise.all([ask(countryAsked), ask(barAsked)])
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
  clearTimeout(timer)
  const end = Date.parse($barredUntil.get() ?? '')
  if (gate.kind === 'barred') timer = setTimeout(show, Math.min(end - serverNow() + 1_000, longestMs))
}

function gateNow(): Gate {
  const rules = $rules.get()
  const { asking, closed, barred, confirm } = words
  const open: Gate = { kind: 'open', title: '', text: '', instead: '' }
  if (!hasRules(rules)) return open
  const isCountryClosed = rules.closedCountries.length > 0 ? $isCountryClosed.get() : false
  if (isCountryClosed) return { kind: 'closed', ...closed }
  const until = asksForBar() ? $barredUntil.get() : null
  if (until && Date.parse(until) > serverNow())
    return { kind: 'barred', ...barred, text: fill(barred.text, { until: formatDate(until) }) }
  if (isCountryClosed === undefined || until === undefined) return { kind: 'asking', ...asking }
  if (Object.keys(missing(rules, $accepted.get())).length > 0) {
    const { title, text, instead } = confirm
    return { kind: 'confirm', title, text, instead }
  }
  return open
}

/** Without a wallet nobody is barred; a break from before the switch was turned off is kept. */
function asksForBar(): boolean {
  const { selfBar, barredUntil } = $rules.get() ?? {}
  const isKept = barredUntil != null && Date.parse(barredUntil) > serverNow()
  return $wallet.get().address !== undefined && (selfBar === true || isKept)
}

async function countryAsked(): Promise<void> {
  if (($rules.get()?.closedCountries.length ?? 0) === 0) return
  $isCountryClosed.set((await getJson('/api/visitor')).value.isCountryClosed)
}

async function barAsked(): Promise<void> {
  const { address } = $wallet.get()
  if (!address || !asksForBar()) return show()
  const { until } = (await getJson(`/api/raffle/bar/${address}`)).value
  if ($wallet.get().address === address) $barredUntil.set(until)
}

/** Until there is an answer nothing is sold, and what is known stays. */
async function ask(question: () => Promise<void>): Promise<void> {
  try {
    await question()
  } catch {
    clearTimeout(retry)
    retry = setTimeout(() => {
      void ask(countryAsked)
      void ask(barAsked)
    }, againMs)
  }
}
