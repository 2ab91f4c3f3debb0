import { type Clock, realClock } from '../../core/server/time.ts'

/** Larger than any header: what is longer is no news of one. */
const maxLength = 65_536
/** Without a head for so long the chain stands still, or the connection is dead without having said so. */
const silentAfterMs = 10_000
const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** Whoever has told nothing for so long is not waited for: the others' heads count alone. */
const liveMs = 3_000

type Told = { height: bigint; at: number }

/**
 * Calls `onHead` when a new block is told by a subscription: by the second of the endpoints with a WebSocket, as two have
 * to call it final, or by the only one that tells any. It is a hint that asking pays now: nothing of it is believed, and
 * who does not tell, or tells nonsense, only leaves the asking to its own pace.
 */
export function watchHeads(
  urls: readonly string[],
  onHead: (height: bigint) => void,
  clock: Clock = realClock,
): { stop: () => void } {
  const told = new Map<string, Told>()
  let level: bigint | undefined
  const note = (url: string, height: bigint): void => {
    const now = clock.now()
    told.set(url, { height, at: now })
    const live = [...told.values()].filter(({ at }) => now - at < liveMs)
    const heights = live.map(({ height }) => height).sort((a, b) => (a < b ? 1 : -1))
    const next = heights[1] ?? heights[0]
    if (next === undefined || next === level) return
    level = next
    onHead(next)
  }
  const all = urls
    .filter((url) => url.startsWith('ws'))
    .map((url) => subscribe(url, (height) => note(url, height), clock))
  return {
    stop: () => {
      for (const stop of all) stop()
    },
  }
}

/** One connection of its own, opened again after each loss and each silence. Returns what ends it. */
function subscribe(url: string, onHeight: (height: bigint) => void, { sleep }: Clock): () => void {
  let isOver = false
  let retryMs = firstRetryMs
  let waiting = new AbortController()
  let socket: WebSocket | undefined

  /** In place of what was to be done later before. */
  function later(ms: number, act: () => void): void {
    waiting.abort()
    waiting = new AbortController()
    const { signal } = waiting
    void sleep(ms, signal).then(() => signal.aborted || act())
  }

  function open(): void {
    let own: WebSocket
    try {
      own = new WebSocket(url)
    } catch {
      // An address of no socket: its endpoint says so itself, and the others are heard.
      return
    }
    socket = own
    const isCurrent = () => socket === own
    const wait = () => later(silentAfterMs, again)
    const again = () => {
      if (!isCurrent()) return
      waiting.abort()
      socket = undefined
      own.close()
      if (isOver) return
      later(retryMs, open)
      retryMs = Math.min(longestRetryMs, retryMs * 2)
    }
    wait()
    own.addEventListener('open', () => own.send(subscription))
    own.addEventListener('close', again)
    own.addEventListener('error', again)
    own.addEventListener('message', ({ data }) => {
      const height = isCurrent() ? heightIn(String(data)) : undefined
      if (height === undefined) return
      retryMs = firstRetryMs
      wait()
      onHeight(height)
    })
  }
  open()
  return () => {
    isOver = true
    waiting.abort()
    socket?.close()
  }
}

const subscription = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1 },
  ...{ method: 'eth_subscribe', params: ['newHeads'] },
})

/** @internal Undefined for whatever is no news of a block. */
export function heightIn(text: string): bigint | undefined {
  if (text.length > maxLength) return undefined
  try {
    const { method, params } = JSON.parse(text) as {
      method?: unknown
      params?: { result?: { number?: unknown } }
    }
    const number = params?.result?.number
    if (method !== 'eth_subscription' || typeof number !== 'string') return undefined
    return /^0x[0-9a-f]{1,15}$/i.test(number) ? BigInt(number) : undefined
  } catch {
    return undefined
  }
}
