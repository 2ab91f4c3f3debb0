import { expect, onTestFinished, test } from 'vitest'
import { followChanges } from './follow.ts'

test('an API that falls silent without closing the connection is asked again, and what changed meanwhile is told', async () => {
  let connections = 0
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: () => {
      connections++
      // Says hello, and then nothing for ever.
      const body = new ReadableStream({
        start: (stream) => stream.enqueue('event: snapshot\ndata: {"version":1,"now":1}\n\n'),
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort()
    await server.stop(true)
  })
  let changes = 0
  void followChanges({
    ...{ apiUrl: `${server.url}`, signal: end.signal, longestSilenceMs: 200 },
    onChange: () => changes++,
  })
  await expect.poll(() => connections, { timeout: 8_000 }).toBeGreaterThan(1)
  expect(changes).toBeGreaterThan(1)
})

test('heartbeats keep a connection, and are no change', async () => {
  let connections = 0
  let beat: ReturnType<typeof setInterval>
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: () => {
      connections++
      const body = new ReadableStream({
        start: (stream) => {
          const say = () => stream.enqueue('event: beat\ndata: {"version":1,"now":1,"stale":false}\n\n')
          say()
          beat = setInterval(say, 50)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const end = new AbortController()
  onTestFinished(async () => {
    clearInterval(beat)
    end.abort()
    await server.stop(true)
  })
  const heard: number[] = []
  void followChanges({
    ...{ apiUrl: `${server.url}`, signal: end.signal, longestSilenceMs: 400 },
    onChange: () => heard.push(Date.now()),
  })
  await Bun.sleep(1_500)
  expect(connections).toBe(1)
  // The connection, and the first version that is heard of.
  expect(heard.length).toBeLessThanOrEqual(2)
})
