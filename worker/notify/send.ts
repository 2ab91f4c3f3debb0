import { type Jobs, jobId } from '../../core/jobs.ts'
import type { ChannelSecrets, ChannelSettings } from '../../core/notify/kinds.ts'
import type { JobQueue } from '../../core/server/queue.ts'
import { channelRow, type SecretBox } from '../../core/server/secrets.ts'
import { type Channel, markFailed, markSent, readDelivery, waitingDeliveries } from '../../db/notify/tell.ts'
import type { Deps } from '../deps.ts'
import { NotReceived, type Reach } from './reach.ts'
import { messageOf, sendEmail, sendWebhook } from './senders.ts'

export type SendDeps = Pick<Deps, 'db' | 'log'> & {
  /** Left out without SECRET_KEY: no secret of a channel can be read then. */
  box: SecretBox | undefined
  siteUrl: string | undefined
  reach: Reach
}

/**
 * Adds a job for each message that waits: one that is queued already is not added again, and the queue itself tries anew what
 * fails. `again`: also for what was tried, as the queue may have lost its job, or has come to the end of its tries.
 */
export async function ringDeliveries(
  { db, jobs }: Pick<Deps, 'db'> & { jobs: Pick<JobQueue, 'enqueueMany'> },
  again: boolean,
): Promise<void> {
  const waiting = await waitingDeliveries(db, again)
  const rung = waiting.map((id) => ({ payload: { id }, jobId: jobId.sendNotification(id) }))
  if (rung.length > 0) await jobs.enqueueMany('send-notification', rung)
}

/**
 * Sends one message, if it waits. Throws where it is to be tried again. At least once: a worker that dies between the
 * receiver's answer and the row's mark has it sent again, under the same key.
 */
export async function sendNotification(deps: SendDeps, { id }: Jobs['send-notification']): Promise<void> {
  const { db, log, reach, siteUrl } = deps
  const row = await readDelivery(db, id)
  if (!row) return
  const { notice, channel } = row
  try {
    const message = messageOf(notice, channel.language, siteUrl)
    const secret = openSecret(deps.box, channel)
    if (channel.kind === 'webhook') await sendWebhook(secret as ChannelSecrets['webhook'], message, reach)
    else {
      const settings = channel.settings as ChannelSettings['email']
      await sendEmail(settings, secret as ChannelSecrets['email'], message, reach)
    }
  } catch (error) {
    // Of anything else than a refusal the message may hold an address, and in it a token.
    const refusal = error instanceof NotReceived ? error : new NotReceived('failed', (error as Error).name)
    if (await markFailed(db, id, refusal.problem)) throw refusal
    log.warn({ delivery: id, channel: channel.id, reason: refusal.message }, 'message given up')
    return
  }
  await markSent(db, id)
}

function openSecret(box: SecretBox | undefined, { id, secret }: Pick<Channel, 'id' | 'secret'>) {
  const plain = secret && box?.open(secret, channelRow(id))
  if (!plain) throw new NotReceived('secret_unreadable')
  return JSON.parse(`${plain}`) as ChannelSecrets['webhook'] | ChannelSecrets['email']
}
