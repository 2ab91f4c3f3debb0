import type { Body } from '../../shell/answers.ts'
import type { Channel } from '../frame/types.ts'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { noticeTexts } from './texts.ts'

type NewChannel = Body<'post', '/api/admin/channels'>
type NoticeKind = Channel['events'][number]

/** What the dialog holds, as it is typed. */
export type ChannelDraft = {
  kind: Channel['kind']
  name: string
  language: Channel['language']
  events: readonly NoticeKind[]
  enabled: boolean
  url: string
  chatId: string
  host: string
  port: string
  security: NonNullable<Channel['email']>['security']
  user: string
  from: string
  /** One address, or several with commas. */
  to: string
  /** Empty: the one that is stored stays. */
  secret: string
}
export type FieldName = keyof ChannelDraft
export type Wrong = Partial<Record<FieldName, string>>

const allNotices = Object.keys(noticeTexts) as NoticeKind[]

export function draftOf(channel?: Channel): ChannelDraft {
  const { webhook, telegram, email } = channel ?? {}
  return {
    kind: channel?.kind ?? 'webhook',
    name: channel?.name ?? '',
    language: channel?.language ?? language,
    events: channel?.events ?? allNotices,
    enabled: channel?.enabled ?? true,
    url: webhook?.url ?? '',
    chatId: telegram?.chatId ?? '',
    host: email?.host ?? '',
    port: `${email?.port ?? 465}`,
    security: email?.security ?? 'tls',
    user: email?.user ?? '',
    from: email?.from ?? '',
    to: email?.to.join(', ') ?? '',
    secret: '',
  }
}

const empty = t('값을 입력해주세요.')

/** What is missing; the server says what else is wrong. */
export function wrongFields(draft: ChannelDraft, channel?: Channel): Wrong {
  const needed: Record<Channel['kind'], FieldName[]> = {
    webhook: ['url'],
    telegram: ['chatId'],
    email: ['host', 'port', 'from', 'to'],
  }
  const wrong: Wrong = {}
  for (const name of ['name', ...needed[draft.kind]] as const)
    if (`${draft[name]}`.trim() === '') wrong[name] = empty
  const needsSecret = draft.kind !== 'email' || draft.user.trim() !== ''
  if (needsSecret && draft.secret === '' && !keepsSecret(draft, channel)) wrong.secret = empty
  return wrong
}

/** A password does not go to another mail server than it was entered for. */
export function keepsSecret(draft: ChannelDraft, channel?: Channel): boolean {
  if (!channel?.hasSecret) return false
  const { email } = channel
  return (
    !email ||
    (email.host === draft.host.trim() &&
      `${email.port}` === draft.port.trim() &&
      email.user === userOf(draft))
  )
}

const userOf = ({ user }: ChannelDraft): string | null => user.trim() || null

export function bodyOf(draft: ChannelDraft): NewChannel {
  const { kind, name, language, events, enabled, secret } = draft
  return {
    ...{ kind, name, language, events: [...events], enabled },
    ...(kind === 'webhook' && { webhook: { url: draft.url } }),
    ...(kind === 'telegram' && { telegram: { chatId: draft.chatId } }),
    ...(kind === 'email' && {
      email: {
        host: draft.host,
        port: Number(draft.port),
        security: draft.security,
        user: userOf(draft),
        from: draft.from,
        to: draft.to.split(',').flatMap((one) => one.trim() || []),
      },
    }),
    ...(secret !== '' && { secret }),
  }
}

/** The field of the dialog that shows what the server said of a value. */
export const shownAt: Record<string, FieldName> = {
  ...{ name: 'name', secret: 'secret', webhook: 'url', telegram: 'chatId', email: 'host', events: 'events' },
}

/** A signing key of the Standard Webhooks scheme: 32 random bytes, made in this browser. */
export function newSigningKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
