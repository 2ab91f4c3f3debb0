import type { BrowserContext, Page } from 'playwright-core'
import { keccak256, toHex } from 'viem'
import type { PublicRules } from '../../../core/house/rules.ts'
import type { PublicState } from '../../../core/live/public.ts'

type Shown = readonly [name: string, section: string, state: { rules: Partial<PublicState['rules']> }]

const version = (name: string) => ({ sha256: keccak256(toHex(name)), savedAt: '2026-03-01T00:00:00.000Z' })
const texts: Partial<PublicRules> = { terms: version('terms'), privacy: version('privacy') }

/** Rules of the land, each switched on. */
export const houseStates: readonly Shown[] = [
  ['house-confirm', 'buy', { rules: { ...texts, minAge: 19, requireAcceptance: true } }],
  ['house-closed', 'buy', { rules: { ...texts, closedCountries: ['KR'] } }],
]

/** As a CDN of a closed country would let the server say. */
export async function fakeVisitor(context: BrowserContext, isCountryClosed: boolean): Promise<void> {
  await context.route('**/api/visitor', (route) => route.fulfill({ json: { isCountryClosed } }))
}

/** Where each of them shows. */
export const housePlaces: Record<string, string> = {
  'house-confirm': '#buy [aria-labelledby=house-confirm] button',
  'house-closed': '#buy [data-gate=closed]',
}

/** Opens what such a state is about. */
export async function openHouse(page: Page, name: string): Promise<void> {
  const place = page.locator(housePlaces[name] ?? 'html')
  await place.waitFor()
  if (name === 'house-confirm') await place.click()
}
