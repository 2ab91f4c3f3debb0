import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Hex } from 'viem'
import { cleanText, signsOf } from '../../core/content/clean-text.ts'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  type Branding,
  contrastsOf,
  isColour,
  isEmail,
  leastContrast,
  mostOf,
  themeCss,
  themeName,
  troubleOf,
} from '../../core/house/branding.ts'
import {
  countries,
  type LegalText,
  legalBytes,
  legalKinds,
  mostLegalSigns,
  oldestAge,
  youngestAge,
} from '../../core/house/rules.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { brandingVersion, getBranding, updateBranding } from '../../db/house/branding.ts'
import {
  getHouseRules,
  getLegalText,
  type HouseRules,
  listLegalVersions,
  updateHouseRules,
} from '../../db/house/rules.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { type Call, isClosedFor, visitors } from '../http/client-address.ts'
import {
  answerFound,
  answerReady,
  forGood,
  forNow,
  ready,
  readyJson,
  remember,
  rememberByVersion,
  sent,
  shared,
} from '../http/ready.ts'
import { notModified, route } from '../http/route.ts'
import { exact, nullable, read, refusal, refuse } from '../http/schema.ts'
import { choice, flag, httpsUrl, text, version, whole, words } from '../http/values.ts'
import { measure } from '../upload/image.ts'
import { isImageKey } from '../upload/schema.ts'
import { openStorage } from '../upload/storage.ts'

const legalInPath = t.Object({
  sha256: t.String({ pattern: '^0x[0-9a-f]{64}$', ...refusal('NOT_FOUND', { reason: 'version' }) }),
})

const countryIn = read(
  t.String({ maxLength: 8, ...refusal('INVALID_VALUE', { reason: 'country' }) }),
  (value) => {
    const code = value.trim().toUpperCase()
    return countries.has(code) ? code : refuse()
  },
)
const rulesBody = exact(
  {
    minAge: t.Optional(nullable(whole(youngestAge, oldestAge))),
    requireAcceptance: t.Optional(flag()),
    closedCountries: t.Optional(
      read(
        t.Array(countryIn, { maxItems: 260, ...refusal('INVALID_VALUE', { reason: 'countries' }) }),
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
const legalBody = exact({
  kind: choice(legalKinds),
  text: nullable(exact({ en: legalIn, ko: legalIn })),
  version,
})

/** Refused where words on it or in it could not be read. */
const accentIn = read(
  t.String({ maxLength: 7, ...refusal('INVALID_VALUE', { reason: 'colour' }) }),
  (value) => {
    const colour = value.toLowerCase()
    if (!isColour(colour)) return refuse()
    const trouble = troubleOf(colour)
    if (!trouble) return colour
    const { button, paper } = contrastsOf(colour)
    const contrast = (trouble === 'accentDark' ? button : paper).toFixed(1)
    throw new RaffleError('INVALID_VALUE', { reason: trouble, values: { contrast, least: leastContrast } })
  },
)
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
const brandingBody = exact(
  { ...brandingIn, version: t.Optional(text({ max: 16 })) },
  { someOf: Object.keys(brandingIn) },
)

/** What the page shows of the rules of the land; the rules themselves are a part of the public state. */
export const houseRoutes = ({ db, state, addresses }: Deps) => {
  const { countriesOf } = visitors(addresses)
  const texts = remember(async (sha256: string) => {
    const found = await getLegalText(db, sha256 as Hex)
    // Its name is its own: whoever has it has it for good.
    return found
      ? ready<LegalText>(legalBytes(found), { 'cache-control': forGood }, `"${sha256}"`)
      : undefined
  })
  const versions = rememberByVersion(
    () => state.version,
    async () => readyJson(await listLegalVersions(db), forNow),
  )
  return new Elysia()
    .get(
      ...route('/theme.css', {
        about: 'The accent colour for the page',
        more: 'The page names it with its hash, under which it is kept for good. 404 while no colour is set.',
        query: t.Object({ v: t.Optional(t.String()) }),
        file: { type: 'text/css', about: 'Custom properties of both themes.' },
        also: notModified,
        refusals: ['NOT_FOUND'],
        run: ({ query: { v }, request }) => {
          const accent = state.current?.config.branding.accent
          if (!accent) throw new RaffleError('NOT_FOUND', { reason: 'page' })
          const caching = v === themeName(accent) ? forGood : shared
          const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': caching }
          return answerReady(request, ready(themeCss(accent), headers))
        },
      }),
    )
    .get(
      ...route('/api/raffle/legal', {
        about: 'All versions of the terms and of the privacy notice',
        also: notModified,
        run: async ({ request }) => answerReady(request, await versions(0)),
      }),
    )
    .get(
      ...route('/api/raffle/legal/:sha256', {
        about: 'One version of the terms or of the privacy notice',
        more: 'The SHA-256 of these very bytes is its name. Kept for good, as buyers have accepted it.',
        params: legalInPath,
        also: notModified,
        run: async ({ params: { sha256 }, request }) => answerFound(request, await texts(sha256), 'version'),
      }),
    )
    .get(
      ...route('/api/visitor', {
        about: 'Whether the page sells where this visitor is',
        more: 'Differs from one visitor to the next: no cache may keep it. False where no proxy of ours tells the country.',
        run: (call) => {
          const isCountryClosed = isClosedFor(countriesOf(call), state.snapshot()?.rules.closedCountries)
          return sent({ isCountryClosed }, { headers: { 'cache-control': 'private, no-store' } })
        },
      }),
    )
}

export const houseAdminRoutes = ({ addresses }: Deps, guard: AdminGuard) => {
  const { countriesOf } = visitors(addresses)
  const told = (rules: HouseRules, call: Call) => ({
    ...described(rules),
    countryHeader: addresses.countryHeader ?? null,
    ownCountries: countriesOf(call),
  })
  return new Elysia({ prefix: '/api/admin/house-rules' })
    .get(
      ...guard.read('', {
        about: 'Rules of the land as their form has them',
        run: async (call) => told(await getHouseRules(call.db), call),
      }),
    )
    .patch(
      ...guard.action('', {
        action: 'house.rules',
        about: 'Switches rules of the land on or off, for what is bought from now on',
        body: rulesBody,
        run: async ({ db, body: { version, ...patch }, record, ...call }) => {
          const { before, after } = await updateHouseRules(db, patch, version)
          record({ before: recorded(before), after: recorded(after) })
          return told(after, call)
        },
      }),
    )
    .put(
      ...guard.action('/texts', {
        action: 'house.text',
        about: 'Publishes a new version of the terms or of the privacy notice; null takes it down',
        body: legalBody,
        bodyBytes: 1_048_576, // Both languages in four bytes a sign, or escaped.
        values: async ({ db, body: { text } }) =>
          refuseOtherAddress(text, (await getOpenEvent(db))?.operatorWallet, 'text'),
        run: async ({ db, body: { kind, text, version }, record, ...call }) => {
          const { before, after } = await updateHouseRules(db, { [kind]: text }, version)
          record({ before: recorded(before), after: recorded(after) })
          return told(after, call)
        },
      }),
    )
}

function described({ revision, terms, privacy, ...switches }: HouseRules) {
  const text = (found: HouseRules['terms']) =>
    found && { en: found.en, ko: found.ko, sha256: found.sha256, savedAt: found.savedAt }
  return { ...switches, terms: text(terms), privacy: text(privacy), version: revision }
}

/** The texts by their names, under which they are kept. */
const recorded = ({ revision: _, terms, privacy, ...switches }: HouseRules) => ({
  ...switches,
  terms: terms?.sha256 ?? null,
  privacy: privacy?.sha256 ?? null,
})

export const brandingRoutes = ({ admin }: Deps, guard: AdminGuard) => {
  const storage = openStorage(admin.storageUrl)

  /** A logo with its size. Throws INVALID_VALUE for a key that is not stored. */
  async function logoOf(key: string): Promise<Branding['logo']> {
    const found = await measure(key, storage)
    if (!found) throw new RaffleError('INVALID_VALUE', { reason: 'unfinished', field: 'logo' })
    return { key, width: found.width, height: found.height }
  }

  return new Elysia({ prefix: '/api/admin/branding' })
    .get(
      ...guard.read('', {
        about: 'Name, logo, colour and links of the site',
        run: async ({ db }) => withVersion(await getBranding(db)),
      }),
    )
    .patch(
      ...guard.action('', {
        action: 'house.branding',
        about: 'Changes them at once; null is what the page was built with',
        body: brandingBody,
        refusals: ['BUSY'],
        values: async ({ body }) => {
          // It outlives every event's wallet.
          refuseOtherAddress(body, null)
          if (body.logo) await logoOf(body.logo)
        },
        run: async ({ db, body: { version, logo: key, ...patch }, record }) => {
          const logo = key && (await logoOf(key))
          const changed = { ...patch, ...(logo !== undefined && { logo: logo || null }) }
          const { before, after } = await updateBranding(db, changed, version)
          record({ before: brandingRow(before), after: brandingRow(after) })
          return withVersion(after)
        },
      }),
    )
}

const withVersion = (saved: Branding) => ({ ...saved, version: brandingVersion(saved) })

const brandingRow = (saved: Branding) => ({ ...saved, logo: saved.logo?.key ?? null })
