import type { LiveBeat, LiveChange, PublicState } from '../../core/live/public.ts'

const encoder = new TextEncoder()
const quickestRetryMs = 500
const retrySpreadMs = 4_500

/**
 * First event of a stream: the state is written once for all who come while it holds, the time and the reconnect time are
 * each stream's own. The latter is random, so that clients do not all return at once.
 */
export function snapshotEvents() {
  let written: PublicState | undefined
  let text = ''
  return (state: PublicState, now: number): Uint8Array<ArrayBuffer> => {
    if (state !== written) {
      text = event('snapshot', state).slice(0, -endOfEvent.length)
      written = state
    }
    const retryMs = quickestRetryMs + Math.floor(Math.random() * retrySpreadMs)
    return encoder.encode(`retry: ${retryMs}\n${text},"now":${now}${endOfEvent}`)
  }
}

export const changeEvent = (change: LiveChange): Uint8Array<ArrayBuffer> =>
  encoder.encode(event('change', change))

/** Unlike a comment, pages receive it: it shows that the stream is alive, and carries the time. */
export const beatEvent = (beat: LiveBeat): Uint8Array<ArrayBuffer> => encoder.encode(event('beat', beat))

export const closeEvent = (): Uint8Array<ArrayBuffer> => encoder.encode('event: close\ndata: {}\n\n')

const endOfEvent = '}\n\n'

const event = (name: string, data: { version: number }): string =>
  `id: ${data.version}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
