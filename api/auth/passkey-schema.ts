import { Type as t } from '@sinclair/typebox'
import { answer, moment, orNull } from '../http/answers.ts'
import { exact, read, refusal } from '../http/schema.ts'
import { text, words } from '../http/values.ts'

const bytesText = (max: number) =>
  t.String({
    pattern: `^[A-Za-z0-9_-]{1,${max}}$`,
    ...refusal('INVALID_VALUE', '{name}: 올바른 값이 아닙니다.'),
  })

export const passkeyProof = exact({
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  authenticatorData: bytesText(2_000),
  signature: bytesText(2_000),
})
export const newPasskeyBody = exact({
  name: words(60),
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  attestationObject: bytesText(8_000),
  transports: t.Array(t.String({ pattern: '^[a-z-]{1,20}$', ...refusal() }), { maxItems: 8, ...refusal() }),
})
export const passwordBody = exact({
  username: text({ max: 128, says: '사용자명을 입력하세요' }),
  password: text({ max: 128, says: '비밀번호를 입력하세요' }),
})
export const passkeyInPath = t.Object({
  id: read(
    t.String({ pattern: '^[1-9]\\d{0,8}$', ...refusal('NOT_FOUND', '해당 패스키가 없습니다.') }),
    Number,
  ),
})

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
