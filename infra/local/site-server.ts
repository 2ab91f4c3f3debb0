import { randomUUID } from 'node:crypto'
import { errors } from '../../core/errors.ts'
import { hostNameOf } from '../../core/server/witnesses.ts'
import { siteFiles } from './site-files.ts'
import { apiProxy } from './site-proxy.ts'

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
  const proxy = apiProxy({ apiUrl, token })
  return Bun.serve({
    port,
    hostname,
    idleTimeout: 60,
    maxRequestBodySize: 64 * 1024 * 1024, // the API's own limits are far below; this only bounds memory
    async fetch(request, server) {
      const host = request.headers.get('host')
      // Of a malformed name no URL can be made.
      if (host !== null && hostNameOf(host) === undefined) return misdirected()
      const { pathname } = new URL(request.url)
      if (beaconUrl && pathname.startsWith(`${beaconPath}/`))
        return fetch(`${beaconUrl}${pathname.slice(beaconPath.length)}`, { redirect: 'manual' })
      const isPage = isFilled(pathname) && ['GET', 'HEAD'].includes(request.method)
      const isCall = pathname === '/api' || pathname.startsWith('/api/') || pathname === '/theme.css'
      if (!isPage && !isCall) return files(request)
      server.timeout(request, 0) // a quiet stream is not idle
      const answer = await proxy(request, server.requestIP(request)?.address ?? '127.0.0.1')
      return isPage && answer.status >= 500 ? files(request) : answer
    },
    error: () => new Response('Something went wrong.', { status: 500 }),
  })
}

/** As the API answers it. */
function misdirected(): Response {
  const text = 'This server does not answer for that host.'
  const body = { code: 'MISDIRECTED', error: text, message: text, requestId: randomUUID() }
  return Response.json(body, {
    status: errors.MISDIRECTED.status,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  })
}
