import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { DeliveryProblem } from '../../core/notify/kinds.ts'
import { type Clock, withDeadline } from '../../core/server/time.ts'
import { isPublicAddress } from '../../core/server/witnesses.ts'

/** Why a message was not received, for its row and the log; never with what was sent or answered. */
export class NotReceived extends Error {
  override name = 'NotReceived'
  constructor(
    readonly problem: DeliveryProblem,
    detail = '',
  ) {
    super(detail ? `${problem}: ${detail}` : problem)
  }
}

/** How far out senders may go. */
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

/**
 * Resolves a name once: what was looked at is what is connected to. Refuses a name with any address that is not of the
 * internet at large, so that no channel reaches the networks behind this server by asking again. Of several it is one by
 * chance, so that another try may have another; IPv6 only where there is nothing else.
 */
export async function addressOf(name: string, { isLocal, resolve = systemResolve }: Reach): Promise<string> {
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
export async function inTime(
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

/**
 * One https request to the address that was checked, under the name that was asked for. No redirect is followed, what is
 * answered is not read, and all of it takes five seconds at most. Throws NotReceived unless the status is 2xx.
 */
export async function post({ url, headers, body }: Post, reach: Reach): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol !== 'https:') throw new NotReceived('failed', 'no https address')
  await inTime(5_000, reach, async (signal) => {
    const address = await addressOf(target.hostname, reach)
    const status = await statusOf(target, address, { headers, body, signal, ca: reach.ca })
    if (status >= 300 && status < 400) throw new NotReceived('redirect', `${status}`)
    if (status < 200 || status >= 400)
      throw new NotReceived(status >= 500 ? 'status_5xx' : 'status_4xx', `${status}`)
  })
}

type Sent = Omit<Post, 'url'> & { signal: AbortSignal; ca: string | undefined }

function statusOf(target: URL, address: string, { headers, body, signal, ca }: Sent): Promise<number> {
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
        resolve(answer.statusCode ?? 0)
        answer.destroy()
      },
    )
    call.on('error', (error) => reject(new NotReceived(problemOf(error), codeOf(error))))
    call.end(body)
  })
}

export const codeOf = (error: unknown): string => `${(error as { code?: unknown }).code ?? 'unknown'}`

/** Of a connection that failed. */
export function problemOf(error: unknown): DeliveryProblem {
  const code = codeOf(error)
  if (/CERT|TLS|SSL|ISSUER|SIGNED/i.test(code)) return 'tls'
  if (/TIMEDOUT|TIMEOUT|ABORT/i.test(code)) return 'timeout'
  return /^E(CONN|HOST|NET|PIPE|ADDR|SOCKET|NOTFOUND|AI_|DNS)|Connection/i.test(code)
    ? 'unreachable'
    : 'failed'
}
