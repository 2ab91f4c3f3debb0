import type { Both } from '../content/both.ts'
import { en } from './en/index.ts'
import { still as stillEnglish } from './en/still.ts'
import { type Lang, lang, setTexts } from './index.ts'
import { ko } from './ko/index.ts'
import { still as stillKorean } from './ko/still.ts'

/** For the build alone: the page that is rendered next is in this language. */
export function speak(language: Lang): void {
  setTexts(language === 'ko' ? ko : en, language)
}

/** What stands in the page itself and no script touches. */
export const still = (): typeof stillEnglish => (lang === 'ko' ? stillKorean : stillEnglish)

export const say = (both: Both): string => both[lang]
