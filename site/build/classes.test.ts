import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const filesOf = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync({ cwd: src })].sort()
const texts = new Map(
  filesOf('**/*.{astro,ts,tsx,js,css}').map((file) => [file, readFileSync(join(src, file), 'utf8')]),
)
const textOf = (file: string): string => texts.get(file) ?? ''
const modules = filesOf('**/*.module.css')
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
  const all = modules.map((file) => basename(file))
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
})

test('every module has the classes that its components ask for, and no more', () => {
  const asked = new Map(modules.map((file) => [file, new Set<string>()]))
  for (const user of markup) {
    const text = textOf(user)
    for (const [, name, from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g))
      for (const [, part = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')))
        asked.get(join(dirname(user), from))?.add(part)
  }
  const sorted = (names: Iterable<string>) => [...names].sort()
  for (const [file, classes] of asked)
    expect([file, sorted(classes)]).toEqual([file, sorted(classesOf(textOf(file)).own)])
  expect(modules.length).toBeGreaterThan(20)
})

test('every class that has a rule for the whole page or area is in some markup', () => {
  const words = new Set(markup.flatMap(wordsOf))
  const wanted = filesOf('**/*.css').flatMap((file) => {
    const { own, foreign } = classesOf(textOf(file))
    return file.endsWith('.module.css') ? [...foreign] : [...own]
  })
  for (const file of styled) wanted.push(...classesOf(styleOf(file)).foreign)
  // Layout.tsx puts these together itself.
  const made = /^(size|gap)-\d+$/
  expect(wanted.filter((name) => !words.has(name) && !made.test(name))).toEqual([])
})

test('every page and part has the classes that it styles', () => {
  for (const file of styled) {
    const words = wordsOf(file)
    const unused = [...classesOf(styleOf(file)).own].filter((name) => !words.includes(name))
    expect([file, unused]).toEqual([file, []])
  }
})
