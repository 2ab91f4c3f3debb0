import { type AddressKey, addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'

/** Beats go out in slices, so that thousands of them do not delay other answers. */
const slices = 10

export type HubLimits = {
  streams: number
  /** Of an IPv4 address or an IPv6 /64; twice as many of a /56, four times as many of a /48. */
  streamsPerAddress: number
  /** A reader further behind than this is dropped: it reconnects and gets a new snapshot. */
  backlogBytes: number
  beatEveryMs: number
}

const defaultLimits: HubLimits = {
  streams: 12_000,
  streamsPerAddress: 20,
  backlogBytes: 65_536,
  beatEveryMs: 5_000,
}

type Reader = {
  controller: ReadableStreamDefaultController<Uint8Array>
  keys: readonly string[]
  slice: Slice
}
type Slice = { readers: Set<Reader>; backlog: ReturnType<typeof backlog> }

export type LiveHub = ReturnType<typeof createLiveHub>

/** The open streams. Each event is encoded once for all of them. `beat` makes the heartbeat. */
export function createLiveHub(beat: () => Uint8Array | undefined, limits: Partial<HubLimits> = {}) {
  const { streams, streamsPerAddress, backlogBytes, beatEveryMs } = { ...defaultLimits, ...limits }
  const parts: Slice[] = Array.from({ length: slices }, () => ({
    readers: new Set(),
    backlog: backlog(backlogBytes),
  }))
  const perKey = new Map<string, number>()
  let count = 0
  let opened = 0
  let nextSlice = 0
  let isClosed = false
  const timer = setInterval(sendBeats, beatEveryMs / slices)
  timer.unref()

  function sendBeats(): void {
    nextSlice = (nextSlice + 1) % slices
    const slice = parts[nextSlice] as Slice
    const bytes = slice.readers.size > 0 ? beat() : undefined
    if (bytes) sendTo(slice, bytes)
  }

  function sendTo({ readers, backlog }: Slice, bytes: Uint8Array): void {
    const { allowed } = backlog
    for (const reader of readers) {
      // Without a size function each chunk counts one, from a level of 1 downwards.
      if (1 - (reader.controller.desiredSize ?? 1) > allowed) end(reader)
      else reader.controller.enqueue(bytes)
    }
    backlog.sent(bytes.byteLength)
  }

  /** A reader that resumes still gets its queue; the server's idle timeout ends the others. */
  function end(reader: Reader): void {
    leave(reader)
    reader.controller.close()
  }

  function leave(reader: Reader): void {
    if (!reader.slice.readers.delete(reader)) return
    count--
    for (const key of reader.keys) {
      const left = (perKey.get(key) ?? 1) - 1
      if (left > 0) perKey.set(key, left)
      else perKey.delete(key)
    }
  }

  function expectRoom(keys: readonly AddressKey[]): void {
    if (isClosed) throw new RaffleError('BUSY', { reason: 'restart' })
    if (keys.some(({ key, times }) => (perKey.get(key) ?? 0) >= streamsPerAddress * times))
      throw new RaffleError('RATE_LIMITED', { reason: 'streams', data: { retryAfterSeconds: 30 } })
    if (count >= streams)
      throw new RaffleError('BUSY', { reason: 'streams', data: { retryAfterSeconds: 10 } })
  }

  return {
    /** Opens a stream that begins with `first`. Throws RATE_LIMITED and BUSY. */
    open(clientAddress: string, first: Uint8Array): ReadableStream<Uint8Array> {
      const ofAddress = addressKeys(clientAddress)
      expectRoom(ofAddress)
      const keys = ofAddress.map(({ key }) => key)
      const slice = parts[opened++ % slices] as Slice
      let reader!: Reader
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          reader = { controller, keys, slice }
          slice.readers.add(reader)
          for (const key of keys) perKey.set(key, (perKey.get(key) ?? 0) + 1)
          count++
        },
        cancel: () => leave(reader),
      })
      // Outside of the functions above, which live as long as the stream and would keep the 2 KiB of it.
      reader.controller.enqueue(first)
      return stream
    },
    broadcast(bytes: Uint8Array): void {
      for (const slice of parts) sendTo(slice, bytes)
    },
    /** Ends every stream with `last` and opens no new one. */
    close(last: Uint8Array): void {
      isClosed = true
      clearInterval(timer)
      for (const { readers } of parts)
        for (const reader of readers) {
          reader.controller.enqueue(last)
          end(reader)
        }
    },
    get count() {
      return count
    },
  }
}

/** How much our clock may fall back per second towards a database whose clock runs slower. */
const driftMs = 0.5
/** A reading this far behind is not a delay: the database's clock was set back. */
const setBackMs = 5_000

/** The database's clock, continued between readings by this machine's monotonic clock: every process changes
 * phase at the same moment, and setting the clock of this machine has no effect. */
export function databaseClock(monotonic: () => number = () => performance.now()) {
  let aheadMs = Date.now() - monotonic()
  let isRead = false
  return {
    /** Takes a reading that has just arrived. True if the clock moved more than a delay explains. */
    read(databaseNow: number): boolean {
      // A reading only gets older on its way, so the one furthest ahead is the most accurate.
      const reading = databaseNow - monotonic()
      const next = !isRead || aheadMs - reading > setBackMs ? reading : Math.max(reading, aheadMs - driftMs)
      const moved = Math.abs(next - aheadMs) > 5
      aheadMs = next
      isRead = true
      return moved
    },
    /** Milliseconds since 1970, whole. */
    now: (): number => Math.floor(monotonic() + aheadMs),
  }
}

/** Upper bound of remembered events, longer than any backlog. */
const rememberedEvents = 256

/** How many of the latest events fit into a backlog of `limitBytes`. Streams count their queue in events:
 * counting bytes would cost 4 KiB more per stream. @internal */
export function backlog(limitBytes: number) {
  const sizes: number[] = []
  let allowed = rememberedEvents
  return {
    /** How many events a reader may be behind. */
    get allowed() {
      return allowed
    },
    /** An event of this size was sent to every reader. */
    sent(bytes: number): void {
      sizes.unshift(bytes)
      if (sizes.length > rememberedEvents) sizes.pop()
      let sum = 0
      allowed = sizes.findIndex((size) => {
        sum += size
        return sum > limitBytes
      })
      // One event may always be in flight, however long it is.
      allowed = allowed === -1 ? rememberedEvents : Math.max(1, allowed)
    },
  }
}
