/** What somebody can be told of, in the order of a raffle's life. */
export const noticeKinds = [
  'first_payment',
  'minimum_reached',
  'sale_ended',
  'frozen',
  'anchored',
  'drawn',
  'claimed',
  'refund_mode',
  'refunds_done',
  'cover_short',
  'halted',
  'terms_taken_back',
  'word_wanted',
  'new_address',
  'backup_failed',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Small values that the moment knew; no secrets. Amounts are units of 10^-18 USDT as text. */
export type NoticeFacts = Readonly<Record<string, string | number | null>>

/** `test`: nothing has happened; an administrator asked for it. */
export type Notice = {
  /** The idempotency key: it stays the same however often it is sent. */
  key: string
  kind: NoticeKind | 'test'
  eventNumber: number | null
  facts: NoticeFacts
  at: Date
}

export const channelKinds = ['webhook', 'telegram', 'email'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** What is not secret. With each goes one secret: a signing key, a bot's token, a password (which e-mail may lack). */
export type ChannelSettings = {
  webhook: { url: string }
  telegram: { chatId: string }
  /** `tls` from the first byte on, `starttls` after a greeting; `none` only to this machine, beside a local chain. */
  email: {
    host: string
    port: number
    security: MailSecurity
    user: string | null
    from: string
    to: string[]
  }
}
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** `dropped`: its channel was removed before it was sent. */
export const deliveryStates = ['waiting', 'sent', 'given_up', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt failed. What a receiver has answered is not kept, only its status. */
export const deliveryProblems = [
  'secret_unreadable',
  'bad_address',
  'name_unknown',
  'private_address',
  'unreachable',
  'tls',
  'timeout',
  'redirect',
  'status_4xx',
  'status_5xx',
  'login_refused',
  'recipient_refused',
  'failed',
] as const
export type DeliveryProblem = (typeof deliveryProblems)[number]

const mostSeconds = 3_600
/** Seconds from the failed attempt of this number, counted from 1, to the next: 1, 2, 4, … an hour at most. */
export const retryAfterSeconds = (attempt: number): number => Math.min(2 ** (attempt - 1), mostSeconds)
/** An attempt that fails so long after the first one is the last. */
export const giveUpAfterSeconds = 3 * 86_400
