import type { Jobs } from '../../core/jobs.ts'
import type { ChannelSettings, DeliveryProblem } from '../../core/notify/kinds.ts'
import { channelRow, type SecretBox } from '../../core/server/secret-box.ts'
import { judgeAnchor } from '../../db/notify/anchors.ts'
import type { Channel } from '../../db/notify/channels.ts'
import { markFailed, markSent, takeDelivery, wakeChannel } from '../../db/notify/deliveries.ts'
import type { Deps } from '../deps.ts'
import { sendEmail } from './email.ts'
import { messageOf } from './message.ts'
import { NotReceived, type Reach } from './reach.ts'
import { sendTelegram } from './telegram.ts'
import { sendWebhook } from './webhook.ts'

export type SendDeps = Pick<Deps, 'db' | 'log'> & {
  /** Left out without SECRET_KEY: no secret of a channel can be read then. */
  box: SecretBox | undefined
  onAttempt?: (channel: Pick<Channel, 'id' | 'kind'>, outcome: 'sent' | DeliveryProblem) => void
  siteUrl: string | undefined
  reach: Reach & { base?: string }
}

/**
 * Sends one message, if it is due. At least once: a worker that dies between the receiver's answer and the row's mark has
 * it sent again, under the same key.
 */
export async function sendNotification(deps: SendDeps, { id }: Jobs['send-notification']): Promise<void> {
  const { db, log } = deps
  const taken = await takeDelivery(db, id)
  if (!taken) return
  try {
    await send(deps, taken)
  } catch (error) {
    const problem = error instanceof NotReceived ? error.problem : 'failed'
    const { message } = error as Error
    // Of anything else than a refusal the message may hold an address, and in it a token.
    const reason = error instanceof NotReceived ? message : (error as Error).name
    log.warn(
      { delivery: id, channel: taken.channel.id, attempt: taken.attempt, reason },
      'message not received',
    )
    deps.onAttempt?.(taken.channel, problem)
    return markFailed(db, taken, problem)
  }
  deps.onAttempt?.(taken.channel, 'sent')
  await markSent(db, id)
  await wakeChannel(db, taken.channel.id)
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeDelivery>>>

async function send({ db, box, siteUrl, reach }: SendDeps, { notice: told, channel }: Taken): Promise<void> {
  const notice = await judgeAnchor(db, told)
  const message = messageOf(notice, channel.language, siteUrl)
  const secret = secretOf(box, channel)
  switch (channel.kind) {
    case 'webhook':
      return sendWebhook(
        channel.settings as ChannelSettings['webhook'],
        needed(secret),
        { notice, ...message },
        reach,
      )
    case 'telegram':
      return sendTelegram(channel.settings as ChannelSettings['telegram'], needed(secret), message, reach)
    case 'email':
      return sendEmail(
        channel.settings as ChannelSettings['email'],
        secret,
        { key: notice.key, ...message },
        reach,
      )
  }
}

function secretOf(box: SecretBox | undefined, { id, secret }: Pick<Channel, 'id' | 'secret'>) {
  if (secret === null) return undefined
  const plain = box?.open(secret, channelRow(id))
  if (!plain) throw new NotReceived('secret_unreadable')
  return `${plain}`
}

function needed(secret: string | undefined): string {
  if (secret === undefined) throw new NotReceived('secret_unreadable')
  return secret
}
