import { expect, onTestFinished, test } from 'vitest'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { followChanges } from './follow.ts'

/** An API that says hello to everybody, and then what it is told to the last one; `waits` counts what began to be waited for. */
function follow() {
  let say: (event: string, data: object) => void = () => undefined
  const seen = { connections: 0, changes: 0, waits: 0 }
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: () => {
      seen.connections++
      const body = new ReadableStream({
        start: (stream) => {
          say = (event, data) => stream.enqueue(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          say('snapshot', { version: 1, now: 1 })
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort()
    await server.stop(true)
  })
  const hand = handClock()
  const sleep: typeof hand.sleep = (ms, signal) => {
    seen.waits++
    return hand.sleep(ms, signal)
  }
  void followChanges({
    ...{ apiUrl: `${server.url}`, signal: end.signal, clock: { now: hand.now, sleep } },
    onChange: () => seen.changes++,
  })
  /** Until what was said has been heard: the silence begins anew. */
  const heard = (waits: number) => expect.poll(() => seen.waits, { interval: 2 }).toBe(waits)
  return { seen, heard, advance: hand.advance, beat: () => say('beat', { version: 1, now: 1, stale: false }) }
}

test('an API that falls silent without closing the connection is asked again, and what changed meanwhile is told', async () => {
  const { seen, heard, advance } = follow()
  await heard(2)
  expect(seen).toMatchObject({ connections: 1, changes: 2 })
  advance(15_000)
  await heard(3)
  expect(seen.connections).toBe(1)
  advance(2_000)
  await heard(5)
  expect(seen).toMatchObject({ connections: 2, changes: 4 })
})

test('heartbeats keep a connection, and are no change', async () => {
  const { seen, heard, advance, beat } = follow()
  await heard(2)
  for (const waits of [3, 4, 5]) {
    advance(14_000)
    beat()
    await heard(waits)
  }
  // The connection, and the first version that is heard of.
  expect(seen).toMatchObject({ connections: 1, changes: 2 })
})
