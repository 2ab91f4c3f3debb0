import { RaffleError } from '../core/errors.ts'
import { addressKey } from './address.ts'

const beatEveryMs = 5_000
/** Beats go out in slices, so that thousands of them do not hold up other answers at once. */
const slices = 10

export type HubLimits = {
  /** Streams in all. */
  streams: number
  streamsPerAddress: number
  /** A reader that is further behind than this is dropped: it comes back to a fresh snapshot. */
  backlogBytes: number
}

const defaultLimits: HubLimits = { streams: 12_000, streamsPerAddress: 20, backlogBytes: 65_536 }

type Reader = { controller: ReadableStreamDefaultController<Uint8Array>; address: string; slice: number }

export type LiveHub = ReturnType<typeof createLiveHub>

/** The open streams. Each event is encoded once, and its bytes are handed to all. `beat` makes the heartbeat. */
export function createLiveHub(beat: () => Uint8Array | undefined, limits: Partial<HubLimits> = {}) {
  const { streams, streamsPerAddress, backlogBytes } = { ...defaultLimits, ...limits }
  const readers = Array.from({ length: slices }, () => new Set<Reader>())
  const perAddress = new Map<string, number>()
  let count = 0
  let opened = 0
  let dropped = 0
  let nextSlice = 0
  let isClosed = false
  const timer = setInterval(sendBeats, beatEveryMs / slices)
  timer.unref()

  function sendBeats(): void {
    nextSlice = (nextSlice + 1) % slices
    const slice = readers[nextSlice] as Set<Reader>
    const bytes = slice.size > 0 ? beat() : undefined
    if (bytes) for (const reader of slice) send(reader, bytes)
  }

  function send(reader: Reader, bytes: Uint8Array): void {
    // Its queue is as long as its limit: below zero means that it does not read.
    if ((reader.controller.desiredSize ?? -1) < 0) {
      dropped++
      end(reader)
    } else reader.controller.enqueue(bytes)
  }

  /** What is queued is still sent to a reader that wakes up; the idle time of the server ends the others. */
  function end(reader: Reader): void {
    leave(reader)
    reader.controller.close()
  }

  function leave(reader: Reader): void {
    if (!readers[reader.slice]?.delete(reader)) return
    count--
    const left = (perAddress.get(reader.address) ?? 1) - 1
    if (left > 0) perAddress.set(reader.address, left)
    else perAddress.delete(reader.address)
  }

  function expectRoom(address: string): void {
    if (isClosed) throw new RaffleError('BUSY', 'The server is being restarted. Try again in a moment.')
    if ((perAddress.get(address) ?? 0) >= streamsPerAddress)
      throw new RaffleError('RATE_LIMITED', 'Too many streams are open from your address.', {
        retryAfterSeconds: 30,
      })
    if (count >= streams)
      throw new RaffleError('BUSY', 'Too many streams are open. Ask again by polling.', {
        retryAfterSeconds: 10,
      })
  }

  return {
    /** A stream that begins with `first`. Throws RATE_LIMITED and BUSY. */
    open(clientAddress: string, first: Uint8Array): ReadableStream<Uint8Array> {
      const address = addressKey(clientAddress)
      expectRoom(address)
      const slice = opened++ % slices
      let reader: Reader
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            reader = { controller, address, slice }
            readers[slice]?.add(reader)
            perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
            count++
            controller.enqueue(first)
          },
          cancel: () => leave(reader),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: backlogBytes + first.byteLength }),
      )
    },
    broadcast(bytes: Uint8Array): void {
      for (const slice of readers) for (const reader of slice) send(reader, bytes)
    },
    /** Ends every stream with `last`, and opens no more. */
    close(last: Uint8Array): void {
      isClosed = true
      clearInterval(timer)
      for (const slice of readers)
        for (const reader of slice) {
          reader.controller.enqueue(last)
          end(reader)
        }
    },
    get count() {
      return count
    },
    get dropped() {
      return dropped
    },
  }
}
