import { $config, $drawStatus } from '../live/live.ts'

/**
 * While the round of a draw is awaited, this visitor's page fetches it too and hands it in: so nobody can pretend that it
 * is not there. Runs for the whole visit; what does the work loads when it is needed.
 */
export function watchBeacon(): void {
  let delivery: { key: string; stop: AbortController } | undefined
  const look = () => {
    const [config, status] = [$config.get(), $drawStatus.get()]
    const round = config?.beaconRound
    const isAwaited = status?.beacon === 'awaited' && !status.isRefundMode && round
    const key = isAwaited ? `${config.eventNumber} ${round}` : undefined
    if (delivery?.key === key) return
    delivery?.stop.abort()
    delivery = undefined
    if (!isAwaited || !key) return
    const stop = new AbortController()
    delivery = { key, stop }
    const { eventNumber } = config
    const dueAt = Date.parse(status.beaconDueAt ?? '') || 0
    void import('./carry.ts').then(({ carry }) => carry({ eventNumber, round, dueAt, signal: stop.signal }))
  }
  $config.listen(look)
  $drawStatus.subscribe(look)
}
