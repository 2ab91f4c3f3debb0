import { Type as t } from '@sinclair/typebox'
import { cleanText, signsOf } from '../../core/content/clean-text.ts'
import { countries, legalKinds, mostLegalSigns, oldestAge, youngestAge } from '../../core/house/rules.ts'
import { answer, hash, listed, moment, whole as number, orNull } from '../http/answers.ts'
import { exact, nullable, read, refusal, refuse } from '../http/schema.ts'
import { choice, flag, whole } from '../http/values.ts'

const legalVersion = answer({
  sha256: hash,
  savedAt: moment('When this version was written first.'),
})
const ageInYears = number(`${youngestAge} to ${oldestAge}.`)
const country = t.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })

export const publicRules = answer({
  minAge: orNull(ageInYears),
  requireAcceptance: t.Boolean({
    description: 'Buyers accept the terms before they buy for the first time.',
  }),
  terms: orNull(legalVersion),
  privacy: orNull(legalVersion),
  closedCountries: t.Array(country, { description: 'The page does not sell there.' }),
})
export const legalList = t.Array(
  answer({ kind: listed(legalKinds), sha256: hash, savedAt: moment('When this version was written first.') }),
  { description: 'All versions there ever were, oldest first.' },
)
export const legalText = answer(
  { kind: listed(legalKinds), en: t.String(), ko: t.String() },
  { description: 'Paragraphs with an empty line between; headings begin with `## `.' },
)
export const legalInPath = t.Object({
  sha256: t.String({ pattern: '^0x[0-9a-f]{64}$', ...refusal('NOT_FOUND', { reason: 'version' }) }),
})
export const visitor = answer({ isCountryClosed: t.Boolean() })

/** Revision of the rules that a form was filled with. */
const version = whole(1, 2_147_483_647)
const countryIn = read(
  t.String({ maxLength: 8, ...refusal('INVALID_VALUE', { reason: 'country' }) }),
  (value) => {
    const code = value.trim().toUpperCase()
    return countries.has(code) ? code : refuse()
  },
)
export const rulesBody = exact(
  {
    minAge: t.Optional(nullable(whole(youngestAge, oldestAge))),
    requireAcceptance: t.Optional(flag()),
    closedCountries: t.Optional(
      read(
        t.Array(countryIn, {
          maxItems: 260,
          ...refusal('INVALID_VALUE', { reason: 'countries' }),
        }),
        (codes) => [...new Set(codes)].sort(),
      ),
    ),
    version,
  },
  { someOf: ['minAge', 'requireAcceptance', 'closedCountries'] },
)

const badText = refusal('INVALID_VALUE', { reason: 'legal', values: { most: mostLegalSigns } })
const legalIn = read(
  // In code units: a sign has two at most, and a line may end with two.
  t.String({ minLength: 1, maxLength: mostLegalSigns * 3, ...badText }),
  (value) => {
    const clean = cleanText(value, 'several')
    return clean && signsOf(clean) <= mostLegalSigns ? clean : refuse()
  },
)
export const legalBody = exact({
  kind: choice(legalKinds),
  text: nullable(exact({ en: legalIn, ko: legalIn })),
  version,
})
/** Both languages in four bytes a sign, or escaped. */
export const legalBodyBytes = 1_048_576

const savedText = orNull(answer({ en: t.String(), ko: t.String(), sha256: hash, savedAt: moment() }))
export const houseRules = answer({
  minAge: orNull(ageInYears),
  requireAcceptance: t.Boolean(),
  closedCountries: t.Array(country),
  terms: savedText,
  privacy: savedText,
  version: number('Of these rules, for the next change.'),
  countryHeader: orNull(t.String({ description: 'COUNTRY_HEADER; null while none is believed.' })),
  ownCountries: t.Array(country, { description: 'What a trusted proxy says of this call.' }),
})
