import { type Clock, realClock } from '../../core/server/time.ts'

/** Parts of the live state that no page in a CDN shows: they change with every sale. */
const fleeting = new Set(['stats', 'recent', 'recentAdded', 'solvency'])
const reconnectMs = 2_000
/** Three heartbeats: whoever says nothing for longer is gone, though nobody closed the connection. */
const silenceMs = 15_000

type Options = { apiUrl: string; signal: AbortSignal; onChange: () => void; clock?: Clock }

/** Calls `onChange` for each change of what pages say, as soon as the API tells it; connects again for ever. */
export async function followChanges({ apiUrl, signal, onChange, clock = realClock }: Options): Promise<void> {
  while (!signal.aborted) {
    const silence = new AbortController()
    let over = new AbortController()
    const heard = () => {
      over.abort()
      over = new AbortController()
      const { signal: isOver } = over
      void clock.sleep(silenceMs, isOver).then(() => isOver.aborted || silence.abort())
    }
    heard()
    try {
      const response = await fetch(`${apiUrl.replace(/\/$/, '')}/api/live`, {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      })
      if (response.ok && response.body) {
        // What changed while nothing was heard.
        onChange()
        const known = {}
        for await (const event of eventsIn(response.body)) {
          heard()
          if (tellsOfPages(event, known)) onChange()
        }
      }
    } catch {
      // The slow look goes on all the same.
    }
    over.abort()
    await clock.sleep(reconnectMs, signal)
  }
}

/**
 * A new version that names no part is a change of something that is in no live state, such as a correction. A beat has the
 * version that is known.
 */
function tellsOfPages(data: string, known: { version?: unknown }): boolean {
  try {
    const state = JSON.parse(data) as Record<string, unknown>
    const isNew = state.version !== known.version
    known.version = state.version
    const parts = Object.keys(state).filter((name) => !['version', 'now', 'stale'].includes(name))
    return isNew && (parts.length === 0 || parts.some((name) => !fleeting.has(name)))
  } catch {
    return false
  }
}

async function* eventsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of stream.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield data.slice(6)
    }
  }
}
