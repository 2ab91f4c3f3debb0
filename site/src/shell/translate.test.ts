import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '..')
/** The whole row there is closed to translators. */
const closed = 'winner/PastWinners.tsx'
const tag = /<[a-zA-Z][^<>]*?(?:=>[^<>]*?)*>/g
const classes = /\b(?:className|class)=(?:"([^"]*)"|\{`([^`]*)`\})/

test('no translator changes a number, an address or a hash of the page', () => {
  const open: string[] = []
  for (const path of globSync('**/*.{tsx,astro}', { cwd: source })) {
    if (path.startsWith('admin/') || path.endsWith('.test.tsx') || path === closed) continue
    for (const [found] of readFileSync(resolve(source, path), 'utf8').matchAll(tag)) {
      const [, plain, templated] = classes.exec(found) ?? []
      const isData = /\b(figure|hash)\b/.test((plain ?? templated ?? '').replaceAll(/\$\{[^}]*\}/g, ''))
      const isText = !/^<(input|textarea|figure|label)\b/.test(found) && !found.includes('aria-hidden')
      if (isData && isText && !found.includes('translate=')) open.push(`${path}: ${found}`)
    }
  }
  expect(open).toEqual([])
})

test('every island is mounted anew where a translator has broken it', () => {
  const bare: string[] = []
  for (const path of globSync('**/*.astro', { cwd: source })) {
    const text = readFileSync(resolve(source, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/<([A-Z]\w+)\s[^>]*client:/g)) {
      const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text)?.[1]
      const file = resolve(source, path, '..', from ?? '')
      if (!readFileSync(file, 'utf8').includes(`export const ${name} = island(`)) bare.push(name)
    }
  }
  expect(bare).toEqual([])
})
