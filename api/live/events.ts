import type { LiveBeat, LiveChange, LiveSnapshot } from '../../core/public.ts'

const encoder = new TextEncoder()
const quickestRetryMs = 500
const retrySpreadMs = 4_500

/** First event of a stream. The reconnect time is random, so that clients do not all return at once. */
export const snapshotEvent = (snapshot: LiveSnapshot): Uint8Array<ArrayBuffer> =>
  encoder.encode(
    `retry: ${quickestRetryMs + Math.floor(Math.random() * retrySpreadMs)}\n${event('snapshot', snapshot)}`,
  )

export const changeEvent = (change: LiveChange): Uint8Array<ArrayBuffer> =>
  encoder.encode(event('change', change))

/** Unlike a comment, pages receive it: it shows that the stream is alive, and carries the time. */
export const beatEvent = (beat: LiveBeat): Uint8Array<ArrayBuffer> => encoder.encode(event('beat', beat))

export const closeEvent = (): Uint8Array<ArrayBuffer> => encoder.encode('event: close\ndata: {}\n\n')

const event = (name: string, data: { version: number }): string =>
  `id: ${data.version}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
