import { type Static, Type as t } from '@sinclair/typebox'
import { languages } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  channelKinds,
  type DeliveryProblem,
  deliveryProblems,
  deliveryStates,
  mailSecurities,
} from '../../core/notify/kinds.ts'
import { isHostName } from '../../core/prize/claim.ts'
import { answer, listed, whole as number, orNull } from '../http/answers.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, nullable, read, refusal, refuse } from '../http/schema.ts'
import { choice, httpsUrl, text, whole, words } from '../http/values.ts'

const mailPorts = [25, 465, 587, 2525]
const mostRecipients = 10

const trimmed = (max: number, isRight: (value: string) => boolean, says: string) =>
  read(text({ max, says }), (value) => (isRight(value.trim()) ? value.trim() : refuse()))

const mailAddress = trimmed(
  254,
  (value) => /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(value),
  '{name}: 올바른 이메일 주소가 아닙니다.',
)
const email = exact({
  host: trimmed(
    253,
    (value) => isHostName(value) || /^\d+\.\d+\.\d+\.\d+$/.test(value) || value === 'localhost',
    '{name}: 메일 서버 이름이 올바르지 않습니다.',
  ),
  port: read(whole(1, 65_535, { says: portRule() }), (value) =>
    mailPorts.includes(value) ? value : refuse(),
  ),
  security: choice(mailSecurities, `{name}: ${mailSecurities.join(', ')} 중 하나여야 합니다.`),
  user: t.Optional(nullable(text({ max: 254 }))),
  password: t.Optional(text({ max: 512, says: '{name}: 올바른 값이 아닙니다.' })),
  from: mailAddress,
  to: t.Array(mailAddress, {
    minItems: 1,
    maxItems: mostRecipients,
    ...refusal('INVALID_VALUE', `{name}: 받는 사람은 1명부터 ${mostRecipients}명까지입니다.`),
  }),
})
function portRule(): string {
  return `{name}: ${mailPorts.join(', ')} 중 하나여야 합니다.`
}

/** As the Standard Webhooks scheme writes it: 24 to 64 bytes. */
const signingKey = trimmed(
  100,
  (value) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
    const bytes = Buffer.from(base64, 'base64')
    return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
  },
  '{name}: whsec_ 로 시작하는 24~64바이트의 Base64 값이어야 합니다.',
)

/** One of `webhook` and `email`: it is the kind. */
export const channelBody = exact({
  name: words(60),
  language: choice(languages, '{name}: ko 또는 en이어야 합니다.'),
  webhook: t.Optional(exact({ url: httpsUrl(), signingKey: t.Optional(signingKey) })),
  email: t.Optional(email),
})
export type ChannelBody = Decoded<typeof channelBody>

export const channelInPath = t.Object({
  id: read(
    t.String({ pattern: '^[1-9]\\d{0,8}$', ...refusal('NOT_FOUND', '해당 알림 채널이 없습니다.') }),
    Number,
  ),
})

const problem = orNull(listed<DeliveryProblem>(deliveryProblems))
export const channel = answer(
  {
    id: number(),
    kind: listed(channelKinds),
    name: t.String(),
    language: listed(languages),
    target: t.String({
      description: 'Whom it reaches; of a webhook the host alone, as its address may let one in.',
    }),
    waiting: number('Messages that were not received yet.'),
    problem,
  },
  { $id: 'Channel' },
)
export const channelList = t.Array(channel)
export const removed = answer({ removed: t.Literal(true) })
export const tested = answer({ state: listed(deliveryStates), problem })

export const invalid = (field: string, says: string) =>
  new RaffleError('INVALID_VALUE', `${field}: ${says}`, {}, { field })

export type ChannelAnswer = Static<typeof channel>
