import { en } from './en/index.ts'

export type Texts = typeof en
export type Lang = 'en' | 'ko'

/** What the living parts of the page say, in the language of the page they run in. */
export let t: Texts = import.meta.env.SSR === false ? textsOfPage() : en
export let lang: Lang = import.meta.env.SSR === false && document.documentElement.lang === 'ko' ? 'ko' : 'en'

/** Only the build speaks more than one language; it writes one page after the other. */
export function setTexts(texts: Texts, language: Lang): void {
  t = texts
  lang = language
}

/** Each page carries its own texts, so that they are there before the first line of script runs. */
function textsOfPage(): Texts {
  const text = document.getElementById('texts')?.textContent
  return (text ? JSON.parse(text) : {}) as Texts
}
