import { Type as t } from '@sinclair/typebox'
import { toListEntry } from '../../core/address-list.ts'
import { languages } from '../../core/admin/language.ts'
import { answer, listed, moment, orNull, whole } from '../http/answers.ts'
import { exact, optional, read, refusal, refuse } from '../http/schema.ts'
import { choice, cursor, flag, search, text } from '../http/values.ts'
import { passkeyProof } from './passkey-schema.ts'

const wrongCode = '잘못된 인증 코드입니다. 다시 시도하세요.'
const sixDigits = (empty?: string) =>
  t.String({ pattern: '^\\d{6}$', ...refusal('INVALID_OTP_FORMAT', wrongCode, empty) })
const password = text({ max: 128, says: '비밀번호를 입력하세요' })

export const loginBody = exact({
  username: text({ max: 128, says: '사용자명을 입력하세요' }),
  password,
  otpCode: optional(sixDigits()),
  recoveryCode: optional(text({ max: 64 })),
  passkey: t.Optional(passkeyProof),
})
export const reauthBody = exact({
  password,
  otpCode: optional(sixDigits()),
  passkey: t.Optional(passkeyProof),
})

const nameRule = '{name}: 영문, 숫자, . _ @ + - 만 64자까지 사용할 수 있습니다.'
export const credentialsBody = exact({
  currentPassword: text({ max: 128, says: '현재 비밀번호를 입력해주세요' }),
  /** Trimmed; blank counts as left out. */
  newUsername: optional(
    read(text({ max: 128, says: nameRule }), (value) => {
      const name = value.trim()
      return /^[A-Za-z0-9._@+-]{0,64}$/.test(name) ? name || undefined : refuse()
    }),
  ),
  newPassword: optional(
    text({ max: 128, code: 'WEAK_PASSWORD', says: '비밀번호는 8자 이상 128자 이하여야 합니다.' }),
  ),
})

const maxEntries = 100
export const settingsBody = exact(
  {
    requireOtp: t.Optional(flag()),
    allowedIps: t.Optional(
      read(
        t.Array(
          read(t.String(refusal('INVALID_IP', 'IP 주소 또는 CIDR 형식이 올바르지 않습니다.')), toListEntry),
          {
            maxItems: maxEntries,
            ...refusal('INVALID_VALUE', `{name}: 최대 ${maxEntries}개의 IP 목록이어야 합니다.`),
          },
        ),
        (entries) => [...new Set(entries)],
      ),
    ),
    version: t.Optional(text({ max: 16 })),
  },
  { someOf: ['requireOtp', 'allowedIps'] },
)
export const confirmBody = exact({ otpCode: sixDigits('6자리 인증 코드를 입력하세요.') })

export const sessionParams = t.Object({
  id: t.String({ pattern: '^[\\w-]{1,64}$', ...refusal('NOT_FOUND', '이미 끝난 세션입니다.') }),
})
export const auditQuery = t.Object({ cursor, action: search, actor: search, outcome: search })

const user = answer({ username: t.String() })
export const userAnswer = answer({
  user: answer({ username: t.String(), readOnly: t.Boolean(), language: orNull(listed(languages)) }),
})
export const languageBody = exact({ language: choice(languages, '{name}: ko 또는 en이어야 합니다.') })
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
