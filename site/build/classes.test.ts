import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const filesOf = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync({ cwd: src })].sort()
const textOf = (file: string): string => readFileSync(join(src, file), 'utf8')
const markup = filesOf('**/*.{astro,ts,tsx,js}').filter((file) => !/\.test\.|\/texts\//.test(file))

const styled = filesOf('**/*.astro').filter((file) => textOf(file).includes('<style>'))
const styleOf = (file: string): string => textOf(file).split('<style>')[1] ?? ''
/** Of a file's markup, without its styles. */
const wordsOf = (file: string): readonly string[] =>
  textOf(file)
    .split('<style>')[0]
    ?.match(/[\w-]+/g) ?? []

/** Names of the classes that `css` has rules for; `foreign` ones are another file's. */
function classesOf(css: string): { own: Set<string>; foreign: Set<string> } {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\{[^{}]*\}/g, '{}')
  const foreign = new Set<string>()
  const own = rules.replace(/:global\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (part) => {
    for (const name of names(part)) foreign.add(name)
    return ''
  })
  return { own: new Set(names(own)), foreign }
}
const names = (selectors: string): string[] =>
  [...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)

test('two modules never have the same name, as their classes would', () => {
  const all = filesOf('**/*.module.css').map((file) => basename(file))
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
})

test.each(filesOf('**/*.module.css'))(
  '%s has the classes that its components ask for, and no more',
  (file) => {
    const asked = new Set<string>()
    for (const user of markup) {
      const text = textOf(user)
      for (const [, name, from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g))
        if (join(dirname(user), from) === file)
          for (const [, part = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) asked.add(part)
    }
    expect([...asked].sort()).toEqual([...classesOf(textOf(file)).own].sort())
  },
)

test('every class that has a rule for the whole page or area is in some markup', () => {
  const words = new Set(markup.flatMap((file) => wordsOf(file)))
  const wanted = filesOf('**/*.css').flatMap((file) => {
    const { own, foreign } = classesOf(textOf(file))
    return file.endsWith('.module.css') ? [...foreign] : [...own]
  })
  for (const file of styled) wanted.push(...classesOf(styleOf(file)).foreign)
  expect(wanted.filter((name) => !words.has(name))).toEqual([])
})

test.each(styled)('%s has the classes that it styles', (file) => {
  const words = new Set(
    textOf(file)
      .split('<style>')[0]
      ?.match(/[\w-]+/g),
  )
  expect([...classesOf(styleOf(file)).own].filter((name) => !words.has(name))).toEqual([])
})
