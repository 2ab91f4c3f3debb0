import { isIP } from 'node:net'
import { RaffleError } from '../../core/errors.ts'
import { hostNameOf } from '../../core/server/witnesses.ts'
import type { Deps } from '../deps.ts'
import { type Call, visitors } from './client-address.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Headers that a page of another origin may send: those of our own calls and of uncached polling (docs/spec.md). */
const allowedHeaders = 'Authorization, Content-Type, If-None-Match, Cache-Control, Pragma, Last-Event-ID'
const preflightSeconds = '7200'

/** Everyone may read public answers; none depends on the caller. */
export const isPublicRead = (path: string, method: string): boolean =>
  (method === 'GET' || method === 'HEAD') && !path.startsWith('/api/admin')

/** Refuses a change requested by a page of a foreign origin. Without Origin no page asks; the site's own
 * names the host it was sent to, or `forwardedHost`. */
export function expectOrigin(
  request: Request,
  allowedOrigins: readonly string[],
  forwardedHost: string | null,
): void {
  const origin = request.headers.get('origin')
  if (reading.has(request.method) || origin === null || allowedOrigins.includes(origin)) return
  const own = request.headers.get('host') ?? new URL(request.url).host
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  if (host !== '' && (host === own || host === forwardedHost)) return
  throw new RaffleError('ORIGIN_DENIED', { reason: 'page' })
}

/** Lets pages of other origins read an answer: every page public ones, listed origins the rest. */
export function corsHeaders(
  origin: string | null,
  isPublic: boolean,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (isPublic) return { 'access-control-allow-origin': '*' }
  // Also without an origin, so that no cache serves one origin's answer to another.
  if (origin === null || !allowedOrigins.includes(origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id, content-disposition',
  }
}

export function preflight(
  request: Request,
  path: string,
  methods: readonly string[],
  allowedOrigins: readonly string[],
): Response {
  const asked = request.headers.get('access-control-request-method')
  const headers = new Headers({ allow: methods.join(', ') })
  if (asked !== null) {
    const cors = corsHeaders(request.headers.get('origin'), isPublicRead(path, asked), allowedOrigins)
    for (const [name, value] of Object.entries(cors)) headers.set(name, value)
    headers.append('vary', 'Access-Control-Request-Method')
    if (cors['access-control-allow-origin']) {
      headers.set('access-control-allow-methods', methods.join(', '))
      headers.set('access-control-allow-headers', allowedHeaders)
      headers.set('access-control-max-age', preflightSeconds)
    }
  }
  return new Response(null, { status: 204, headers })
}

/** Names that cannot be registered: loopback, containers and services of one network. */
const ownNames = /^[^.]+$|\.(localhost|local|internal)$/

/** Refuses a foreign Host (421; DNS rebinding). Without ALLOWED_ORIGINS and PUBLIC_API_URL any is ours;
 * addresses and names that nobody can register always are. */
export function hostCheck(urls: readonly string[]) {
  const names = new Set(urls.map((url) => new URL(url).hostname.toLowerCase()))
  let lastGood: string | undefined

  return (host: string | null): void => {
    if (host === null || host === lastGood) return
    const name = hostNameOf(host)
    if (name === undefined || (names.size > 0 && !names.has(name) && !isIP(name) && !ownNames.test(name)))
      throw new RaffleError('MISDIRECTED', { reason: 'host' })
    lastGood = host
  }
}

/** The site that a message may be signed on: one of ALLOWED_ORIGINS, the page's own first; without any, the
 * host that the call was sent to. Wallets compare it with the page. */
export function siteOrigins({
  allowedOrigins,
  addresses,
  isDevelopment,
}: Pick<Deps, 'allowedOrigins' | 'addresses' | 'isDevelopment'>) {
  const { isPassedOn } = visitors(addresses)

  /** What the call was sent to, by both schemes. */
  function namedOf(call: Call): string[] {
    const { headers, url } = call.request
    const forwarded = isPassedOn(call) ? headers.get('x-forwarded-host') : null
    const host = headers.get('host') ?? new URL(url).host
    return [...(forwarded ? [forwarded] : []), host].flatMap((one) =>
      ['https', 'http'].flatMap((scheme) =>
        URL.canParse(`${scheme}://${one}`) ? new URL(`${scheme}://${one}`).origin : [],
      ),
    )
  }
  /** In production only ALLOWED_ORIGINS names the site: without it a caller's Host would choose the domain of
   * what holders sign. What `bun run start` runs beside its own site is not meant. */
  function ownOf(call: Call): string[] {
    if (allowedOrigins.length > 0) return [...allowedOrigins]
    if (isDevelopment !== true && addresses.siteProxyToken === undefined)
      throw new RaffleError('MISDIRECTED', { reason: 'site' })
    return namedOf(call)
  }
  return {
    /** What a new message names. Throws MISDIRECTED. */
    originOf(call: Call): string {
      const own = ownOf(call)
      const page = call.request.headers.get('origin')
      const meant =
        allowedOrigins.length > 0
          ? namedOf(call).find((one) => own.includes(one))
          : own.find((one) => one.startsWith('http:') && isLocal(new URL(one).hostname))
      const origin = page && own.includes(page) ? page : (meant ?? own[0])
      if (!origin) throw new RaffleError('MISDIRECTED', { reason: 'host' })
      return origin
    },
    /** Throws MISDIRECTED. */
    isOwn: (origin: string, call: Call): boolean => ownOf(call).includes(origin),
  }
}

export type SiteOrigins = ReturnType<typeof siteOrigins>

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || /^127\.|^10\.|^192\.168\./.test(hostname)

/** On every answer: no sniffing of types, no scripts, no frames, no referrer. */
export const safeHeaders = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Only over https: a local server without it must stay reachable.
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
