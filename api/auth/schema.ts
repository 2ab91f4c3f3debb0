import { Type as t } from '@sinclair/typebox'
import { toListEntry } from '../../core/address-list.ts'
import { languages } from '../../core/admin/language.ts'
import type { DetailsOf } from '../../core/errors.ts'
import { mostLetters } from '../../core/event/ranges.ts'
import { maxPasswordLength, minPasswordLength } from '../../core/server/password.ts'
import { typedCode } from '../../core/typed-code.ts'
import { answer, listed, moment, orNull, whole } from '../http/answers.ts'
import { exact, invalid, optional, orIfEmpty, type Refusal, read, refusal, refuse } from '../http/schema.ts'
import { choice, cursor, flag, idInPath, search, text, words } from '../http/values.ts'

const bytesText = (max: number) =>
  t.String({
    pattern: `^[A-Za-z0-9_-]{1,${max}}$`,
    ...invalid,
  })

const passkeyProof = exact({
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  authenticatorData: bytesText(2_000),
  signature: bytesText(2_000),
})
export const newPasskeyBody = exact({
  name: words(mostLetters.passkeyName),
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  attestationObject: bytesText(8_000),
  transports: t.Array(t.String({ pattern: '^[a-z-]{1,20}$', ...invalid }), { maxItems: 8, ...invalid }),
})
export const passkeyInPath = idInPath('passkey')

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` take them. */
const optionsOf = (what: 'request' | 'creation') =>
  t.Unsafe<Record<string, unknown>>({ type: 'object', description: `WebAuthn ${what} options.` })
export const creationOptions = optionsOf('creation')
export const secondFactors = answer({ passkey: orNull(optionsOf('request')), otp: t.Boolean() })
export const passkey = answer({
  id: t.Number(),
  name: t.String(),
  site: t.String(),
  createdAt: moment(),
  lastUsedAt: orNull(moment()),
})
export const passkeyList = t.Array(passkey)
export const addedPasskey = answer({
  passkey,
  recoveryCodes: orNull(t.Array(t.String(), { description: 'With the first second factor of an account.' })),
})

const wrongCode = refusal('INVALID_OTP_FORMAT', { reason: 'code' })
/** Six digits, as people paste them. */
const sixDigits = (kind: Refusal = wrongCode) =>
  read(t.String({ maxLength: 64, ...kind }), (value) => {
    const code = typedCode(value)
    return /^\d{6}$/.test(code) ? code : refuse()
  })
const atMost = (most: number) => ({
  maxLength: most,
  ...refusal('INVALID_VALUE', { reason: 'text', values: { most } }),
})
const password = text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'password' }) })

/** Trimmed; not the name that the audit list has for who has none. The command line's has a colon, which no name has. */
export const username = <T>(ifBlank: () => T) =>
  read(
    text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'usernameForm' }) }),
    (value): string | T => {
      const name = value.trim()
      if (name === '') return ifBlank()
      return /^[A-Za-z0-9._@+-]{1,64}$/.test(name) && name.toLowerCase() !== 'anonymous' ? name : refuse()
    },
  )

const passwordOf = {
  username: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'username' }) }),
  password,
}
export const passwordBody = exact(passwordOf)
export const loginBody = exact({
  ...passwordOf,
  otpCode: optional(sixDigits()),
  recoveryCode: optional(read(t.String(atMost(128)), typedCode)),
  passkey: t.Optional(passkeyProof),
})
export const reauthBody = exact({
  password,
  otpCode: optional(sixDigits()),
  passkey: t.Optional(passkeyProof),
})

export const weakLength = {
  reason: 'length',
  values: { least: minPasswordLength, most: maxPasswordLength },
} satisfies DetailsOf<'WEAK_PASSWORD'>
export const credentialsBody = exact({
  currentPassword: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'currentPassword' }) }),
  /** Trimmed; blank counts as left out. */
  newUsername: optional(username(() => undefined)),
  newPassword: optional(text({ max: maxPasswordLength, kind: refusal('WEAK_PASSWORD', weakLength) })),
})

const maxEntries = 100
export const settingsBody = exact(
  {
    requireOtp: t.Optional(flag()),
    allowedIps: t.Optional(
      read(
        t.Array(read(t.String(refusal('INVALID_IP')), toListEntry), {
          maxItems: maxEntries,
          ...refusal('INVALID_VALUE', { reason: 'addresses', values: { most: maxEntries } }),
        }),
        (entries) => [...new Set(entries)],
      ),
    ),
    version: t.Optional(text({ max: 16 })),
  },
  { someOf: ['requireOtp', 'allowedIps'] },
)
export const confirmBody = exact({ otpCode: sixDigits(orIfEmpty(wrongCode, 'empty')) })

export const sessionParams = t.Object({
  id: t.String({ pattern: '^[\\w-]{1,64}$', ...refusal('NOT_FOUND', { reason: 'session' }) }),
})
export const auditQuery = t.Object({ cursor, action: search, actor: search, outcome: search })

const user = answer({ username: t.String() })
export const userAnswer = answer({
  user: answer({ username: t.String(), readOnly: t.Boolean(), language: orNull(listed(languages)) }),
})
export const languageBody = exact({ language: choice(languages) })
export const tokenAnswer = answer({ token: t.String() })
export const freshAnswer = answer({ fresh: t.Boolean() })
export const credentialsAnswer = answer({ user, token: t.String() })
export const accessAnswer = answer({ allowed: t.Boolean(), ip: t.String() })
export const endedAnswer = answer({ ended: whole('How many sessions were ended.') })
export const sessionList = t.Array(
  answer({
    id: t.String(),
    username: t.String(),
    clientAddress: t.String(),
    createdAt: moment(),
    lastSeenAt: moment(),
    isCurrent: t.Boolean(),
  }),
)

const settings = {
  requireOtp: t.Boolean(),
  allowedIps: t.Array(t.String()),
  version: t.String({ description: 'Of `requireOtp` and `allowedIps` together.' }),
}
export const savedSettings = answer(settings)
export const securityState = answer({
  ...settings,
  otpConfirmed: t.Boolean(),
  passkeys: whole('Of the caller.'),
  recoveryCodesLeft: whole(),
  ip: t.String({ description: 'The address that this call came from.' }),
})
export const otpSecret = answer({
  secret: t.String({ description: 'In base32, for typing in.' }),
  qrCode: t.String({ description: 'SVG as a data URL.' }),
})
export const recoveryCodes = answer({ recoveryCodes: t.Array(t.String()) })

export const auditList = t.Array(
  answer({
    id: whole(),
    at: moment(),
    actor: t.String(),
    clientAddress: orNull(t.String()),
    action: t.String(),
    outcome: t.String({ description: 'The status.' }),
    before: t.Unknown(),
    after: t.Unknown(),
    requestId: orNull(t.String()),
  }),
  { description: 'At most 100, newest first.' },
)
