import { Type as t } from '@sinclair/typebox'
import { answer, moment, orNull } from '../http/answers.ts'
import { exact, read, refusal, refuse } from '../http/schema.ts'
import { flag, idOf, text } from '../http/values.ts'

const nameRule = refusal('INVALID_VALUE', { reason: 'usernameForm' })

/** A name, trimmed; not the one that the audit list has for who has none. The command line's has a colon, which no name has. */
export function nameIn(typed: string): string {
  const name = typed.trim()
  return /^[A-Za-z0-9._@+-]{0,64}$/.test(name) && name.toLowerCase() !== 'anonymous' ? name : refuse()
}

export const newAdminBody = exact({
  /** Trimmed. */
  username: read(text({ max: 128, kind: nameRule }), (value) => nameIn(value) || refuse()),
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
