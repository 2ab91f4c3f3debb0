import { expect, test } from 'vitest'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import type { RaffleError } from '../errors.ts'
import { cleanText } from './clean-text.ts'
import { contentLimits as most } from './event-content.ts'
import { readContent } from './read-content.ts'

/** Code and field of the refusal; `taken` where there is none. */
function told(content: unknown): string {
  try {
    readContent(content)
    return 'taken'
  } catch (error) {
    const { code, field } = error as RaffleError
    return `${code} ${field}`
  }
}

const picture = { key: `${'a'.repeat(32)}.jpg`, alt: { en: 'A bicycle', ko: '자전거' } }

/** A content with this value at a path such as `prizes.0.name.ko`. */
function withValue(path: string, value: unknown): unknown {
  const content = structuredClone(aContent({ prizes: [aPrize({ pictures: [picture as never] })] })) as object
  const names = path.split('.')
  const last = names.pop() as string
  const place = names.reduce((at, name) => (at as never)[name], content as unknown)
  ;(place as Record<string, unknown>)[last] = value
  return content
}

const texts = {
  'title.en': most.titleLine,
  'title.ko': most.titleLine,
  'lead.en': most.lead,
  'summary.ko': most.summary,
  'shipping.en': most.shipping,
  'prizes.0.name.ko': most.name,
  'prizes.0.value': most.value,
  'prizes.0.about.en': most.about,
  'prizes.0.facts.0.name.en': most.factName,
  'prizes.0.facts.0.value.ko': most.factValue,
  'prizes.0.pictures.0.alt.en': most.alt,
  'links.0.label.ko': most.label,
}

test('every text is bounded by signs, and refused with its own name', () => {
  for (const [path, max] of Object.entries(texts)) {
    const refusal = `INVALID_VALUE content.${path}`
    expect([path, told(withValue(path, '가'.repeat(max)))]).toEqual([path, 'taken'])
    // A sign of two UTF-16 units is one sign.
    expect([path, told(withValue(path, '𝒳'.repeat(max)))]).toEqual([path, 'taken'])
    expect(told(withValue(path, 'a'.repeat(max + 1)))).toBe(refusal)
    for (const value of [
      'a'.repeat(10_000),
      ' '.repeat(10_000) + 'a'.repeat(10_000),
      7,
      null,
      undefined,
      ['a'],
      {},
    ])
      expect([path, told(withValue(path, value))]).toEqual([path, refusal])
  }
})

test('controls, marks of direction, other ends of lines and half signs are refused, wherever they stand', () => {
  const bad = [
    '\u0000',
    '\u0007',
    '\t',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u061c',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u2029',
  ]
  for (let code = 0x202a; code <= 0x202e; code++) bad.push(String.fromCharCode(code))
  for (let code = 0x2066; code <= 0x2069; code++) bad.push(String.fromCharCode(code))
  bad.push('\ud800', '\udc00', '\r')
  for (const path of Object.keys(texts))
    for (const sign of bad)
      for (const value of [`a${sign}b`, `${sign}a`, `a${sign}`])
        expect([path, sign, told(withValue(path, value))]).toEqual([
          path,
          sign,
          `INVALID_VALUE content.${path}`,
        ])
})

test('script and markup are text, and stay as they are', () => {
  const script = '<script>alert("&amp;")</script>'
  for (const text of [
    script,
    '"><img src=x onerror=alert(1)>'.slice(0, 24),
    "'; drop table x; --",
    '=1+1',
    'مرحبا',
  ])
    expect(readContent(withValue('prizes.0.facts.0.value.ko', text)).prizes[0]?.facts[0]?.value.ko).toBe(text)
})

test('a text is kept in one form: NFC, LF, no space around it', () => {
  expect(cleanText('  e\u0301te\u0301  \r\n  zwei \n', 'several')).toBe('\u00e9t\u00e9\n  zwei')
  expect(cleanText('a\nb', 'one')).toBeUndefined()
  expect(readContent(withValue('title.en', ' A\u030a \r\nB ')).title.en).toBe('\u00c5\nB')
})

test('a title has three lines at most, none of them empty', () => {
  expect(told(withValue('title.ko', '하나\n둘\n셋'))).toBe('taken')
  for (const title of ['a\nb\nc\nd', 'a\n\nb'])
    expect(told(withValue('title.ko', title))).toBe('INVALID_VALUE content.title.ko')
})

test('both languages are needed; what may be left out is left out in both', () => {
  for (const path of [
    'title',
    'lead',
    'summary',
    'prizes.0.name',
    'links.0.label',
    'prizes.0.pictures.0.alt',
  ])
    for (const [value, missing] of [
      [{ en: 'a', ko: '' }, 'ko'],
      [{ en: ' ', ko: '가' }, 'en'],
      [{ ko: '가' }, 'en'],
    ] as const)
      expect(told(withValue(path, value))).toBe(`INVALID_VALUE content.${path}.${missing}`)
  for (const path of ['shipping', 'prizes.0.about']) {
    expect(told(withValue(path, { en: '', ko: '' }))).toBe('taken')
    expect(told(withValue(path, { en: 'a', ko: '' }))).toBe(`INVALID_VALUE content.${path}.ko`)
  }
})

test('prizes are 1 to 20, and so are their copies together', () => {
  const prizes = (...copies: number[]) =>
    told(aContent({ prizes: copies.map((each) => aPrize({ copies: each })) }))
  expect(prizes(20)).toBe('taken')
  expect(prizes(...Array(20).fill(1))).toBe('taken')
  expect(prizes()).toBe('INVALID_VALUE content.prizes')
  expect(prizes(...Array(21).fill(1))).toBe('INVALID_VALUE content.prizes')
  expect(prizes(10, 11)).toBe('INVALID_VALUE content.prizes')
  for (const copies of [0, -1, 1.5, 21, '1', null, Number.NaN, 2 ** 53])
    expect(prizes(copies as number)).toBe('INVALID_VALUE content.prizes.0.copies')
})

test('money has an amount, goods have none', () => {
  const prize = (change: object) => told(aContent({ prizes: [aPrize(change)] }))
  expect(prize({ kind: 'token', amount: 1 })).toBe('taken')
  expect(prize({ kind: 'token', amount: 1_000_000_000_000 })).toBe('taken')
  for (const amount of [null, 0, -1, 1.5, '100', 1_000_000_000_001])
    expect(prize({ kind: 'token', amount })).toBe('INVALID_VALUE content.prizes.0.amount')
  expect(prize({ kind: 'goods', amount: 5 })).toBe('INVALID_VALUE content.prizes.0.amount')
  expect(prize({ kind: 'car' })).toBe('INVALID_VALUE content.prizes.0.kind')
})

test('lists are bounded', () => {
  const many = (path: string, count: number, one: unknown) => told(withValue(path, Array(count).fill(one)))
  const { facts } = aPrize()
  expect(many('prizes.0.facts', 12, facts[0])).toBe('taken')
  expect(many('prizes.0.facts', 13, facts[0])).toBe('INVALID_VALUE content.prizes.0.facts')
  expect(many('prizes.0.pictures', 8, picture)).toBe('taken')
  expect(many('prizes.0.pictures', 9, picture)).toBe('INVALID_VALUE content.prizes.0.pictures')
  const link = { label: { en: 'a', ko: '가' }, url: 'https://a.example' }
  expect(many('links', 5, link)).toBe('taken')
  expect(many('links', 6, link)).toBe('INVALID_VALUE content.links')
  for (const path of ['prizes', 'prizes.0.facts', 'links'])
    for (const value of [{}, 'a', null])
      expect(told(withValue(path, value))).toBe(`INVALID_VALUE content.${path}`)
})

test('a link is an https address without a name or a password', () => {
  for (const url of [
    ...[
      'http://a.example',
      'javascript:alert(1)',
      'data:text/html,a',
      '//a.example',
      'https://',
      'a.example',
      '',
    ],
    ...['https://me@a.example', 'https://me:pw@a.example', 'https://a.example/ b', 'https:\\\\a.example', 7],
    `https://a.example/${'a'.repeat(2_048)}`,
  ])
    expect([url, told(withValue('links.0.url', url))]).toEqual([url, 'INVALID_URL content.links.0.url'])
})

test('a picture is named by a key of ours', () => {
  for (const key of ['../../etc/passwd', 'a.jpg', `${'a'.repeat(32)}.svg`, `${'A'.repeat(32)}.jpg`, 7, null])
    expect(told(withValue('prizes.0.pictures.0.key', key))).toBe(
      'INVALID_VALUE content.prizes.0.pictures.0.key',
    )
  expect(told(withValue('prizes.0.pictures.0.sha256', '0x12'))).toBe(
    'INVALID_VALUE content.prizes.0.pictures.0.sha256',
  )
})

test('a field that no content has is refused, at any depth', () => {
  expect(told(withValue('winner', 'me'))).toBe('UNKNOWN_FIELD content')
  expect(told(withValue('prizes.0.facts.0.html', 'a'))).toBe('UNKNOWN_FIELD content.prizes.0.facts.0')
  expect(told(JSON.parse('{"__proto__": {}}'))).toBe('UNKNOWN_FIELD content')
  for (const value of [null, undefined, [], 'a', 7]) expect(told(value)).toBe('INVALID_VALUE content')
})

test.each(['\u200b', '\u3164', '\u115f\u1160', '\uffa0', '\u2060 \u00ad', '\u2800', '\ufeff', '\u{e0020}'])(
  'a text of which nothing is seen is empty: %j',
  (text) => {
    expect(cleanText(text, 'one')).toBe('')
    expect(told(withValue('title.en', text))).toBe('INVALID_VALUE content.title.en')
    expect(told(withValue('prizes.0.name.ko', ` ${text} `))).toBe('INVALID_VALUE content.prizes.0.name.ko')
    // Inside of a text they may be what makes a sign, as in some emoji.
    expect(cleanText(`a${text}b`, 'one')).toBe(`a${text}b`.normalize('NFC'))
  },
)
