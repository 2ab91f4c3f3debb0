import { Type as t } from '@sinclair/typebox'
import { answer, moment, orNull } from '../http/answers.ts'
import { exact, read, refusal, refuse } from '../http/schema.ts'
import { flag, idOf, text } from '../http/values.ts'

const nameRule = refusal('INVALID_VALUE', { reason: 'usernameForm' })

export const newAdminBody = exact({
  /** Trimmed. */
  username: read(text({ max: 128, kind: nameRule }), (value) => {
    const name = value.trim()
    return /^[A-Za-z0-9._@+-]{1,64}$/.test(name) ? name : refuse()
  }),
  readOnly: t.Optional(flag()),
})
export const rightsBody = exact({ readOnly: flag() })
export const adminInPath = t.Object({
  id: idOf(refusal('NOT_FOUND', { reason: 'administrator' })),
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
