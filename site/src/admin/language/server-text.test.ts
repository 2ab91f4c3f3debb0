import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { fill } from '../../texts/fill.ts'
import { server } from './english/server.ts'
import { fromServer, inEnglish } from './server-text.ts'

const root = join(import.meta.dirname, '../../../..')
/** Written in both languages where they stand, and chosen by the server. */
const inBoth = [
  ...['api/exports/sheets.ts', 'api/exports/texts.ts', 'core/notify/text.ts'],
  ...['core/content/first-event.ts', 'core/content/calendar.ts'],
]
const isFileName = (text: string): boolean => /\.(xlsx|csv)$/.test(text)
const hangul = /[가-힣]/

/** A text of the source, cut where values are put in. */
type Sentence = { at: string; parts: string[] }

function sentencesOf(name: string): Sentence[] {
  const source = ts.createSourceFile(
    name,
    readFileSync(join(root, name), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const found: Sentence[] = []
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node)
    if (parts && hangul.test(parts.join('')) && !isFileName(parts.join('')))
      found.push({ at: `${name}: ${parts.join('{}')}`, parts })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function partsOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text.split('{name}')
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].flatMap((part) =>
    part.split('{name}'),
  )
}

const sources = ['api', 'db', 'worker', 'core'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
)
const sentences = sources.filter((name) => !inBoth.includes(name)).flatMap(sentencesOf)

/** Of every kind that is put into a sentence; no two alike, so that none can take another's place. */
const kinds: ((place: number) => string)[] = [
  (place) => `${7_000 + place}`,
  (place) => `0x${`${place + 1}`.repeat(40)}`,
  (place) => `jpg${place}, png${place}`,
  (place) => `203.0.113.${place}/24`,
  (place) => `2026-0${place + 1}-01T00:00:00.000Z`,
]
/** A field in front is named as the server names it. */
const withValues = ({ parts }: Sentence, sample: (place: number) => string) => {
  const [head = '', next = '', ...rest] = parts
  const isField = head === '' && next.startsWith(': ')
  const values = parts.slice(1).map((_, place) => (isField && place === 0 ? 'content.rows.0' : sample(place)))
  return { values, sentence: head + [next, ...rest].map((part, at) => (values[at] ?? '') + part).join('') }
}

test('every Korean sentence of the server is known in English, whatever values are in it', () => {
  expect(sentences.length).toBeGreaterThan(100)
  const untold = sentences.flatMap((sentence) =>
    kinds.flatMap((sample) => {
      // A single text has no values: nothing is left over.
      const { sentence: korean, values } = withValues(sentence, sentence.parts.length > 1 ? sample : () => '')
      const english = inEnglish(korean)
      const isTold = !hangul.test(english) && values.every((value) => english.includes(value))
      return isTold ? [] : [`${sentence.at} -> ${english}`]
    }),
  )
  expect([...new Set(untold)]).toEqual([])
})

test('each pattern is found by its own sentence and by no earlier one, with each value in its place', () => {
  const wrong = Object.entries(server).flatMap(([korean, english]) => {
    const names = [...new Set([...korean.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]
    return kinds.flatMap((sample) => {
      const values = Object.fromEntries(names.map((name, place) => [name, sample(place)]))
      const told = inEnglish(fill(korean, values))
      return told === fill(english, values) ? [] : [`${korean} -> ${told}`]
    })
  })
  expect([...new Set(wrong)]).toEqual([])
})

test('each pattern is a sentence of the server still, and names the same values in both languages', () => {
  const shapes = new Set(sentences.map(({ parts }) => parts.join('{}').replace(/^(?:\{\}|[A-Za-z]+): /, '')))
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
  for (const [korean, english] of Object.entries(server)) {
    expect([korean, shapes.has(korean.replaceAll(/\{\w+\}/g, '{}'))]).toEqual([korean, true])
    expect([korean, names(english)]).toEqual([korean, names(korean)])
    expect(english).not.toMatch(hangul)
  }
})

test('a field stays in front of its refusal, and a sentence that nobody knows as it was', () => {
  expect(inEnglish('content.prizes.0.copies: 1부터 20까지의 정수여야 합니다.')).toBe(
    'content.prizes.0.copies: Must be a whole number from 1 to 20.',
  )
  expect(inEnglish('newUsername: 이미 사용 중인 사용자명입니다.')).toBe(
    'newUsername: This username is taken.',
  )
  expect(inEnglish('알 수 없는 항목입니다: 이름')).toBe('Unknown field: 이름')
  expect(inEnglish('처음 보는 문장입니다.')).toBe('처음 보는 문장입니다.')
  expect(inEnglish('There is no such call.')).toBe('There is no such call.')
})

test('the Korean area shows the server’s words to the letter', () => {
  for (const korean of Object.keys(server)) expect(fromServer(korean)).toBe(korean)
})
