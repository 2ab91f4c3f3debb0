import { expect, test } from 'vitest'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { firstEventContent } from './first-event.ts'
import { canonicalJson, contentSha256, promisedText, termsOfContent, textSha256 } from './promised.ts'
import { readContent } from './read-content.ts'
import vectors from './vectors/content.json' with { type: 'json' }

test('the published vectors: what of a content is promised, and its SHA-256', () => {
  for (const { content, promised, contentSha256: sha256 } of vectors) {
    const read = readContent(content)
    expect(promisedText(read as never)).toBe(promised)
    expect(contentSha256(read as never)).toBe(sha256)
    expect(textSha256(promised)).toBe(sha256)
  }
  expect(vectors[0]?.content).toEqual(firstEventContent)
})

test('canonical JSON is that of RFC 8785: names by UTF-16 units, shortest escapes, no space', () => {
  // Section 3.2.3 of the RFC: by code points the last two would stand the other way round.
  expect(
    canonicalJson({ '\ufb33': 6, '\u{1f600}': 5, '\u20ac': 4, '\u00f6': 3, '\u0080': 2, '1': 1, '\r': 0 }),
  ).toBe('{"\\r":0,"1":1,"\u0080":2,"\u00f6":3,"\u20ac":4,"\u{1f600}":5,"\ufb33":6}')
  expect(canonicalJson(['\u0000\u001f"\\/\u007f<\u2028', null, 0, -7, [], {}])).toBe(
    '["\\u0000\\u001f\\"\\\\/\u007f<\u2028",null,0,-7,[],{}]',
  )
  for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53, '\ud800', [{ a: '\udc00' }]])
    expect(() => canonicalJson(value)).toThrow(TypeError)
})

test('what is promised changes the SHA-256, and nothing else does', () => {
  const promised = contentSha256(aContent())
  const other = { en: 'Other', ko: '다른' }
  for (const change of [
    { title: other },
    ...[
      { name: other },
      { value: '$901' },
      { kind: 'token' as const, amount: 100 },
      { copies: 2 },
      { about: other },
      { facts: [] },
      { pictures: [{ key: 'a', sha256: `0x${'11'.repeat(32)}` as const, width: 1, height: 1, alt: other }] },
    ].map((prize) => ({ prizes: [aPrize(prize)] })),
  ])
    expect(contentSha256(aContent(change))).not.toBe(promised)
  for (const change of [{ lead: other }, { summary: other }, { shipping: other }, { links: [] }])
    expect(contentSha256(aContent(change))).toBe(promised)
  const pictured = (key: string, alt: typeof other) =>
    aContent({ prizes: [aPrize({ pictures: [{ key, sha256: '0x11', width: key.length, height: 2, alt }] })] })
  expect(contentSha256(pictured('aa', other))).toBe(contentSha256(pictured('b', { en: 'a', ko: 'b' })))
})

test('winners and what they are promised follow from prizes and copies, in order of their places', () => {
  expect(termsOfContent(firstEventContent)).toEqual({ winners: 1, prizes: [] })
  const token = (amount: number, copies: number) => aPrize({ kind: 'token', amount, copies })
  expect(
    termsOfContent(aContent({ prizes: [aPrize({ copies: 2 }), token(500, 2), token(1, 1), aPrize()] })),
  ).toEqual({
    winners: 6,
    prizes: [
      ...[
        { kind: 'goods', units: null },
        { kind: 'goods', units: null },
      ],
      ...[
        { kind: 'token', units: '5000000000000000000' },
        { kind: 'token', units: '5000000000000000000' },
      ],
      { kind: 'token', units: '10000000000000000' },
    ],
  })
})
