import { Webhook } from 'standardwebhooks'
import type { ChannelSettings, Notice } from '../../core/notify/kinds.ts'
import type { Message } from './message.ts'
import { NotReceived, post, type Reach } from './reach.ts'

/**
 * By the Standard Webhooks scheme: `webhook-id` is the notice's key in every attempt, and `webhook-signature` is over id,
 * time and body.
 */
export async function sendWebhook(
  { url }: ChannelSettings['webhook'],
  secret: string,
  { notice, title, text, link }: { notice: Notice } & Message,
  reach: Reach,
): Promise<void> {
  const body = JSON.stringify({
    type: notice.kind,
    timestamp: notice.at.toISOString(),
    data: { eventNumber: notice.eventNumber, ...notice.facts, title, text, link: link ?? null },
  })
  const sentAt = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'blockdraw',
    'webhook-id': notice.key,
    'webhook-timestamp': `${Math.floor(sentAt.getTime() / 1000)}`,
    'webhook-signature': signed(secret, notice.key, sentAt, body),
  }
  await post({ url, headers, body }, reach)
}

function signed(secret: string, key: string, at: Date, body: string): string {
  try {
    return new Webhook(secret).sign(key, at, body)
  } catch {
    throw new NotReceived('secret_unreadable')
  }
}
