import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { expectSize } from '../http/body.ts'
import { type Call, visitors } from '../http/client-address.ts'
import { answerError, type KnownPath, pathOf, requestIdOf, routeTable } from '../http/errors.ts'
import { corsHeaders, expectOrigin, isPublicRead, preflight, safeHeaders } from '../http/origin.ts'
import type { Metrics } from './metrics.ts'
import type { PublicAnswer } from './public-answers.ts'

type Routes = {
  routes: readonly { method: string; path: string }[]
  handle: (request: Request) => Promise<Response>
}
type Options = {
  routes: Routes
  answers: ReadonlyMap<string, PublicAnswer>
  metrics: Metrics
  checkHost: (host: string | null) => void
  isHttps: boolean
  /** Lets a call into the administrator area. */
  admit: (request: Request, address: string) => Promise<void>
}

/** Answered from memory: no rate limit. */
const free = new Set(['/api/live', '/api/health', '/api/ready', '/api/openapi.json'])

/** Checks size, host, path, origin, method and rate limit, in this order, runs the route and adds the
 * headers. The administrator area is admitted before anything else. */
export function createGateway(deps: Deps, { routes, answers, metrics, checkHost, isHttps, admit }: Options) {
  const find = routeTable(routes.routes)
  const { addressOf, isPassedOn } = visitors(deps.addresses)
  const always = safeHeaders(isHttps)
  const constant = Object.entries(always)
  // A buyer's page polls once a second; many buyers may share an address.
  const reads = deps.limits({ name: 'reads', calls: 200, inSeconds: 4 })
  const purchases = deps.limits({ name: 'purchases', calls: 60, inSeconds: 6 })

  async function handleAdmitted(call: Call, path: string, known: KnownPath) {
    const { request } = call
    const { method } = request
    const forwardedHost = isPassedOn(call) ? request.headers.get('x-forwarded-host') : null
    expectOrigin(request, deps.allowedOrigins, forwardedHost)
    if (!known.methods.includes(method)) throw methodNotAllowed(method, known)
    if (method === 'OPTIONS') return preflight(request, path, known.methods, deps.allowedOrigins)
    if (isAdminCall(path) || free.has(known.pattern)) return routes.handle(request)
    await (method === 'POST' ? purchases : reads).admit(addressOf(call))
    // The server drops the body itself; for the routes a HEAD is a GET.
    if (method === 'HEAD') Object.defineProperty(request, 'method', { value: 'GET' })
    return routes.handle(request)
  }

  const corsOf = ({ method, headers }: Request, path = '') =>
    corsHeaders(headers.get('origin'), isPublicRead(path, method), deps.allowedOrigins)

  function addHeaders(headers: Headers, request: Request, path: string | undefined): void {
    for (const [name, value] of constant) if (!headers.has(name)) headers.set(name, value)
    headers.set('x-request-id', requestIdOf(request))
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    for (const [name, value] of Object.entries(corsOf(request, path)))
      if (!headers.has(name)) headers.set(name, value)
  }

  return async (request: Request, server?: Call['server']): Promise<Response> => {
    metrics.addInFlight(1)
    try {
      return await answerTo({ request, server })
    } finally {
      metrics.addInFlight(-1)
    }
  }

  async function answerTo(call: Call): Promise<Response> {
    const { request } = call
    const { method } = request
    const path = pathOf(request.url)
    const known = path === undefined ? undefined : find(path)
    let response: Response
    try {
      // A preflight tells neither session nor device; it is answered from memory.
      if (path && method !== 'OPTIONS' && isAdminCall(path)) await admit(request, addressOf(call))
      expectSize(request)
      const answer = method === 'GET' || method === 'HEAD' ? answers.get(path ?? '') : undefined
      if (answer) return answer(request)
      checkHost(request.headers.get('host'))
      if (path === undefined || !known) throw new RaffleError('NOT_FOUND', { reason: 'call' })
      response = await handleAdmitted(call, path, known)
      addHeaders(response.headers, request, path)
    } catch (error) {
      // Made with all of its headers at once: a flood is answered thousands of times a second.
      response = answerError(error, request, deps.log, { ...always, ...corsOf(request, path) })
    }
    metrics.count(known?.pattern ?? 'unknown', method, response.status)
    // Answered before the end of the body: without this the server would wait for the rest. A flood of short ones is
    // cheaper on the connections that it has.
    const isShort =
      response.status === 429 && Number(request.headers.get('content-length') ?? Infinity) < shortBytes
    if (request.body && !request.bodyUsed && response.status >= 400 && !isShort)
      response.headers.set('connection', 'close')
    return response
  }
}

const shortBytes = 1_024

const isAdminCall = (path: string): boolean =>
  path.startsWith('/api/admin') || path.startsWith('/api/raffle/execute-draw')

const methodNotAllowed = (method: string, { methods }: KnownPath): RaffleError =>
  new RaffleError('METHOD_NOT_ALLOWED', { values: { method }, data: { allow: methods.join(', ') } })
