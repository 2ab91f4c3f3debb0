import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import english from '../../messages/en/admin/sentences.json'
import englishWords from '../../messages/en/admin/words.json'
import koreanWords from '../../messages/ko/admin/words.json'

const admin = resolve(import.meta.dirname, '..')
const hangul = /[가-힣]/

/** Hangul that is not a text of the page: the switch itself, and the other language's own name. */
const ownNames = ['한국어', '한']
const beside = ['desk/Bar.tsx', 'preview/Preview.tsx']

type Found = { path: string; text: string; isLookedUp: boolean }

/** Every literal of the sources; those that `t` and `rich` look up are marked. */
function literalsOf(path: string, source: string): Found[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const found: Found[] = []
  const visit = (node: ts.Node, isLookedUp: boolean): void => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || isTemplatePart(node))
      found.push({ path, text: node.text, isLookedUp })
    else if (ts.isIdentifier(node)) found.push({ path, text: node.text, isLookedUp: false })
    else if (ts.isCallExpression(node) && ['t', 'rich'].includes(node.expression.getText())) {
      node.arguments.forEach((argument, at) => {
        visit(argument, at === 0)
      })
      return
    }
    ts.forEachChild(node, (child) => visit(child, isLookedUp && ts.isConditionalExpression(node)))
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind), false)
  return found
}
const isTemplatePart = (node: ts.Node): node is ts.TemplateLiteralLikeNode =>
  ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

const literals = globSync('**/*.{ts,tsx}', { cwd: admin })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .flatMap((path) => literalsOf(path, readFileSync(join(admin, path), 'utf8')))

test('the search finds every kind of Korean text, and knows those that are looked up', () => {
  const source = `<p title="하나">둘 {t('셋', { a: '넷' })} {\`다섯 \${x} 여섯\`} {rich(x ? '일곱' : '여덟', {})}</p>`
  const found = literalsOf('a.tsx', source).filter(({ text }) => hangul.test(text))
  expect(found.map(({ text, isLookedUp }) => [text.trim(), isLookedUp])).toEqual([
    ['하나', false],
    ['둘', false],
    ['셋', true],
    ['넷', false],
    ['다섯', false],
    ['여섯', false],
    ['일곱', true],
    ['여덟', true],
  ])
})

test('every Korean text of the administrator area is looked up, so it has its English', () => {
  const bare = literals.filter(({ text, isLookedUp }) => hangul.test(text) && !isLookedUp)
  expect(bare.filter(({ path, text }) => !(beside.includes(path) && ownNames.includes(text)))).toEqual([])
})

test('every text of the dictionary is on some page', () => {
  const used = new Set(literals.flatMap(({ text, isLookedUp }) => (isLookedUp ? [text] : [])))
  expect(used.size).toBeGreaterThan(1_000)
  expect(Object.keys(english).filter((korean) => !used.has(korean))).toEqual([])
})

test('a text has one English', () => {
  // A parser keeps the last of two that are the same.
  const source = readFileSync(join(admin, '../messages/en/admin/sentences.json'), 'utf8')
  expect([...source.matchAll(/^ {2}".*?":/gm)].length).toBe(Object.keys(english).length)
})

test('Korean and English have the same values, and English has no Hangul', () => {
  const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort()
  for (const [korean, text] of Object.entries(english)) {
    expect([korean, holes(text)]).toEqual([korean, holes(korean)])
    expect([text, hangul.test(text), text.trim() === ''], korean).toEqual([text, false, false])
    expect([text, /!$|! /.test(text)]).toEqual([text, false])
  }
})

test('the words for codes are the same ones in both languages, and English has no Hangul', () => {
  const listed = (words: object, at = ''): [path: string, word: string][] =>
    Object.entries(words).flatMap(([name, word]: [string, unknown]) =>
      typeof word === 'string' ? [[`${at}${name}`, word]] : listed(word as object, `${at}${name}.`),
    )
  const [korean, english] = [listed(koreanWords), listed(englishWords)]
  expect(english.map(([path]) => path)).toEqual(korean.map(([path]) => path))
  expect(english.filter(([, word]) => hangul.test(word) || word.trim() === '')).toEqual([])
  expect(korean.filter(([, word]) => word.trim() === '' || /[{}]/.test(word))).toEqual([])
})
