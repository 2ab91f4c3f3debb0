import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { withLaterScripts, withPreloads } from './finish.ts'
import { checksums, withIntegrity } from './integrity.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** A build of these files, and the page as its last step leaves it. */
function build(files: Record<string, string>, body: string) {
  const read = (href: string) => bytes(files[href.slice('/_astro/'.length)] ?? '')
  const html = `<head><meta charset="utf-8"></head>${body}`
  return withIntegrity(withPreloads(html, read), { read, names: Object.keys(files) })
}
const mapOf = (html: string) =>
  JSON.parse(/<script type="importmap">(.+?)<\/script>/.exec(html)?.[1] ?? '{}').integrity

const files = {
  'entry.B2ij.js': 'import{a}from"./shared.Ab-1.js";import(`./later.C_3.js`)',
  'shared.Ab-1.js': 'export let a=1',
  'later.C_3.js': 'm.f=["_astro/later.D4.css","_astro/deep.E5.js"];import("./deep.E5.js")',
  'deep.E5.js': 'export{}',
  'later.D4.css': 'p{}',
  'island.F6.js': 'export{}',
  'of-another-page.G7.js': 'export{}',
  'sheet.H8.css': 'a{}',
}
const page =
  '<link rel="icon" href="/i.svg"><link rel="stylesheet" href="/_astro/sheet.H8.css"><astro-island component-url="/_astro/island.F6.js"></astro-island><script type="module" src="/_astro/entry.B2ij.js"></script>'

test('S3: scripts, preloads and style sheets of a page carry their hash, whatever stands before it in the tag', () => {
  const html = build(files, page)
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*\/_astro\/([^"]+)"[^>]*>/g)]
  expect(tags.map(([tag, name = '']) => [name, /integrity="([^"]+)"/.exec(tag)?.[1]])).toEqual(
    (['sheet.H8.css', 'shared.Ab-1.js', 'entry.B2ij.js'] as const).map((name) => [name, hash(files[name])]),
  )
  expect(html).toContain('<link rel="icon" href="/i.svg">')
})

test('S3: the import map names what a page reaches at once, later and deeper, and nothing of other pages', () => {
  const html = build(files, page)
  const { 'of-another-page.G7.js': _, 'sheet.H8.css': __, ...reached } = files
  expect(mapOf(html)).toEqual(
    Object.fromEntries(Object.entries(reached).map(([name, text]) => [`/_astro/${name}`, hash(text)])),
  )
  expect(html.indexOf('importmap')).toBeLessThan(html.indexOf('modulepreload'))
})

test('S3: scripts that start after the first view are in the import map with their hash', () => {
  const read = (href: string) => bytes((files as Record<string, string>)[href.slice('/_astro/'.length)] ?? '')
  const html = withLaterScripts(`<head><meta charset="utf-8"></head>${page}`, read)
  const map = mapOf(withIntegrity(html, { read, names: Object.keys(files) }))
  for (const name of ['entry.B2ij.js', 'shared.Ab-1.js'] as const)
    expect(map[`/_astro/${name}`]).toBe(hash(files[name]))
})

test('S3: an island is not asked for a second time under an address without a hash', () => {
  const astro = (retry: string) =>
    `<script>f(u){let r=new URL(u);return ${retry}r.toString()}</script>${page}`
  const html = build(files, astro('r.searchParams.set("astro-retry",Date.now().toString()),'))
  expect(html).toContain('{let r=new URL(u);return r.toString()}')
  expect(() => build(files, astro('again("astro-retry"),'))).toThrow(/loads islands/)
})

test('a page without scripts has no import map', () => {
  expect(build(files, '<link rel="stylesheet" href="/_astro/sheet.H8.css">')).not.toContain('importmap')
})

test('S3: sha256sums.txt has a line for each file, in the order of their names', () => {
  const [one, two] = checksums(['b', 'a'], () => bytes('x')).split('\n')
  expect([one?.slice(64), two?.slice(64)]).toEqual(['  a', '  b'])
  expect(one?.slice(0, 64)).toBe(createHash('sha256').update('x').digest('hex'))
})
