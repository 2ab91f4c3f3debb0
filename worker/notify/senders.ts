import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import type { Language } from '../../core/admin/language.ts'
import type { ChannelSecrets, ChannelSettings, DeliveryProblem, Notice } from '../../core/notify/kinds.ts'
import { noticeText } from '../../core/notify/text.ts'
import { addressOf, codeOf, inTime, NotReceived, post, problemOf, type Reach } from './reach.ts'

/** A notice in the words of its channel; `link` only where the site has an address. */
export type Message = { notice: Notice; title: string; text: string; link: string | undefined }

export const messageOf = (notice: Notice, language: Language, siteUrl: string | undefined): Message => ({
  ...{ notice, ...noticeText(notice, language) },
  link: siteUrl && new URL('/admin', siteUrl).href,
})

/**
 * `text` alone is what a bot of Telegram reads, and the chats that take it alike; the rest is for programs. `webhook-id` is the
 * notice's key in every try; the signature, where there is a key, is that of the Standard Webhooks scheme.
 */
export async function sendWebhook(
  { url, signingKey }: ChannelSecrets['webhook'],
  { notice, title, text, link }: Message,
  reach: Reach,
): Promise<void> {
  const { key, kind, eventNumber, facts, at } = notice
  const body = JSON.stringify({
    text: [title, text, link].filter(Boolean).join('\n'),
    ...{ type: kind, timestamp: at.toISOString(), data: { eventNumber, ...facts } },
  })
  const now = new Date()
  const headers = {
    ...{ 'content-type': 'application/json', 'user-agent': 'blockdraw' },
    ...{ 'webhook-id': key, 'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}` },
    ...(signingKey && { 'webhook-signature': new Webhook(signingKey).sign(key, now, body) }),
  }
  await post({ url, headers, body }, reach)
}

/** One plain mail within 15 s. Its Message-ID is the notice's key, so that a second copy is known for one. */
export const sendEmail = (
  settings: ChannelSettings['email'],
  secret: ChannelSecrets['email'],
  message: Message,
  reach: Reach,
): Promise<void> => inTime(15_000, reach, (signal) => mail(settings, secret, message, { ...reach, signal }))

async function mail(
  { host, port, security, user, from, to }: ChannelSettings['email'],
  { password = '' }: ChannelSecrets['email'],
  { notice, title, text, link }: Message,
  { signal, ...reach }: Reach & { signal: AbortSignal },
): Promise<void> {
  const transport = createTransport({
    host: await addressOf(host, reach),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(reach.ca !== undefined && { ca: reach.ca }) },
    ...(user !== null && { auth: { user, pass: password } }),
    ...{ connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 },
    // What a mail says comes from here alone.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    await transport.sendMail({
      ...{ from, to, signal, subject: title, text: [text, link].filter(Boolean).join('\n') },
      messageId: `<${notice.key}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    })
  } catch (error) {
    throw new NotReceived(mailProblem(error), codeOf(error))
  } finally {
    transport.close()
  }
}

const mailProblems: Record<string, DeliveryProblem> = {
  ...{ EAUTH: 'login_refused', EENVELOPE: 'recipient_refused', ETLS: 'tls', ETIMEDOUT: 'timeout' },
  ECONNECTION: 'unreachable',
}

function mailProblem(error: unknown): DeliveryProblem {
  const { responseCode = 0, message } = error as Error & { responseCode?: number }
  const known = mailProblems[codeOf(error)]
  if (known) return known
  if (codeOf(error) === 'ESOCKET') return /cert|tls|ssl|altname|signed/i.test(message) ? 'tls' : 'unreachable'
  if (responseCode >= 400) return responseCode >= 500 ? 'status_5xx' : 'status_4xx'
  return problemOf(error)
}
