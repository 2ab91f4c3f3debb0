import type { Logger } from 'pino'
import { collectDefaultMetrics, type Registry } from 'prom-client'

type Options = {
  port: number
  /** How many are tried from there on: several processes of one host take one each. */
  ports?: number
  hostname: string
  read: () => Promise<string>
  contentType: string
  /** What the container engine is told; left out, it is not asked here. */
  isHealthy?: () => boolean
  log: Pick<Logger, 'info' | 'warn'>
}

/** `/metrics` and `/health`, on a port that no proxy passes on. Where every port is taken the process goes on without. */
export function serveMetrics({ port, ports = 1, hostname, read, contentType, isHealthy, log }: Options) {
  let reason = 'there is no such port'
  for (let at = port; at < port + ports && at <= 65_535; at++) {
    try {
      const server = Bun.serve({
        port: at,
        hostname,
        async fetch({ url }) {
          const { pathname } = new URL(url)
          if (pathname === '/metrics')
            return new Response(await read(), { headers: { 'content-type': contentType } })
          if (pathname === '/health' && isHealthy)
            return isHealthy() ? new Response('ok\n') : new Response('not ready\n', { status: 503 })
          return new Response('Not found\n', { status: 404 })
        },
        error: () => new Response('The metrics could not be read.\n', { status: 500 }),
      })
      log.info({ port: at }, 'metrics are served')
      return server
    } catch (error) {
      reason = (error as Error).message
    }
  }
  log.warn({ port, ports, reason }, 'metrics are not served')
  return undefined
}

/** All but `nodejs_heap_space_*`, which the runtime has none of: to be asked for them it walks the whole heap, some 50 ms. */
export function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 })
  for (const size of ['total', 'used', 'available'])
    register.removeSingleMetric(`nodejs_heap_space_size_${size}_bytes`)
}
