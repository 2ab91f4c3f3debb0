import { Type as t } from '@sinclair/typebox'
import { mostLetters } from '../../core/event/ranges.ts'
import { answer, moment, orNull } from '../http/answers.ts'
import { exact, invalid, refusal } from '../http/schema.ts'
import { idInPath, text, words } from '../http/values.ts'

const bytesText = (max: number) =>
  t.String({
    pattern: `^[A-Za-z0-9_-]{1,${max}}$`,
    ...invalid,
  })

export const passkeyProof = exact({
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
export const passwordBody = exact({
  username: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'username' }) }),
  password: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'password' }) }),
})
export const passkeyInPath = idInPath('passkey')

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` take them. */
const requestOptions = t.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'WebAuthn request options.',
})
export const creationOptions = t.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'WebAuthn creation options.',
})
export const secondFactors = answer({ passkey: orNull(requestOptions), otp: t.Boolean() })
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
