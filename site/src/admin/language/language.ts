import type { Language } from '../../../../core/admin/language.ts'

const languageKey = 'blockdraw:admin-language'

/** What this browser's administrator area is written in; it changes with a new load of the page. */
export const language: Language = readLanguage()

/** Korean, unless English was chosen in this browser. */
function readLanguage(): Language {
  try {
    return localStorage.getItem(languageKey) === 'en' ? 'en' : 'ko'
  } catch {
    return 'ko'
  }
}

/** False if the browser cannot keep it: a reload would not change the page. */
export function writeLanguage(chosen: Language): boolean {
  try {
    localStorage.setItem(languageKey, chosen)
  } catch {
    // What is read next says so.
  }
  return readLanguage() === chosen
}
