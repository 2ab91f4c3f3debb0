import type { Logger } from 'pino'

type Options = {
  /** The first port tried; the next nine where others on this host have it. */
  port: number
  read: () => Promise<string>
  contentType: string
  isHealthy: () => boolean
  log: Pick<Logger, 'warn' | 'info'>
}

const ports = 10

/**
 * `/metrics` for Prometheus and `/health` for the container engine, on a port that no proxy passes on.
 * Several workers on one host take the next free ports; a worker without any works all the same.
 */
export function serveMetrics({ port: first, read, contentType, isHealthy, log }: Options) {
  for (let port = first; port < first + ports && port <= 65_535; port++) {
    try {
      const server = Bun.serve({
        port,
        hostname: '0.0.0.0',
        async fetch({ url }) {
          const { pathname } = new URL(url)
          if (pathname === '/metrics')
            return new Response(await read(), { headers: { 'content-type': contentType } })
          if (pathname === '/health')
            return isHealthy() ? new Response('ok\n') : new Response('not ready\n', { status: 503 })
          return new Response('Not found\n', { status: 404 })
        },
        error: () => new Response('The metrics could not be read.\n', { status: 500 }),
      })
      log.info({ port }, 'metrics are served')
      return server
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  log.warn(
    { port: first },
    `metrics are not served: METRICS_PORT + 1 and the ${ports - 1} after it are taken`,
  )
  return undefined
}
