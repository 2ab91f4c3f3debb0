import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { errors } from '../core/errors.ts'

const root = resolve(import.meta.dirname, '..')
const sources = [
  ...new Bun.Glob('{core,db,api,worker,site,infra,e2e,bench}/**/*.{ts,tsx,astro,mjs}').scanSync(root),
]
  .filter((path) => !path.includes('node_modules') && !path.includes('/dist/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const docs = ['invariants', 'threats'].map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
const explained = docs.flatMap(explainedCodes)

test.each([
  ['P9: what one endpoint tells', ['P9']],
  ['D4, I13: a list that differs', ['D4', 'I13']],
  ['R1 R4 by the contract', ['R1', 'R4']],
  ['I1-I10: whatever happens (seed %i)', ['I1', 'I10']],
  ['an export never holds a formula (U3, I28)', ['U3', 'I28']],
  ['the A5 sheet (in ink) is printed', []],
])('codes of the title "%s"', (title, codes) => {
  expect(codesOfTitle(title)).toEqual(codes)
})

test('every code in the title of a test is explained in docs', () => {
  const titled = sources.filter(({ path }) => path.endsWith('.test.ts'))
  const used = titled.flatMap(({ path, text }) => codesOf(text).map((code) => ({ path, code })))
  expect(new Set(used.map(({ code }) => code)).size).toBeGreaterThan(60)
  expect(used.filter(({ code }) => !explained.includes(code))).toEqual([])
})

test('no code is explained twice', () => {
  expect(explained.filter((code, index) => explained.indexOf(code) !== index)).toEqual([])
})

test('documents that code and tests refer to exist', () => {
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[a-z/-]+\.md\b/g)].map(([name]) => ({ path, name })),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ name }) => !existsSync(join(root, name)))).toEqual([])
})

test('a purchase, a draw and a refund can each be followed through at most 25 files', () => {
  const [, ...stories] = readFileSync(join(root, 'docs/reading.md'), 'utf8').split('\n## ')
  const lists = stories.map(
    (story) => new Set([...story.matchAll(/`(\w+\/[^`]+)`/g)].map(([, path]) => path)),
  )
  expect(lists.length).toBe(3)
  for (const list of lists) {
    expect([...list].filter((path) => !existsSync(join(root, `${path}`)))).toEqual([])
    expect(list.size).toBeGreaterThan(15)
    expect(list.size).toBeLessThanOrEqual(25)
  }
})

test('the spec names every error code beside its status', () => {
  const spec = readFileSync(join(root, 'docs/spec.md'), 'utf8')
  const told = [...spec.matchAll(/^\| (\d{3}) +\| (`.*)\|$/gm)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${code} ${status}`),
  )
  expect(told.sort()).toEqual(
    Object.entries(errors)
      .map(([code, { status }]) => `${code} ${status}`)
      .sort(),
  )
})

test('.env.example explains every variable of compose.yaml but images, addresses of this host and memory, 45 in all', () => {
  const [compose, example] = ['compose.yaml', '.env.example'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const named = [...(compose ?? '').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)
  const explained = [...(example ?? '').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  const asked = named.filter(
    (name) => !/_(IMAGE|PORT|MEMORY)$|^(WEB_ADDRESS|EDGE_SUBNET|RPC_UNSAFE)$/.test(name),
  )
  expect(new Set(asked).size).toBeGreaterThan(30)
  expect(asked.filter((name) => !explained.includes(name))).toEqual([])
  expect(explained.length).toBeLessThanOrEqual(45)
})

test('the runbook names every alarm of the log', () => {
  const runbook = readFileSync(join(root, 'docs/run/trouble.md'), 'utf8')
  const named = [...runbook.matchAll(/^\| (.+?) +\| [56]0 +\|/gm)].flatMap(([, text = '']) =>
    text.split(' / '),
  )
  const alarms = sources
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/(?:\.fatal|onAlarm)\([^']*?'([^']+ [^']+)'/g)])
    .map(([, message]) => message)
  expect(alarms.length).toBeGreaterThan(9)
  expect(alarms.filter((message) => !named.includes(message as string))).toEqual([])
})

test('every link of the runbook leads somewhere', () => {
  const pages = ['infra/README.md', ...new Bun.Glob('docs/run/*.md').scanSync(root)]
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
      ([, path = '', place]) => ({
        page,
        file: path ? join(root, page, '..', path) : join(root, page),
        place,
      }),
    ),
  )
  expect(links.length).toBeGreaterThan(40)
  const lost = links.filter(({ file, place }) => {
    if (!existsSync(file)) return true
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
    return place !== undefined && !headings.includes(place)
  })
  expect(lost).toEqual([])
})

/** The codes of all titles in a test file; rows of `test.each` may be titles, so it reads every string. */
function codesOf(source: string): string[] {
  return [...source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].flatMap(([, , text = '']) =>
    codesOfTitle(text),
  )
}

/** Codes are at the beginning of a title, or in brackets at its end. F8 is a key, and `M0` begins a path of SVG. */
function codesOfTitle(title: string): string[] {
  const begin = /^(?:[A-EG-Z][1-9]\d?(?:, | |-)?)+(?=[: ])/.exec(title)?.[0] ?? ''
  const end = /\((?:[A-EG-Z][1-9]\d?(?:, )?)+\)$/.exec(title)?.[0] ?? ''
  return `${begin} ${end}`.match(/[A-Z]\d{1,2}/g) ?? []
}

/** The first column of the tables. */
function explainedCodes(text: string): string[] {
  return [...text.matchAll(/^\| ([A-Z]\d{1,2}) +\|/gm)].map(([, code = '']) => code)
}
