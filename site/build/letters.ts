import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Letters = { latin: string; korean: string }

/** Of the texts those that are in the HTML: what islands say later may need a letter of the system's faces. */
const sources = /\.(ts|tsx|astro)$|still\.json$/
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))

/** The letters in the sources below `dir` and in `more`, each once and sorted, and all of ASCII, which data may contain. */
export function lettersIn(dir: string, more = ''): Letters {
  const all = new Set(ascii + more)
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    if (sources.test(name) && !/\.test\.|(^|\/)admin\//.test(name))
      for (const letter of readFileSync(join(dir, name), 'utf8')) all.add(letter)
  const sorted = [...all].filter((letter) => letter >= ' ').sort()
  const isKorean = (letter: string) => /\p{Script=Hangul}/u.test(letter)
  return {
    latin: sorted.filter((letter) => !isKorean(letter)).join(''),
    korean: sorted.filter(isKorean).join(''),
  }
}
