import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { passedOn } from './client-address.ts'
import type { RouteContext } from './route.ts'

type Call = Pick<RouteContext, 'request' | 'server'>

/**
 * The site that a message may be signed on: one of ALLOWED_ORIGINS, of which the page's own comes first; without any, the host
 * that the call was sent to, as one of our proxies names it. Wallets compare it with the page that asks for the signature.
 * A page's GET to its own site carries no Origin: its host tells then which of ALLOWED_ORIGINS it is.
 */
export function siteOrigins({
  allowedOrigins,
  addresses,
  isDevelopment,
}: Pick<Deps, 'allowedOrigins' | 'addresses' | 'isDevelopment'>) {
  const isPassedOn = passedOn(addresses)

  /** What the call was sent to, by both schemes. */
  function namedOf({ request, server }: Call): string[] {
    const { headers } = request
    const peer = server?.requestIP(request)?.address
    const forwarded = isPassedOn(request, peer) ? headers.get('x-forwarded-host') : null
    const host = headers.get('host') ?? new URL(request.url).host
    return [...(forwarded ? [forwarded] : []), host].flatMap((one) =>
      ['https', 'http'].flatMap((scheme) =>
        URL.canParse(`${scheme}://${one}`) ? new URL(`${scheme}://${one}`).origin : [],
      ),
    )
  }
  /**
   * In production only ALLOWED_ORIGINS names the site: without it a caller's Host would choose the domain of what holders sign.
   * What `bun run start` runs beside its own site is not meant.
   */
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
