import stillEnglish from '../messages/en/still.json'
import stillKorean from '../messages/ko/still.json'
import { en } from './en.ts'
import { type Lang, lang, setTexts } from './index.ts'
import { ko } from './ko.ts'

/** Only for the build: sets the language of the page that is rendered next. */
export function speak(language: Lang): void {
  setTexts(language === 'ko' ? ko : en, language)
}

export function spoken<T>(language: Lang, make: () => T): T {
  const before = lang
  speak(language)
  try {
    return make()
  } finally {
    speak(before)
  }
}

/** Texts that are only in the HTML; no script uses them. */
export const still = (): typeof stillEnglish => (lang === 'ko' ? stillKorean : stillEnglish)
