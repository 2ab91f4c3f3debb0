import { Type as t } from '@sinclair/typebox'
import { toListEntry } from '../../core/address-list.ts'
import { languages } from '../../core/admin/language.ts'
import type { DetailsOf } from '../../core/errors.ts'
import { mostLetters } from '../../core/event/ranges.ts'
import { maxPasswordLength, minPasswordLength } from '../../core/server/password.ts'
import { typedCode } from '../../core/typed-code.ts'
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

export const languageBody = exact({ language: choice(languages) })
