import { Elysia, NotFoundError } from 'elysia'
import { RaffleError } from '../core/errors.ts'
import type { Deps } from './deps.ts'
import { asRaffleError, bugResponse, errorResponse } from './errors.ts'
import { requestIdOf } from './request-id.ts'
import { adminRoutes } from './routes/admin/index.ts'
import { healthRoutes } from './routes/health.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { liveRoutes } from './routes/live.ts'
import { publicRoutes } from './routes/public.ts'
import { ticketRoutes } from './routes/tickets.ts'

/** The whole API on what it depends on; tests call `handle` on it without a port. */
export const createApp = (deps: Deps) =>
  new Elysia({ serve: { idleTimeout: 30 } })
    .onError(({ error, request }) => {
      const requestId = requestIdOf(request)
      const cors = corsHeaders(request, deps.allowedOrigins)
      if (error instanceof NotFoundError) return notFound(request, requestId, cors)
      const expected = asRaffleError(error)
      if (expected) return errorResponse(expected, requestId, cors)
      deps.log.error({ requestId, error, path: new URL(request.url).pathname }, 'unexpected error')
      return bugResponse(requestId)
    })
    .use(publicRoutes(deps))
    .use(ticketRoutes(deps))
    .use(ledgerRoutes(deps))
    .use(liveRoutes(deps))
    .use(healthRoutes(deps))
    .use(adminRoutes(deps))

export type App = ReturnType<typeof createApp>

const notFound = (request: Request, requestId: string, headers: Record<string, string>): Response =>
  errorResponse(
    new RaffleError('NOT_FOUND', `There is no ${request.method} ${new URL(request.url).pathname}.`),
    requestId,
    headers,
  )

/** Bearer calls are answered to exactly the origins that were named. */
function corsHeaders(request: Request, allowedOrigins: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin')
  return origin && allowedOrigins.includes(origin)
    ? { 'access-control-allow-origin': origin, vary: 'Origin' }
    : {}
}
