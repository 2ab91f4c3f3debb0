import { Counter, Gauge, Registry } from 'prom-client'
import { collectProcessMetrics } from '../../core/server/metrics-server.ts'
import type { LiveHub } from '../live/hub.ts'
import { type LiveState, parts, publicPaths } from '../live/state.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics of this process. Public calls add to a plain array, which is turned into series when the metrics
 * are read, so counting costs them almost nothing. */
export function createMetrics(state: LiveState, hub: LiveHub) {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const requests = new Counter({
    name: 'blockdraw_api_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect: () => {
      for (const [index, part] of parts.entries())
        for (const [status, offset] of [
          ['200', 0],
          ['304', 1],
        ] as const) {
          const slot = index * 2 + offset
          requests.inc({ route: publicPaths[part], method: 'GET', status }, publicHits[slot])
          publicHits[slot] = 0
        }
      requests.inc({ route: '/api/live', method: 'GET', status: '200' }, streamsOpened)
      streamsOpened = 0
    },
  })
  const publicHits = new Float64Array(parts.length * 2)
  let streamsOpened = 0
  let inFlight = 0

  gauge(
    'blockdraw_api_requests_in_flight',
    'Requests that have no answer yet, streams left out.',
    () => inFlight,
  )
  gauge('blockdraw_live_streams', 'Open streams of /api/live.', () => hub.count)
  gauge('blockdraw_state_stale', '1 while the database does not answer.', () => Number(state.isStale))

  function gauge(name: string, help: string, read: () => number): void {
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
  }

  return {
    registry,
    /** Counts a public call answered from memory: `slot` is twice the part's index, plus 1 for a 304. */
    countPublic(slot: number): void {
      publicHits[slot] = (publicHits[slot] as number) + 1
    },
    countStream(): void {
      streamsOpened++
    },
    addInFlight(change: 1 | -1): void {
      inFlight += change
    },
    count(route: string, method: string, status: number): void {
      requests.inc({ route, method, status: `${status}` })
    },
  }
}
