import type { Logger } from 'pino'
import type { Registry } from 'prom-client'

type Options = { port: number; isDevelopment: boolean; log: Pick<Logger, 'warn'> }

/**
 * Serves the series on a port of their own, which no proxy passes on: to this machine alone in development, to
 * the network of the containers in production. A taken port must not stop the API: it warns, and goes on
 * without.
 */
export function serveMetrics(registry: Registry, { port, isDevelopment, log }: Options) {
  try {
    return Bun.serve({
      port,
      hostname: isDevelopment ? '127.0.0.1' : '0.0.0.0',
      async fetch({ url }) {
        if (new URL(url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
        return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
      },
      error: () => new Response('The metrics could not be read.\n', { status: 500 }),
    })
  } catch (error) {
    log.warn({ port, error: (error as Error).message }, 'metrics are not served: METRICS_PORT is taken')
    return undefined
  }
}
