import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aContent, aPicture, aPrize } from '../../e2e/lab/content.ts'
import type { RaffleError } from '../errors.ts'
import { type EventContent, contentLimits as most } from './event-content.ts'
import { contentSha256, promisedText, termsOfContent } from './promised.ts'
import { type ContentForm, readContent } from './read-content.ts'

/** Any signs, those of other scripts and those that JSON escapes among them. */
const text = (max: number) =>
  fc.string({
    unit: fc.oneof(
      {
        weight: 20,
        arbitrary: fc.constantFrom(
          '"',
          '\\',
          '/',
          '<',
          '&',
          '가',
          'é',
          'e\u0301',
          '😀',
          '𝒳',
          '\u00a0',
          '\ufb33',
          '\u007e',
          '\ufeff',
          '\u200d',
        ),
      },
      { weight: 20, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    ),
    minLength: 1,
    maxLength: max,
  })
const both = (max: number) => fc.record({ en: text(max), ko: text(max) })
const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
const picture = fc
  .record({ sha256: hash, alt: both(20) })
  .map(({ sha256, alt }) => ({ ...aPicture, sha256: `0x${sha256}` as const, alt }))
const prize = fc
  .record({
    name: both(20),
    value: text(most.value),
    kind: fc.constantFrom('goods' as const, 'token' as const),
    cents: fc.integer({ min: 1, max: 1_000_000_000_000 }),
    copies: fc.integer({ min: 1, max: 6 }),
    about: both(40),
    facts: fc.array(fc.record({ name: both(20), value: both(20) }), { maxLength: 3 }),
    pictures: fc.array(picture, { maxLength: 3 }),
  })
  .map(({ cents, ...rest }) => aPrize({ ...rest, amount: rest.kind === 'token' ? cents : null }))
const content = fc
  .record({ title: both(20), lead: both(30), prizes: fc.array(prize, { minLength: 1, maxLength: 4 }) })
  .map((parts) => aContent(parts))

/** As it is kept; undefined where it is refused, by the name of a field of it. */
function accepted(sent: EventContent): EventContent | undefined {
  try {
    return withFiles(readContent(JSON.parse(JSON.stringify(sent))))
  } catch (error) {
    const { code, field } = error as RaffleError
    expect(code).toBe('INVALID_VALUE')
    expect(field).toMatch(/^content\.(title|lead|prizes)(\.|$)/)
    return undefined
  }
}
/** The files are as their forms say. */
const withFiles = (form: ContentForm) => form as EventContent

test('an accepted content is in its one form: read again it is the same, and its winners are its copies', () => {
  fc.assert(
    fc.property(content, (sent) => {
      const kept = accepted(sent)
      if (!kept) return
      expect(accepted(kept)).toEqual(kept)
      // As the database and a site give it back, with names in another order.
      const stored = JSON.parse(JSON.stringify(kept), (_, value) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      )
      expect(contentSha256(stored)).toBe(contentSha256(kept))
      expect(JSON.parse(promisedText(kept)).title).toEqual(kept.title)
      const { winners, prizes } = termsOfContent(kept)
      expect(winners).toBe(kept.prizes.reduce((sum, { copies }) => sum + copies, 0))
      expect(prizes.length).toBeLessThanOrEqual(winners)
    }),
    { numRuns: 300 },
  )
})
