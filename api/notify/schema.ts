import { type Static, Type as t } from '@sinclair/typebox'
import { languages } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  type ChannelKind,
  type ChannelSettings,
  channelKinds,
  type DeliveryProblem,
  deliveryProblems,
  deliveryStates,
  mailSecurities,
  noticeKinds,
} from '../../core/notify/kinds.ts'
import { isHostName } from '../../core/prize/form-url.ts'
import { answer, listed, moment, whole as number, orNull } from '../http/answers.ts'
import { exact, nullable, read, refusal, refuse } from '../http/schema.ts'
import { choice, cursor, digits, flag, httpsUrl, oneOf, text, whole } from '../http/values.ts'

const maxRevision = 2 ** 31 - 1
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

const common = {
  name: trimmed(60, (value) => value.length > 0, '{name}: 60자 이하의 이름을 입력해주세요.'),
  language: choice(languages, '{name}: ko 또는 en이어야 합니다.'),
  events: read(
    t.Array(choice(noticeKinds, '{name}: 알 수 없는 알림입니다.'), {
      maxItems: noticeKinds.length,
      ...refusal('INVALID_VALUE', '{name}: 알림 목록이 올바르지 않습니다.'),
    }),
    (events) => noticeKinds.filter((kind) => events.includes(kind)),
  ),
  enabled: flag(),
  /** Of the three, the one of its kind. */
  webhook: t.Optional(exact({ url: httpsUrl() })),
  telegram: t.Optional(
    exact({
      chatId: trimmed(
        64,
        (value) => /^(-?\d{1,20}|@\w{4,63})$/.test(value),
        '{name}: 숫자 또는 @이름이어야 합니다.',
      ),
    }),
  ),
  email: t.Optional(email),
  secret: t.Optional(text({ max: 512, says: '{name}: 올바른 값이 아닙니다.' })),
}

export const newChannelBody = exact({
  kind: choice(channelKinds, `{name}: ${channelKinds.join(', ')} 중 하나여야 합니다.`),
  ...common,
})
/** `secret` left out: it stays. The kind of a channel stays as well. */
export const channelBody = exact({ ...common, revision: whole(1, maxRevision) })

const idInPath = (says: string) =>
  t.Object({
    id: read(t.String({ pattern: '^[1-9]\\d{0,8}$', ...refusal('NOT_FOUND', says) }), Number),
  })
export const channelInPath = idInPath('해당 알림 채널이 없습니다.')
export const deliveryInPath = idInPath('해당 알림이 없습니다.')
export const deliveryQuery = t.Object({ cursor, channel: digits(9), state: oneOf(deliveryStates) })

const mail = answer({
  host: t.String(),
  port: number(),
  security: listed(mailSecurities),
  user: orNull(t.String()),
  from: t.String(),
  to: t.Array(t.String()),
})
export const channel = answer(
  {
    id: number(),
    kind: listed(channelKinds),
    name: t.String(),
    language: listed(languages),
    events: t.Array(listed(noticeKinds)),
    enabled: t.Boolean(),
    webhook: orNull(answer({ url: t.String() })),
    telegram: orNull(answer({ chatId: t.String() })),
    email: orNull(mail),
    hasSecret: t.Boolean({ description: 'The secret itself is never told.' }),
    waiting: number('Messages that were not received yet.'),
    givenUp: number('Messages that were tried for three days.'),
    revision: number(),
  },
  { $id: 'Channel' },
)
export const channelList = t.Array(channel)
export const removed = answer({ removed: t.Literal(true) })

export const delivery = answer(
  {
    id: number(),
    channelId: number(),
    channelName: t.String(),
    channelKind: listed(channelKinds),
    kind: listed([...noticeKinds, 'test'] as const),
    eventNumber: orNull(number()),
    at: moment('When it happened.'),
    state: listed(deliveryStates),
    attempts: number(),
    nextTryAt: orNull(moment()),
    sentAt: orNull(moment()),
    problem: orNull(listed<DeliveryProblem>(deliveryProblems)),
  },
  { $id: 'Delivery' },
)
export const deliveryList = t.Array(delivery)

type Given = { [K in ChannelKind]?: ChannelSettings[K] | undefined }

/** The settings of this kind, which have to be there; those of another kind must not. */
export function settingsOf(
  kind: ChannelKind,
  { webhook, telegram, email }: { webhook?: unknown; telegram?: unknown; email?: unknown },
): ChannelSettings[ChannelKind] {
  const given = { webhook, telegram, email } as Given
  const other = channelKinds.find((one) => one !== kind && given[one] !== undefined)
  if (other) throw invalid(other, `${kind} 채널에는 쓸 수 없습니다.`)
  const own = given[kind]
  if (!own) throw invalid(kind, '값을 입력해주세요.')
  return kind === 'email' ? { ...(own as ChannelSettings['email']), user: userOf(own) } : own
}

const userOf = (settings: object): string | null => (settings as { user?: string | null }).user ?? null

/** Throws INVALID_VALUE for a secret that cannot be one of this kind. */
export function expectSecret(kind: ChannelKind, secret: string): void {
  const says = {
    webhook: isSigningKey(secret) ? '' : 'whsec_ 로 시작하는 24~64바이트의 Base64 값이어야 합니다.',
    telegram: /^\d{5,20}:[\w-]{30,64}$/.test(secret) ? '' : '봇 토큰의 형식이 올바르지 않습니다.',
    email: '',
  }[kind]
  if (says) throw invalid('secret', says)
}

function isSigningKey(secret: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
}

export const invalid = (field: string, says: string) =>
  new RaffleError('INVALID_VALUE', `${field}: ${says}`, {}, { field })

export type ChannelAnswer = Static<typeof channel>
