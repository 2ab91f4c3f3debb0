import type { LiveBeat, LiveChange, LiveSnapshot, PublicState } from '../../../core/live/public.ts'
import { apiBase, getJson, type ResponseMeta } from '../shell/api.ts'

export type LiveSink = {
  snapshot(snapshot: LiveSnapshot): void
  change(change: LiveChange): void
  beat(beat: LiveBeat): void
  part(part: Partial<PublicState>, meta: ResponseMeta): void
  link(link: Link): void
}

/** `live` with the stream, `polling` without it, `offline` if neither works. */
export type Link = 'connecting' | 'live' | 'polling' | 'offline'

/** After this time without a stream the page begins to poll. */
const deadlineMs = 2_500
/** Heartbeats come every 5 s: after three missed ones the stream counts as dead. */
const deadMs = 16_000

const parts = [
  ['/api/raffle/config', 'config', 300],
  ['/api/raffle/stats', 'stats', 300],
  ['/api/tickets/recent', 'recent', 2_000],
  ['/api/raffle/winner', 'winner', 300],
  ['/api/raffle/winners', 'winners', 300],
  ['/api/raffle/prizes', 'prizes', 5_000],
  ['/api/raffle/draw-status', 'drawStatus', 300],
  ['/api/raffle/history', 'history', 300],
  ['/api/event/settings', 'eventSettings', 300],
  ['/api/raffle/solvency', 'solvency', 5_000],
  ['/api/raffle/rules', 'rules', 5_000],
] as const satisfies readonly (readonly [string, keyof PublicState, number])[]

/** Feeds `sink` while somebody sees this tab: a hidden one has no stream, and asks nothing. Returns how to stop it. */
export function openLiveSource(sink: LiveSink): () => void {
  // While the pages are built there is nobody to follow it for.
  if (typeof document === 'undefined') return () => undefined
  let close: (() => void) | undefined
  const stop = () => {
    close?.()
    close = undefined
  }
  const follow = () => {
    if (document.visibilityState === 'hidden') return stop()
    if (close) return
    sink.link('connecting')
    close = connect(sink)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
  }
}

function connect(sink: LiveSink): () => void {
  let stream: EventSource | undefined
  let stopPolling: (() => void) | undefined
  let pollTimer: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const arrived = () => {
    failures = 0
    clearTimeout(watchdog)
    watchdog = setTimeout(lost, deadMs)
    clearTimeout(pollTimer)
    pollTimer = undefined
    stopPolling?.()
    stopPolling = undefined
    sink.link('live')
  }
  const pollSoon = () => {
    if (pollTimer !== undefined || stopPolling) return
    pollTimer = setTimeout(() => {
      pollTimer = undefined
      stopPolling = poll(sink)
    }, deadlineMs)
  }
  const lost = () => {
    clearTimeout(watchdog)
    if (!stopPolling) sink.link('connecting')
    pollSoon()
    stream?.close()
    // Own retry instead of the browser's: jitter keeps a thousand tabs from reconnecting at once.
    clearTimeout(retry)
    retry = setTimeout(ask, Math.min(10_000, 500 * 2 ** failures++) * (0.5 + Math.random()))
  }
  const ask = () => {
    stream = new EventSource(`${apiBase}/api/live`)
    for (const name of ['snapshot', 'change', 'beat'] as const)
      stream.addEventListener(name, ({ data }) => {
        arrived()
        const take: (told: never) => void = sink[name]
        take(JSON.parse(data) as never)
      })
    // The server sends `close` before a restart.
    stream.addEventListener('close', lost)
    stream.addEventListener('error', lost)
  }
  // The network is back: reconnect without waiting for the next retry.
  const reconnect = () => {
    if (stream?.readyState !== EventSource.CLOSED) return
    clearTimeout(retry)
    ask()
  }
  window.addEventListener('online', reconnect)
  ask()
  pollSoon()
  return () => {
    window.removeEventListener('online', reconnect)
    clearTimeout(pollTimer)
    clearTimeout(watchdog)
    clearTimeout(retry)
    stopPolling?.()
    stream?.close()
  }
}

function poll(sink: LiveSink): () => void {
  const abort = new AbortController()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  for (const [path, name, intervalMs] of parts) {
    let failures = 0
    const askPart = async () => {
      try {
        const { value, ...meta } = await getJson(path, abort.signal)
        if (abort.signal.aborted) return
        failures = 0
        sink.part({ [name]: value } as Partial<PublicState>, meta)
        sink.link('polling')
      } catch {
        if (abort.signal.aborted) return
        failures++
        if (failures > 1) sink.link('offline')
      }
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          void askPart()
        },
        Math.min(10_000, intervalMs * 2 ** failures),
      )
      timers.add(timer)
    }
    void askPart()
  }
  return () => {
    abort.abort()
    for (const timer of timers) clearTimeout(timer)
  }
}
