import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveChange, LiveSnapshot } from '../../../core/live/public.ts'
import type { LiveSink } from './live-source.ts'
import { openSharedSource } from './shared-source.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('two tabs share one stream, and both receive its messages', async () => {
  const browser = openBrowser()
  const [first, second] = [await browser.openTab(), await browser.openTab()]
  expect([first.isStreaming(), second.isStreaming()]).toEqual([true, false])
  browser.stream().snapshot(snapshot(1))
  browser.stream().change(change(2))
  expect(first.heard).toEqual(['snapshot 1', 'change 2'])
  expect(second.heard).toEqual(['snapshot 1', 'change 2'])
})

test('a tab that opens later starts with the state of the tab that has the stream', async () => {
  const browser = openBrowser()
  await browser.openTab()
  browser.stream().snapshot(snapshot(7))
  const late = await browser.openTab()
  browser.stream().change(change(8))
  expect(late.heard).toEqual(['snapshot 7', 'change 8'])
})

test('a tab without a state ignores changes', async () => {
  const browser = openBrowser()
  await browser.openTab()
  const late = await browser.openTab()
  browser.stream().change(change(8))
  expect(late.heard).toEqual([])
})

test('when the tab with the stream is closed, the other opens one', async () => {
  const browser = openBrowser()
  const [first, second] = [await browser.openTab(), await browser.openTab()]
  first.close()
  await browser.settle()
  expect(second.isStreaming()).toBe(true)
  expect(browser.streams()).toBe(1)
})

test('another tab takes over the stream from a silent one, which then waits for the lock', async () => {
  const browser = openBrowser()
  const [asleep, second] = [await browser.openTab(), await browser.openTab()]
  await browser.fallSilent()
  expect([asleep.isStreaming(), second.isStreaming()]).toEqual([false, true])
  second.close()
  await browser.settle()
  expect(asleep.isStreaming()).toBe(true)
})

test('a tab that lost the stream while it slept starts anew with the state of the other one', async () => {
  const browser = openBrowser()
  const [asleep] = [await browser.openTab(), await browser.openTab()]
  browser.stream().snapshot(snapshot(1))
  await browser.fallSilent()
  browser.stream().change(change(2))
  expect(asleep.heard).toEqual(['snapshot 1', 'snapshot 1', 'change 2'])
})

test('a tab that lost the stream takes it again when the other one falls silent, with no word from it', async () => {
  const browser = openBrowser()
  const [asleep, second] = [await browser.openTab(), await browser.openTab()]
  await browser.fallSilent()
  expect([asleep.isStreaming(), second.isStreaming()]).toEqual([false, true])
  await browser.fallSilent()
  expect([asleep.isStreaming(), second.isStreaming()]).toEqual([true, false])
})

test('without locks each tab has a stream of its own', () => {
  const opened: LiveSink[] = []
  const open = (sink: LiveSink) => {
    opened.push(sink)
    return () => undefined
  }
  openSharedSource(sinkInto([]), {
    whole: () => undefined,
    open,
    locks: undefined as never,
    channel: undefined as never,
  })
  expect(opened).toHaveLength(1)
})

/** Tabs of one browser: its locks and its channel as the standards define them, without a page. */
function openBrowser() {
  const channels = new Set<FakeChannel>()
  const locks = fakeLocks()
  const open: LiveSink[] = []
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  /** The tab with the stream says nothing until another one has waited long enough for it. */
  async function fallSilent() {
    await vi.advanceTimersToNextTimerAsync()
    await settle()
  }
  async function openTab() {
    const heard: string[] = []
    let known: LiveSnapshot | undefined
    let mine: LiveSink | undefined
    const sink: LiveSink = {
      ...sinkInto(heard),
      snapshot: (next) => {
        known = next
        heard.push(`snapshot ${next.version}`)
      },
    }
    const close = openSharedSource(sink, {
      whole: () => known,
      locks,
      channel: () => new FakeChannel(channels) as never,
      open: (source) => {
        mine = source
        open.push(source)
        return () => {
          open.splice(open.indexOf(source), 1)
          mine = undefined
        }
      },
    })
    await settle()
    return { heard, close, isStreaming: () => mine !== undefined }
  }
  return { openTab, settle, fallSilent, stream: () => open[0] as LiveSink, streams: () => open.length }
}

class FakeChannel {
  onmessage: ((event: { data: unknown }) => void) | undefined
  constructor(private readonly all: Set<FakeChannel>) {
    all.add(this)
  }
  postMessage(data: unknown): void {
    for (const other of this.all) if (other !== this) other.onmessage?.({ data })
  }
  close(): void {
    this.all.delete(this)
  }
}

/** One lock, granted in the order of the requests; `steal` takes it, and the holder's request is rejected. */
function fakeLocks(): Pick<LockManager, 'request'> {
  type Wanted = { run: () => Promise<void>; lose: (error: Error) => void }
  const queue: Wanted[] = []
  let holder: Wanted | undefined
  const next = () => {
    holder = queue.shift()
    void holder?.run()
  }
  const request = (_: string, options: LockOptions, callback: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const wanted: Wanted = {
        lose: reject,
        run: async () => {
          await callback()
          resolve()
          if (holder === wanted) next()
        },
      }
      options.signal?.addEventListener('abort', () => {
        const at = queue.indexOf(wanted)
        if (at >= 0) queue.splice(at, 1)
        if (holder !== wanted) reject(new Error('aborted'))
      })
      if (options.steal) {
        holder?.lose(new Error('stolen'))
        queue.unshift(wanted)
        next()
      } else {
        queue.push(wanted)
        if (!holder) next()
      }
    })
  return { request: request as never }
}

const sinkInto = (heard: string[]): LiveSink => ({
  snapshot: ({ version }) => heard.push(`snapshot ${version}`),
  change: ({ version }) => heard.push(`change ${version}`),
  beat: () => undefined,
  part: () => undefined,
  link: () => undefined,
})

const snapshot = (version: number) => ({ version, now: 1 }) as LiveSnapshot
const change = (version: number): LiveChange => ({ version, now: 1 })
