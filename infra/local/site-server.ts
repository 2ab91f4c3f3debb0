import { randomUUID } from 'node:crypto'
import { errors } from '../../core/errors.ts'
import { hostNameOf } from '../../core/server/witnesses.ts'
import { siteFiles } from './site-files.ts'

type Options = {
  dir: string
  /** 0: a free one. */
  port: number
  /** LISTEN_HOST: which of this machine's addresses. */
  hostname?: string | undefined
  apiUrl: string
  /** Relay of the local beacon, which the pages reach on their own origin. */
  beaconUrl?: string | undefined
  /** Proves to the API that a request comes through this server; new at every start. */
  token: string
}

/** The pages' path to the relay of the local beacon. */
export const beaconPath = '/local-beacon'

/** What the API fills; the built pages while it is away. */
const isFilled = (path: string): boolean =>
  /^(\/ko)?\/((e\/[1-9]\d{0,8}|terms|privacy)\/?)?$/.test(path) || path === '/ko' || path === '/sitemap.xml'

/** Does the work of the web server in production: serves the built pages and proxies `/api` on the same origin. */
export function serveSite({ dir, port, hostname = '127.0.0.1', apiUrl, beaconUrl, token }: Options) {
  const files = siteFiles(dir)
  return Bun.serve({
    port,
    hostname,
    idleTimeout: 60,
    maxRequestBodySize: 64 * 1024 * 1024, // the API's own limits are far below; this only bounds memory
    async fetch(request, server) {
      const host = request.headers.get('host')
      // Of a malformed name no URL can be made.
      if (host !== null && hostNameOf(host) === undefined)
        return refusal('MISDIRECTED', errors.MISDIRECTED.status, 'This server does not answer for that host.')
      const { pathname } = new URL(request.url)
      if (beaconUrl && pathname.startsWith(`${beaconPath}/`))
        return fetch(`${beaconUrl}${pathname.slice(beaconPath.length)}`, { redirect: 'manual' })
      const isPage = isFilled(pathname) && ['GET', 'HEAD'].includes(request.method)
      const isCall = pathname === '/api' || pathname.startsWith('/api/') || pathname === '/theme.css'
      if (!isPage && !isCall) return files(request)
      server.timeout(request, 0) // a quiet stream is not idle
      const answer = await passOn(request, server.requestIP(request)?.address ?? '127.0.0.1', {
        apiUrl,
        token,
      })
      return isPage && answer.status >= 500 ? files(request) : answer
    },
    error: () => new Response('Something went wrong.', { status: 500 }),
  })
}

const hopByHop = 'connection keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' ')

/**
 * Proxies a request to the API, streaming bodies both ways; when the visitor disconnects, the request to the
 * API is cancelled too. The visitor's address is set here; the request's own headers for it are ignored.
 */
async function passOn(
  request: Request,
  peer: string,
  { apiUrl, token }: Pick<Options, 'apiUrl' | 'token'>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const name of [...hopByHop, 'forwarded', 'x-real-ip']) headers.delete(name)
  headers.set('x-forwarded-for', peer)
  headers.set('x-site-proxy', token)
  const leave = new AbortController()
  request.signal.addEventListener('abort', () => leave.abort(), { once: true })
  try {
    const response = await fetch(`${apiUrl}${pathname}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      decompress: false,
      signal: leave.signal,
      timeout: false,
    } as RequestInit)
    const passed = new Headers(response.headers)
    for (const name of hopByHop) passed.delete(name)
    return new Response(response.body, { status: response.status, headers: passed })
  } catch {
    const text = 'The service is being started. Please try again in a moment.'
    return refusal('API_UNAVAILABLE', 503, text, { 'retry-after': '1' })
  }
}

/** As the API answers. */
function refusal(code: string, status: number, text: string, more: Record<string, string> = {}): Response {
  const headers = { ...more, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return Response.json({ code, error: text, message: text, requestId: randomUUID() }, { status, headers })
}
