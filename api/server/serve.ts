import { isTooLong } from '../http/body.ts'
import { answerError } from '../http/errors.ts'
import type { LiveAnswer } from '../live/routes.ts'
import type { Metrics } from './metrics.ts'
import type { PublicAnswer } from './public-answers.ts'

type Served = {
  answers: ReadonlyMap<string, PublicAnswer>
  live: LiveAnswer
  metrics: Pick<Metrics, 'countStream'>
  handle: (request: Request, server: Bun.Server<undefined>) => Promise<Response>
  /** Handlers ask the server for the peer's address. */
  routes: { server: unknown }
}

type Options = {
  /** 0 picks a free one. */
  port: number
  /** LISTEN_HOST: which of this machine's addresses. */
  hostname: string
  log: Parameters<typeof answerError>[2]
}

/** Quiet streams have a beat every 5 s; a client that reads nothing for this long is gone. */
const idleSeconds = 30
/** Far above our own limits, which answer with an error code; this only bounds memory. */
const bodyBytes = 64 * 1024 * 1024

/** Serves the app on a port. Public calls and streams are in the server's own route table, all others go to `handle`. */
export function serve(app: Served, { port, hostname, log }: Options) {
  const quick =
    (answer: PublicAnswer) =>
    (request: Request): Response | Promise<Response> => {
      try {
        if (!isTooLong(request)) return answer(request)
      } catch {
        // `handle` answers with the error.
      }
      return app.handle(request, server)
    }
  const openStream = quick((request) => {
    const response = app.live({ request, server })
    app.metrics.countStream()
    return response
  })
  const server = Bun.serve({
    port,
    hostname,
    idleTimeout: idleSeconds,
    maxRequestBodySize: bodyBytes,
    routes: {
      ...Object.fromEntries(
        [...app.answers].map(([path, answer]) => {
          const GET = quick(answer)
          return [path, { GET, HEAD: GET }]
        }),
      ),
      '/api/live': { GET: openStream },
    },
    fetch: (request, server) => app.handle(request, server),
    error: (error) => answerError(error, new Request('http://localhost/'), log),
  })
  app.routes.server = server
  return server
}
