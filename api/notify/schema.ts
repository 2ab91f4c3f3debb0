import { Type as t } from '@sinclair/typebox'
import { languages } from '../../core/admin/language.ts'
import { mailSecurities } from '../../core/notify/kinds.ts'
import { isHostName } from '../../core/prize/claim.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, invalid, nullable, type Refusal, read, refusal, refuse } from '../http/schema.ts'
import { choice, httpsUrl, idInPath, text, whole, words } from '../http/values.ts'

const mailPorts = [25, 465, 587, 2525]
const mostRecipients = 10

const trimmed = (max: number, isRight: (value: string) => boolean, kind: Refusal) =>
  read(text({ max, kind }), (value) => (isRight(value.trim()) ? value.trim() : refuse()))

const mailAddress = trimmed(
  254,
  (value) => /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(value),
  refusal('INVALID_VALUE', { reason: 'email' }),
)
const email = exact({
  host: trimmed(
    253,
    (value) => isHostName(value) || /^\d+\.\d+\.\d+\.\d+$/.test(value) || value === 'localhost',
    refusal('INVALID_VALUE', { reason: 'mailServer' }),
  ),
  port: read(whole(1, 65_535, portRule()), (value) => (mailPorts.includes(value) ? value : refuse())),
  security: choice(mailSecurities),
  user: t.Optional(nullable(text({ max: 254 }))),
  password: t.Optional(text({ max: 512, kind: invalid })),
  from: mailAddress,
  to: t.Array(mailAddress, {
    minItems: 1,
    maxItems: mostRecipients,
    ...refusal('INVALID_VALUE', { reason: 'recipients', values: { most: mostRecipients } }),
  }),
})
function portRule(): Refusal {
  return refusal('INVALID_VALUE', { reason: 'options', values: { options: mailPorts.join(', ') } })
}

/** As the Standard Webhooks scheme writes it: 24 to 64 bytes. */
const signingKey = trimmed(
  100,
  (value) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
    const bytes = Buffer.from(base64, 'base64')
    return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
  },
  refusal('INVALID_VALUE', { reason: 'signingKey' }),
)

/** One of `webhook` and `email`: it is the kind. */
export const channelBody = exact({
  name: words(60),
  language: choice(languages),
  webhook: t.Optional(exact({ url: httpsUrl(), signingKey: t.Optional(signingKey) })),
  email: t.Optional(email),
})
export type ChannelBody = Decoded<typeof channelBody>

export const channelInPath = idInPath('channel')
