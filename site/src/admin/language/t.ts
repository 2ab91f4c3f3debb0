import { createElement, Fragment, type ReactNode } from 'react'
import type { Language } from '../../../../core/admin/language.ts'
import type english from '../../messages/en/admin/sentences.json'
import korean from '../../messages/ko/admin/words.json'
import { fill } from '../../texts/index.ts'
import { attempt } from '../session/token.ts'

const languageKey = 'blockdraw:admin-language'

/** What this browser's administrator area is written in; it changes with a new load of the page. */
export const language: Language = readLanguage()

/** A text of the administrator area as its source has it: SPEC's Korean, with {names} for values. */
type Korean = keyof typeof english
type Values = Record<string, string | number>

const sentences: Record<Korean, string> | undefined =
  language === 'en' ? (await import('../../messages/en/admin/sentences.json')).default : undefined

/** What stands for the codes that servers and chain speak in. */
export const words: typeof korean =
  language === 'en' ? (await import('../../messages/en/admin/words.json')).default : korean

/** This text in the chosen language, with a value for each {name}; a text without English does not compile. */
export const t = (korean: Korean, values: Values = {}): string =>
  fill(sentences ? formed(sentences[korean], values) : korean, values)

export function rich(korean: Korean, values: Record<string, ReactNode>): ReactNode {
  const plain = Object.entries(values).filter(([, value]) => ['string', 'number'].includes(typeof value))
  // Odd places are the names that `t` has left.
  const parts = t(korean, Object.fromEntries(plain) as Values).split(/\{(\w+)\}/)
  return createElement(Fragment, {}, ...parts.map((part, at) => (at % 2 ? values[part] : part)))
}

/** English with the forms for these values: "{count:ticket|tickets}" is "ticket" where count is 1. @internal */
export const formed = (text: string, values: Values): string =>
  text.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name: string, one: string, other: string) =>
    `${values[name]}` === '1' ? one : other,
  )

function readLanguage(): Language {
  return attempt(() => localStorage.getItem(languageKey)) === 'en' ? 'en' : 'ko'
}

/** False if the browser cannot keep it: a reload would not change the page. */
export function writeLanguage(chosen: Language): boolean {
  attempt(() => localStorage.setItem(languageKey, chosen))
  return readLanguage() === chosen
}
