import { Type as t } from '@sinclair/typebox'
import { cleanText, signsOf } from '../../core/content/clean-text.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  type Branding,
  contrastsOf,
  isColour,
  isEmail,
  leastContrast,
  mostOf,
  troubleOf,
} from '../../core/house/branding.ts'
import { countries, legalKinds, mostLegalSigns, oldestAge, youngestAge } from '../../core/house/rules.ts'
import { exact, nullable, read, refusal, refuse } from '../http/schema.ts'
import { choice, flag, httpsUrl, text, whole, words } from '../http/values.ts'
import { isImageKey } from '../upload/schema.ts'

export const legalInPath = t.Object({
  sha256: t.String({ pattern: '^0x[0-9a-f]{64}$', ...refusal('NOT_FOUND', { reason: 'version' }) }),
})

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

const badColour = refusal('INVALID_VALUE', { reason: 'colour' })
/** Refused where words on it or in it could not be read. */
const accentIn = read(t.String({ maxLength: 7, ...badColour }), (value) => {
  const colour = value.toLowerCase()
  if (!isColour(colour)) return refuse()
  const trouble = troubleOf(colour)
  if (!trouble) return colour
  const { button, paper } = contrastsOf(colour)
  const contrast = (trouble === 'accentDark' ? button : paper).toFixed(1)
  throw new RaffleError('INVALID_VALUE', { reason: trouble, values: { contrast, least: leastContrast } })
})
const emailIn = read(
  t.String({ maxLength: mostOf.supportEmail, ...refusal('INVALID_VALUE', { reason: 'email' }) }),
  (value) => (isEmail(value.trim()) ? value.trim() : refuse()),
)
const keyIn = read(t.String({ maxLength: 40, ...refusal('INVALID_VALUE', { reason: 'image' }) }), (value) =>
  isImageKey(value) ? value : refuse(),
)
const brandingIn = {
  name: t.Optional(nullable(words(mostOf.name))),
  logo: t.Optional(nullable(keyIn)),
  accent: t.Optional(nullable(accentIn)),
  supportEmail: t.Optional(nullable(emailIn)),
  socialUrl: t.Optional(nullable(httpsUrl())),
  socialName: t.Optional(nullable(words(mostOf.socialName))),
  shopUrl: t.Optional(nullable(httpsUrl())),
  copyright: t.Optional(nullable(words(mostOf.copyright))),
} satisfies Record<keyof Branding, unknown>
export const brandingBody = exact(
  { ...brandingIn, version: t.Optional(text({ max: 16 })) },
  { someOf: Object.keys(brandingIn) },
)
export const themeQuery = t.Object({ v: t.Optional(t.String()) })
