import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeAll, proxied, startApi, versionsOf } from '../../e2e/lab/api-process.ts'
import { until } from '../../e2e/lab/until.ts'

afterAll(closeAll)

/** A report of a payment whose second half the buyer has still to send: in flight for as long as a test wants. */
async function halfPosted(port: number, index: number) {
  const body = JSON.stringify({ transactionHash: `0x${`${index}0`.padStart(64, '0')}` })
  const socket = connect({ port, host: '127.0.0.1' })
  const status = new Promise<number>((resolve, reject) => {
    socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(`${chunk}`)?.[1])))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed without an answer.')))
  })
  status.catch(() => undefined) // awaited by `finish`
  await new Promise((connected) => socket.once('connect', connected))
  socket.write(
    `POST /api/tickets/purchase HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  )
  return {
    finish: () => {
      socket.write(body.slice(20))
      return status.finally(() => socket.destroy())
    },
  }
}

test('V1: at SIGTERM requests in flight are answered, streams are closed, a reader that never reads delays nothing, exit 0', async () => {
  const { databaseUrl } = await proxied()
  const api = await startApi(databaseUrl)
  await api.ready
  const stream = versionsOf(api.url)
  await until(() => stream.seen.length > 0)
  const silent = connect({ port: api.port, host: '127.0.0.1' }).pause()
  silent.on('error', () => undefined)
  silent.write('GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const posts = await Promise.all(Array.from({ length: 10 }, (_, index) => halfPosted(api.port, index)))
  const inFlight = async () => {
    const metrics = await (await fetch(api.metrics)).text()
    return ['blockdraw_api_requests_in_flight 10', 'blockdraw_live_streams 2'].every((line) =>
      metrics.includes(line),
    )
  }
  await until(inFlight, 'Ten posts in flight and two streams')
  api.process.kill('SIGTERM')
  // It is leaving, and none of them has an answer yet.
  await stream.closed
  expect(await Promise.all(posts.map((post) => post.finish()))).toEqual(posts.map(() => 202))
  expect(await api.process.exited).toBe(0)
  await expect(fetch(`${api.url}/api/health`)).rejects.toThrow()
  silent.destroy()
})

describe('an API whose METRICS_PORT is taken', () => {
  const taken = Bun.serve({ port: 0, fetch: () => new Response('mine') })
  let api: Awaited<ReturnType<typeof startApi>>
  beforeAll(async () => {
    api = await startApi((await proxied()).databaseUrl, { METRICS_PORT: `${taken.port}` })
    await api.ready
  })
  afterAll(() => taken.stop(true))

  test('serves all the same', async () => {
    expect(await api.answers('/api/ready', 200)).toBe(true)
  })

  test('L3: 2,000 sockets with slow requests keep no other request from its answer', async () => {
    const drips = Array.from({ length: 2_000 }, (_, index) => {
      const socket = connect({ port: api.port, host: '127.0.0.1' })
      socket.on('error', () => undefined)
      const head =
        'POST /api/tickets/purchase HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n'
      // Half of them send a body slowly, half never end their headers.
      socket.write(index % 2 ? `${head}\r\n{` : head)
      return socket
    })
    await Promise.all(
      drips.map(
        (socket) => socket.readyState === 'open' || new Promise((done) => socket.once('connect', done)),
      ),
    )
    for (let count = 0; count < 200; count++) {
      if (count % 50 === 0)
        for (const [index, socket] of drips.entries()) socket.write(index % 2 ? ' ' : 'x: y\r\n')
      expect((await fetch(`${api.url}/api/raffle/stats?${count}`)).status).toBe(200)
    }
    for (const socket of drips) socket.destroy()
  })

  test('V1: two signals within a second shut down once', async () => {
    api.process.kill('SIGINT')
    api.process.kill('SIGTERM')
    expect(await api.process.exited).toBe(0)
  })
})
