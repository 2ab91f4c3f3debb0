import { randomUUID } from 'node:crypto'

type Options = { apiUrl: string; token: string }

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Proxies a request to the API, streaming bodies both ways; when the visitor disconnects, the request to the
 * API is cancelled too. The visitor's address is set here; the request's own headers for it are ignored.
 */
export function apiProxy({ apiUrl, token }: Options) {
  return async (request: Request, peer: string): Promise<Response> => {
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
      return unavailable()
    }
  }
}

function unavailable(): Response {
  const text = 'The service is being started. Please try again in a moment.'
  const body = { code: 'API_UNAVAILABLE', error: text, message: text, requestId: randomUUID() }
  return Response.json(body, { status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } })
}
