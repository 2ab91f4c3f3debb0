import type { house } from '../texts/en/house.ts'
import { lang } from '../texts/index.ts'

type Words = typeof house

/** Texts of the rules in the page's language, once `loadWords` has loaded them. */
export let words: Words

export async function loadWords(): Promise<void> {
  const { house } = await (lang === 'ko' ? import('../texts/ko/house.ts') : import('../texts/en/house.ts'))
  words = house
}
