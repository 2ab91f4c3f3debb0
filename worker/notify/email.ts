import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { ChannelSettings, DeliveryProblem } from '../../core/notify/kinds.ts'
import { isLoopbackAddress } from '../../core/server/public-address.ts'
import { withDeadline } from '../../core/server/time.ts'
import { type Message, plainText } from './message.ts'
import { addressesOf, NotReceived, overAddresses, problemOf, type Reach } from './reach.ts'

/** A mail server greets, checks and stores: slower than a webhook, and still shorter than the lease of a delivery. */
const withinMs = 15_000

/**
 * One plain mail. Its Message-ID is the notice's key, so that a second copy is known for one. At the deadline the connection is
 * closed: a server that goes on talking would keep it for good.
 */
export async function sendEmail(
  settings: ChannelSettings['email'],
  password: string | undefined,
  message: Message & { key: string },
  reach: Reach,
): Promise<void> {
  const over = new AbortController()
  const sending = send(settings, password, message, { ...reach, signal: over.signal })
  const late = (): never => {
    over.abort()
    throw new NotReceived('timeout')
  }
  await withDeadline(reach.withinMs ?? withinMs, sending, late, reach.clock)
}

type Signalled = Reach & { signal: AbortSignal }

async function send(
  settings: ChannelSettings['email'],
  password: string | undefined,
  message: Message & { key: string },
  reach: Signalled,
): Promise<void> {
  const addresses = await addressesOf(settings.host, reach)
  await overAddresses(addresses, (address) => sendTo(address, settings, password, message, reach))
}

async function sendTo(
  address: string,
  { host, port, security, user, from, to }: ChannelSettings['email'],
  password: string | undefined,
  { key, ...message }: Message & { key: string },
  { signal, ...reach }: Signalled,
): Promise<void> {
  if (security === 'none' && !(reach.isLocal && isLoopbackAddress(address))) throw new NotReceived('tls')
  const transport = createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(reach.ca !== undefined && { ca: reach.ca }) },
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    dnsTimeout: 5_000,
    // What a mail says comes from here alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      ...{ from, to, signal },
      subject: message.title,
      text: plainText({ ...message, title: '' }),
      messageId: `<${key}@${from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')}>`,
    })
  } catch (error) {
    const problem = mailProblem(error)
    const { command } = error as { command?: string }
    throw new NotReceived(problem, codeOf(error), problem === 'unreachable' && command === 'CONN')
  } finally {
    transport.close()
  }
}

const codeOf = (error: unknown): string => `${(error as { code?: unknown }).code ?? ''}`

function mailProblem(error: unknown): DeliveryProblem {
  const { responseCode = 0 } = error as { responseCode?: number }
  switch (codeOf(error)) {
    case 'EAUTH':
      return 'login_refused'
    case 'EENVELOPE':
      return 'recipient_refused'
    case 'ETLS':
      return 'tls'
    case 'ETIMEDOUT':
      return 'timeout'
    case 'ECONNECTION':
      return 'unreachable'
    case 'ESOCKET':
      return /cert|tls|ssl|altname|signed/i.test((error as Error).message) ? 'tls' : 'unreachable'
  }
  if (responseCode >= 500) return 'status_5xx'
  return responseCode >= 400 ? 'status_4xx' : problemOf(error)
}
