import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import type { Language } from '../../core/admin/language.ts'
import { type Jobs, jobId } from '../../core/jobs.ts'
import type { ChannelSecrets, ChannelSettings, DeliveryProblem, Notice } from '../../core/notify/kinds.ts'
import { noticeText } from '../../core/notify/text.ts'
import type { JobQueue } from '../../core/server/queue.ts'
import { channelRow, type SecretBox } from '../../core/server/secrets.ts'
import { type Clock, withDeadline } from '../../core/server/time.ts'
import { isPublicAddress } from '../../core/server/witnesses.ts'
import { type Channel, markFailed, markSent, readDelivery, waitingDeliveries } from '../../db/notify/tell.ts'
import type { Deps } from '../deps.ts'

export type SendDeps = Pick<Deps, 'db' | 'log'> & {
  /** Left out without SECRET_KEY: no secret of a channel can be read then. */
  box: SecretBox | undefined
  siteUrl: string | undefined
  reach: Reach
  /** Channels whose receiver has asked for time, and until when in milliseconds: they are not asked before. */
  later: Map<number, number>
}

/** Adds a job for each message that waits: one that is queued already is not added again, and the queue
 * itself tries anew what fails. `again`: also for what was tried, as the queue may have lost its job. */
export async function ringDeliveries(
  { db, jobs }: Pick<Deps, 'db'> & { jobs: Pick<JobQueue, 'enqueue'> },
  again: boolean,
): Promise<void> {
  const ring = (id: number) =>
    jobs.enqueue('send-notification', { id }, { jobId: jobId.sendNotification(id) })
  await Promise.all((await waitingDeliveries(db, again)).map(ring))
}

/** Sends one message, if it waits. Throws where it is to be tried again. At least once: a worker that dies
 * between the receiver's answer and the row's mark has it sent again, under the same key. */
export async function sendNotification(deps: SendDeps, { id }: Jobs['send-notification']): Promise<void> {
  const { db, log, reach, siteUrl, later } = deps
  const row = await readDelivery(db, id)
  if (!row) return
  const { notice, channel } = row
  try {
    const message = messageOf(notice, channel.language, siteUrl)
    const secret = openSecret(deps.box, channel)
    if (Date.now() < (later.get(channel.id) ?? 0)) throw new NotReceived('throttled', 'not yet')
    if (channel.kind === 'webhook') await sendWebhook(secret as ChannelSecrets['webhook'], message, reach)
    else {
      const settings = channel.settings as ChannelSettings['email']
      await sendEmail(settings, secret as ChannelSecrets['email'], message, reach)
    }
  } catch (error) {
    // Of anything else than a refusal the message may hold an address, and in it a token.
    const refusal = error instanceof NotReceived ? error : new NotReceived('failed', (error as Error).name)
    if (refusal.waitMs > 0) later.set(channel.id, Date.now() + refusal.waitMs)
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

/** A notice in the words of its channel; `link` only where the site has an address. */
export type Message = { notice: Notice; title: string; text: string; link: string | undefined }

/** @internal */
export const messageOf = (notice: Notice, language: Language, siteUrl: string | undefined): Message => ({
  ...{ notice, ...noticeText(notice, language) },
  link: siteUrl && new URL('/admin', siteUrl).href,
})

/** A bot of Telegram reads `text` alone. `webhook-id` is the notice's key in every try; the signature is that
 * of the Standard Webhooks scheme. @internal */
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

/** One plain mail within 15 s. Its Message-ID is the notice's key, so that a second copy is known for one. @internal */
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
    name: ownName(link, from),
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
    throw new NotReceived(problemOf(error), codeOf(error))
  } finally {
    transport.close()
  }
}

/** What this server calls itself: a container's own name has no dot, and strict relays hang up on its address. */
function ownName(link: string | undefined, from: string): string {
  const host = link ? new URL(link).hostname : ''
  return host.includes('.') && isIP(host) === 0 ? host : from.slice(from.lastIndexOf('@') + 1)
}

/** Why a message was not received, for its row and the log; never with what was sent or answered. */
export class NotReceived extends Error {
  override name = 'NotReceived'
  constructor(
    readonly problem: DeliveryProblem,
    detail = '',
    /** So long it is not asked again. */
    readonly waitMs = 0,
  ) {
    super(detail ? `${problem}: ${detail}` : problem)
  }
}

export type Reach = {
  /** Beside a chain on this machine, receivers may be on it, or in its network. */
  isLocal: boolean
  /** Certificates trusted besides those of the system. */
  ca?: string
  /** All addresses of a name. */
  resolve?: (name: string) => Promise<readonly string[]>
  withinMs?: number
  /** By which it is late. */
  clock?: Pick<Clock, 'sleep'>
}

/** What was looked at is what is connected to. Refuses a name with any private address, so that no channel
 * reaches our networks; of several IPv4 ones one by chance. */
async function addressOf(name: string, { isLocal, resolve = systemResolve }: Reach): Promise<string> {
  const host = name.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
  if (!isLocal && !addresses.every(isPublicAddress)) throw new NotReceived('private_address')
  const older = addresses.filter((address) => isIP(address) === 4)
  const chosen = older[Math.floor(Math.random() * older.length)] ?? addresses[0]
  if (chosen === undefined) throw new NotReceived('unreachable', 'name')
  return chosen
}

const systemResolve = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

type Post = { url: string; headers: Record<string, string>; body: string }

/** Ends what is sent at the deadline: a receiver that goes on talking would keep it for good. */
async function inTime(
  withinMs: number,
  { clock, ...reach }: Reach,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController()
  const late = (): never => {
    over.abort()
    throw new NotReceived('timeout')
  }
  await withDeadline(reach.withinMs ?? withinMs, send(over.signal), late, clock)
}

/** To the address that was checked, under the name that was asked for, without redirects, within five
 * seconds. Throws NotReceived unless the status is 2xx. */
async function post({ url, headers, body }: Post, reach: Reach): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol !== 'https:') throw new NotReceived('failed', 'no https address')
  await inTime(5_000, reach, async (signal) => {
    const address = await addressOf(target.hostname, reach)
    const answer = await answerOf(target, address, { headers, body, signal, ca: reach.ca })
    if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer)
  })
}

type Answer = { status: number; retryAfter: string | undefined; text: string }

/** A refusal as HTTP has it, and as Telegram says more of it in `parameters`. */
function refusalOf({ status, retryAfter, text }: Answer): NotReceived {
  const seconds = Number(retryAfter ?? /"retry_after": ?(\d{1,5})\b/.exec(text)?.[1] ?? 0)
  const problem = text.includes('"migrate_to_chat_id":') ? 'chat_moved' : statusProblem(status)
  return new NotReceived(problem, `${status}`, Math.min(3_600, seconds || 0) * 1_000)
}

type Sent = Omit<Post, 'url'> & { signal: AbortSignal; ca: string | undefined }

function answerOf(target: URL, address: string, { headers, body, signal, ca }: Sent): Promise<Answer> {
  const name = target.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new NotReceived('timeout'))
    const call = request(
      {
        method: 'POST',
        hostname: address,
        port: target.port || 443,
        path: `${target.pathname}${target.search}`,
        headers: { ...headers, host: target.host, 'content-length': `${Buffer.byteLength(body)}` },
        // An address is no name that could be asked for.
        ...(isIP(name) === 0 && { servername: name }),
        ...(ca !== undefined && { ca }),
        agent: false,
        signal,
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer
        let text = ''
        const done = () => {
          resolve({ status, retryAfter: headers['retry-after'], text })
          answer.destroy()
        }
        if (status < 400) return done()
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
          if (text.length > 4_096) done()
        })
        answer.on('close', done)
      },
    )
    call.on('error', (error) => reject(new NotReceived(problemOf(error), codeOf(error))))
    call.end(body)
  })
}

const codeOf = (error: unknown): string => `${(error as { code?: unknown }).code ?? 'unknown'}`

/** Of a connection that failed, or of a mail server that refuses. */
function problemOf(error: unknown): DeliveryProblem {
  const { responseCode = 0, message } = error as Error & { responseCode?: number }
  const code = codeOf(error)
  if (code === 'EAUTH') return 'login_refused'
  if (code === 'EENVELOPE') return 'recipient_refused'
  if (/CERT|TLS|SSL|ISSUER|SIGNED/i.test(code)) return 'tls'
  // nodemailer has one code for all that befalls a socket.
  if (code === 'ESOCKET') return /cert|tls|ssl|altname|signed/i.test(message) ? 'tls' : 'unreachable'
  if (/TIMEDOUT|TIMEOUT|ABORT/i.test(code)) return 'timeout'
  if (responseCode >= 400 && /^E(CONNECTION|PROTOCOL)$/.test(code)) return 'greeting_refused'
  if (responseCode >= 400) return statusProblem(responseCode)
  return /^E(CONN|HOST|NET|PIPE|ADDR|SOCKET|NOTFOUND|AI_|DNS)|Connection/i.test(code)
    ? 'unreachable'
    : 'failed'
}

function statusProblem(status: number): DeliveryProblem {
  if (status >= 300 && status < 400) return 'redirect'
  if (status === 401 || status === 403) return 'not_allowed'
  if (status === 429) return 'throttled'
  return status >= 500 ? 'status_5xx' : 'status_4xx'
}
