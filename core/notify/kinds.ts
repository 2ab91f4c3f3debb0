export const noticeKinds = [
  'new_browser',
  'wrong_codes',
  'wallet_changed',
  'addresses_changed',
  'second_factor_changed',
  'administrators_changed',
  'password_changed',
  'channels_changed',
  'payments_trouble',
  'endpoints',
  'cover_short',
  'refund_mode',
  'drawn',
  'claimed',
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

/** By its action; with a field, only where that one differs before and after. The routes know nothing of notices. */
export const toldActions: readonly { action: string; kind: NoticeKind; field?: string }[] = [
  { action: 'raffle.config', kind: 'wallet_changed', field: 'operatorWallet' },
  { action: 'raffle.open-next', kind: 'wallet_changed', field: 'operatorWallet' },
  { action: 'settings', kind: 'addresses_changed', field: 'allowedIps' },
  { action: 'cli.allow-ip', kind: 'addresses_changed' },
  { action: 'settings', kind: 'second_factor_changed', field: 'requireOtp' },
  { action: 'otp.confirm', kind: 'second_factor_changed' },
  { action: 'passkey.add', kind: 'second_factor_changed' },
  { action: 'passkey.remove', kind: 'second_factor_changed' },
  { action: 'cli.reset-otp', kind: 'second_factor_changed' },
  { action: 'admins.add', kind: 'administrators_changed' },
  { action: 'admins.rights', kind: 'administrators_changed' },
  { action: 'admins.disable', kind: 'administrators_changed' },
  { action: 'admins.reset-password', kind: 'administrators_changed' },
  { action: 'cli.create', kind: 'administrators_changed' },
  { action: 'cli.reset-password', kind: 'administrators_changed' },
  { action: 'credentials', kind: 'password_changed' },
  { action: 'channel.add', kind: 'channels_changed' },
  { action: 'channel.remove', kind: 'channels_changed' },
]

/** A bot of Telegram is a webhook too: its address has the token and the chat, and it reads `text` alone. */
export const channelKinds = ['webhook', 'email'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** What is shown. The address of a webhook may be what lets one in: it is a secret, and only its host is here. */
export type ChannelSettings = {
  webhook: { host: string }
  /** `tls` from the first byte on, `starttls` after a greeting. */
  email: {
    host: string
    port: number
    security: MailSecurity
    user: string | null
    from: string
    to: string[]
  }
}
export const mailSecurities = ['tls', 'starttls'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** What lies encrypted. `signingKey` as the Standard Webhooks scheme has it. */
export type ChannelSecrets = {
  webhook: { url: string; signingKey?: string | undefined }
  email: { password?: string | undefined }
}

export type DeliveryState = 'waiting' | 'sent' | 'given_up'

/** Why a try failed; `greeting_refused`: before the mail server was told any address. What a receiver has answered is not kept, only its status. */
export type DeliveryProblem =
  | 'secret_unreadable'
  | 'private_address'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'redirect'
  | 'not_allowed'
  | 'throttled'
  | 'chat_moved'
  | 'status_4xx'
  | 'status_5xx'
  | 'greeting_refused'
  | 'login_refused'
  | 'recipient_refused'
  | 'failed'
