import { Type as t } from '@sinclair/typebox'
import { answer, moment, orNull } from '../http/answers.ts'
import { exact, read, refusal, refuse } from '../http/schema.ts'
import { flag, text } from '../http/values.ts'

const nameRule = '{name}: 영문, 숫자, . _ @ + - 만 64자까지 사용할 수 있습니다.'

export const newAdminBody = exact({
  /** Trimmed. */
  username: read(text({ max: 128, says: nameRule }), (value) => {
    const name = value.trim()
    return /^[A-Za-z0-9._@+-]{1,64}$/.test(name) ? name : refuse()
  }),
  readOnly: t.Optional(flag()),
})
export const rightsBody = exact({ readOnly: flag() })
export const adminInPath = t.Object({
  id: read(
    t.String({ pattern: '^[1-9]\\d{0,8}$', ...refusal('NOT_FOUND', '해당 관리자가 없습니다.') }),
    Number,
  ),
})

export const administrator = answer({
  id: t.Number(),
  username: t.String(),
  readOnly: t.Boolean(),
  createdAt: moment(),
  disabledAt: orNull(moment('Removed since then.')),
  isOneTime: t.Boolean({ description: 'Has not chosen a password yet.' }),
  otpConfirmed: t.Boolean(),
  passkeys: t.Number(),
  lastLoginAt: orNull(moment('In the last 30 days.')),
  isOwn: t.Boolean(),
})
export const administratorList = t.Array(administrator)
export const handedOut = answer({
  administrator,
  password: t.String({ description: 'Told once; good for 24 hours, and changed at the first login.' }),
})
