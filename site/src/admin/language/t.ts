import { fill } from '../../texts/fill.ts'
import type { english } from './english.ts'
import { language } from './language.ts'

/** A text of the administrator area as its source has it: SPEC's Korean, with {names} for values. */
export type Korean = keyof typeof english

/** Only a page in English loads it. */
const words: Record<Korean, string> | undefined =
  language === 'en' ? (await import('./english.ts')).english : undefined

/** This text in the chosen language, with a value for each {name}; a text without English does not compile. */
export const t = (korean: Korean, values: Record<string, string | number> = {}): string =>
  fill(words ? formed(words[korean], values) : korean, values)

/**
 * English with the forms for these values: "{count:ticket|tickets}" is "ticket" where count is 1.
 * @internal
 */
export const formed = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name: string, one: string, other: string) =>
    `${values[name]}` === '1' ? one : other,
  )
