import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { DeliveryProblem } from '../../core/notify/kinds.ts'
import { isPublicAddress } from '../../core/server/public-address.ts'
import { type Clock, withDeadline } from '../../core/server/time.ts'

/** Why a message was not received, for its row and the log; never with what was sent or answered. */
export class NotReceived extends Error {
  override name = 'NotReceived'
  constructor(
    readonly problem: DeliveryProblem,
    detail = '',
    /** Not even a connection came about, so nothing can have been received. */
    readonly isNobodyThere = false,
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

const withinMs = 5_000

/** More than any sender of messages has; the rest could only use up the time. */
const mostAddresses = 4

/**
 * Resolves a name once: what was looked at is what is connected to. Refuses a name with any address that is not of the
 * internet at large, so that no channel reaches the networks behind this server by asking again.
 */
export async function addressesOf(
  name: string,
  { isLocal, resolve = systemResolve }: Reach,
): Promise<readonly string[]> {
  const host = name.replace(/^\[|\]$/g, '')
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch(() => {
          throw new NotReceived('name_unknown')
        })
      : [host]
  if (addresses.length === 0) throw new NotReceived('name_unknown')
  if (!isLocal && !addresses.every(isPublicAddress)) throw new NotReceived('private_address')
  return addresses.slice(0, mostAddresses)
}

const systemResolve = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Tries one address after the other as long as nobody is there: then nothing was sent. Anything else is an answer, and a
 * second try could be a second message.
 */
export async function overAddresses<T>(
  addresses: readonly string[],
  send: (address: string) => Promise<T>,
): Promise<T> {
  for (const address of addresses.slice(0, -1))
    try {
      return await send(address)
    } catch (error) {
      if (!(error instanceof NotReceived) || !error.isNobodyThere) throw error
    }
  return send(addresses.at(-1) as string)
}

type Post = { url: string; headers: Record<string, string>; body: string }

/**
 * One https request to the address that was checked, under the name that was asked for. No redirect is followed, what is
 * answered is not read, and all of it takes five seconds at most. Throws NotReceived unless the status is 2xx.
 */
export async function post({ url, headers, body }: Post, reach: Reach): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol !== 'https:') throw new NotReceived('bad_address')
  const over = new AbortController()
  const sending = (async () => {
    const addresses = await addressesOf(target.hostname, reach)
    return overAddresses(addresses, (address) =>
      statusOf(target, address, { headers, body, signal: over.signal, ca: reach.ca }),
    )
  })()
  const late = (): never => {
    over.abort()
    throw new NotReceived('timeout')
  }
  expectReceived(await withDeadline(reach.withinMs ?? withinMs, sending, late, reach.clock))
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
    call.on('error', (error) => reject(new NotReceived(problemOf(error), codeOf(error), wasRefused(error))))
    call.end(body)
  })
}

function expectReceived(status: number): void {
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new NotReceived('redirect', `${status}`)
  throw new NotReceived(status >= 500 ? 'status_5xx' : 'status_4xx', `${status}`)
}

const codeOf = (error: unknown): string => `${(error as { code?: unknown }).code ?? 'unknown'}`

const wasRefused = (error: unknown): boolean =>
  /^(ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(codeOf(error))

/** Of a connection that failed. */
export function problemOf(error: unknown): DeliveryProblem {
  const code = codeOf(error)
  if (/CERT|TLS|SSL|ISSUER|SIGNED/i.test(code)) return 'tls'
  if (/TIMEDOUT|TIMEOUT|ABORT/i.test(code)) return 'timeout'
  if (/ENOTFOUND|EAI_|EDNS/i.test(code)) return 'name_unknown'
  return /^E(CONN|HOST|NET|PIPE|ADDR|SOCKET)|Connection/i.test(code) ? 'unreachable' : 'failed'
}
