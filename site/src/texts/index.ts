import { en } from './en.ts'

export * from './fill.ts'

export type Texts = typeof en
export type Lang = 'en' | 'ko'

/** Texts of islands and scripts, in the page's language. */
export let t: Texts = import.meta.env.SSR === false ? textsOfPage() : en
export let lang: Lang = import.meta.env.SSR === false && document.documentElement.lang === 'ko' ? 'ko' : 'en'

/** Only the build uses more than one language; it renders one page after the other. */
export function setTexts(texts: Texts, language: Lang): void {
  t = texts
  lang = language
}

/** Each page contains its own texts, so they are available before any script runs. */
function textsOfPage(): Texts {
  const text = document.getElementById('texts')?.textContent
  return (text ? JSON.parse(text) : {}) as Texts
}
