import type { LiveBeat, LiveChange, LiveSnapshot, PublicState } from '../../../core/live/public.ts'
import type { ResponseMeta } from '../shell/api.ts'
import { type Link, type LiveSink, openLiveSource } from './live-source.ts'

/** Messages between tabs: what the stream brings, and `hello`, by which a new tab requests the state. */
type Word =
  | { say: 'hello' }
  | { say: 'snapshot'; snapshot: LiveSnapshot }
  | { say: 'change'; change: LiveChange }
  | { say: 'beat'; beat: LiveBeat }
  | { say: 'part'; part: Partial<PublicState>; meta: ResponseMeta }
  | { say: 'link'; link: Link }

/** Two missed heartbeats and some margin: the tab with the stream is asleep or hangs. */
const silenceMs = 12_000

type Options = {
  /** The state of this tab as a snapshot, if it is complete: a new tab starts with it. */
  whole: () => LiveSnapshot | undefined
  open?: typeof openLiveSource
  locks?: Pick<LockManager, 'request'> | undefined
  channel?: () => BroadcastChannel
}

/**
 * As openLiveSource, with one stream for all tabs of the browser. The tab that holds the lock has the stream
 * and forwards it to the others. The next tab gets the lock when that tab closes or dies, and takes it from
 * one that falls silent. Without the Web Locks API (a page not served securely) each tab has its own stream.
 */
export function openSharedSource(sink: LiveSink, options: Options): () => void {
  const { whole, open = openLiveSource, locks = navigator.locks } = options
  if (!locks || typeof BroadcastChannel === 'undefined') return open(sink)
  const channel = options.channel?.() ?? new BroadcastChannel('blockdraw-live')
  const over = new AbortController()
  let release: (() => void) | undefined
  let closeSource: (() => void) | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  /** A change can be applied only after a snapshot. */
  let hasBase = false

  const post = (word: Word) => channel.postMessage(word)
  const lead = () => {
    clearTimeout(silence)
    closeSource = open(broadcasting(sink, post))
    return new Promise<void>((resolve) => {
      release = resolve
    })
  }
  const stopLeading = () => {
    closeSource?.()
    closeSource = undefined
    release?.()
    release = undefined
  }
  /** Requests the lock; `steal` takes it at once, and the former holder requests it again. */
  const wait = (steal: boolean): void => {
    const granted = locks.request('blockdraw-live', steal ? { steal } : { signal: over.signal }, async () => {
      if (over.signal.aborted) return
      await lead()
    })
    granted.catch(() => {
      const wasLeading = closeSource !== undefined
      stopLeading()
      if (over.signal.aborted || !wasLeading) return
      // What the other tab has told meanwhile was not heard.
      hasBase = false
      post({ say: 'hello' })
      wait(false)
      listen()
    })
  }
  const listen = () => {
    clearTimeout(silence)
    if (!closeSource) silence = setTimeout(() => wait(true), silenceMs * (1 + Math.random()))
  }

  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (closeSource) {
      const snapshot = word.say === 'hello' ? whole() : undefined
      if (snapshot) post({ say: 'snapshot', snapshot })
      return
    }
    if (word.say === 'hello') return
    listen()
    if (word.say === 'snapshot') hasBase = true
    if (word.say === 'change' && !hasBase) return
    apply(sink, word)
  }
  wait(false)
  post({ say: 'hello' })
  listen()
  return () => {
    over.abort()
    clearTimeout(silence)
    stopLeading()
    channel.close()
  }
}

/** A sink that forwards everything to this tab and to the others. */
const broadcasting = (sink: LiveSink, post: (word: Word) => void): LiveSink => ({
  snapshot: (snapshot) => {
    sink.snapshot(snapshot)
    post({ say: 'snapshot', snapshot })
  },
  change: (change) => {
    sink.change(change)
    post({ say: 'change', change })
  },
  beat: (beat) => {
    sink.beat(beat)
    post({ say: 'beat', beat })
  },
  part: (part, meta) => {
    sink.part(part, meta)
    post({ say: 'part', part, meta })
  },
  link: (link) => {
    sink.link(link)
    post({ say: 'link', link })
  },
})

function apply(sink: LiveSink, word: Exclude<Word, { say: 'hello' }>): void {
  // The tab that sent the snapshot is connected to the server.
  if (word.say === 'snapshot') sink.link('live')
  if (word.say === 'snapshot') sink.snapshot(word.snapshot)
  else if (word.say === 'change') sink.change(word.change)
  else if (word.say === 'beat') sink.beat(word.beat)
  else if (word.say === 'part') sink.part(word.part, word.meta)
  else sink.link(word.link)
}
