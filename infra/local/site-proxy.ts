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
 * Passes a request on to the API, bodies streaming both ways; when the visitor leaves, the request to the API
 * is cut too. The visitor's address is told by us alone, whatever the request says.
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
