/** Each of prom-client's default metrics by itself: its types tell only of all of them at once. */
declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client'

  const register: (registry: Registry, config: { eventLoopMonitoringPrecision: number }) => void
  export default register
}
