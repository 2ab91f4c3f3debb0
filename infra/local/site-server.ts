import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { accepts, matches } from '../../api/http/ready.ts'
import { errors } from '../../core/errors.ts'
import { pageHeaders } from '../../core/server/page-headers.ts'
import { hostNameOf } from '../../core/server/witnesses.ts'
import { headersOf } from '../caddy/site-headers.ts'

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

/** Proxies a request to the API, streaming bodies both ways; when the visitor disconnects, the request to the
 * API is cancelled too. The visitor's address is set here; the request's own headers for it are ignored. */
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
  try {
    const response = await fetch(`${apiUrl}${pathname}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      decompress: false,
      signal: request.signal,
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

function refusal(code: string, status: number, text: string, more: Record<string, string> = {}): Response {
  const headers = { ...more, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return Response.json({ code, error: text, message: text, requestId: randomUUID() }, { status, headers })
}

const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves the files that a directory has now: `/admin` is `admin/index.html`, an unknown path is `404.html`,
 * and one page stands for that of each event. Links and hidden files are none of them. @internal */
export function siteFiles(dir: string): (request: Request) => Promise<Response> {
  const names = new Set(new Bun.Glob('**/*').scanSync(dir))
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { ...pageHeaders, allow: 'GET, HEAD' } })
    const found = namesOf(new URL(request.url).pathname).find((name) => names.has(name))
    if (found) return answer(request, dir, names, found)
    const headers = { ...headersOf('404.html'), 'content-type': 'text/html; charset=utf-8' }
    return new Response(Bun.file(join(dir, '404.html')), { status: 404, headers })
  }
}

/** Candidate files for a path; none for a malformed path. */
function namesOf(pathname: string): string[] {
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return []
  }
  const event = /^(\/ko)?\/e\/[1-9]\d{0,8}\/?$/.exec(path)
  if (event) return [`_event/${event[1] ? 'ko' : 'en'}.html`]
  const name = path.split('/').filter(Boolean).join('/')
  if (/^_event\/|\.(br|gz)$/.test(name)) return []
  if (name === '') return ['index.html']
  return path.endsWith('/') ? [`${name}/index.html`] : [name, `${name}/index.html`, `${name}.html`]
}

/** The build put a compressed copy beside every larger text; each encoding needs its own strong ETag. */
async function answer(request: Request, dir: string, names: ReadonlySet<string>, name: string) {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const coding = codings.find(([word, ending]) => accepts(accepted, word) && names.has(name + ending))
  const bytes = await Bun.file(join(dir, name + (coding?.[1] ?? ''))).bytes()
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const { type } = Bun.file(name)
  const headers = {
    ...headersOf(name),
    etag,
    'content-type': type.startsWith('text/html') ? 'text/html; charset=utf-8' : type,
    vary: 'accept-encoding',
    ...(coding && { 'content-encoding': coding[0] }),
  }
  if (matches(request.headers.get('if-none-match') ?? '', etag))
    return new Response(null, { status: 304, headers })
  return new Response(bytes, { headers })
}
