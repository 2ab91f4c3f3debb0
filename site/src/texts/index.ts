import { en } from './en.ts'

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

/** With thousands separators. Not by `toLocaleString`, whose first call blocks a slow phone for 0.1 s. */
export const count = (value: number | bigint): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')

/** `text` with a value for each {name}; numbers get separators. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === 'number' ? count(value) : value
  })

export const plural = (forms: { one: string; other: string }, number: number): string =>
  fill(number === 1 ? forms.one : forms.other, { count: number })

/** The text of a name that comes from elsewhere; undefined where the table has none. */
export const wordFor = (
  table: Partial<Record<string, string>> | undefined,
  name: string,
): string | undefined => table?.[name]
