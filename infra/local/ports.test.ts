import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './ports.ts'

/** From here on Linux gives ports to whoever asks for any; other systems begin further up. */
const givenToAnybody = 32_768

test('a free port stays free until it is used: no system gives it to somebody who asks for any', async () => {
  for (let n = 0; n < 20; n++) {
    const port = await freePort()
    expect(port).toBeGreaterThan(1_023)
    expect(port).toBeLessThan(givenToAnybody)
  }
})

test('the ten ports behind one belong to it: a worker takes the next free one for its metrics', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 50 }, freePort))
  const near = others.filter((port) => Math.abs(port - (first as number)) <= 10)
  expect(near).toEqual([])
})

test('no port is handed out twice, not even to two who ask at once', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  expect(new Set(ports).size).toBe(100)
})

test('the threads of a process get others each', async () => {
  const ask = `import { freePort } from ${JSON.stringify(`${import.meta.dirname}/ports.ts`)}
    postMessage(await Promise.all(Array.from({ length: 50 }, freePort)))`
  const asked = Array.from({ length: 3 }, async () => {
    const thread = new Worker(URL.createObjectURL(new Blob([ask])))
    const { data } = await new Promise<MessageEvent<number[]>>((told) => {
      thread.onmessage = told
    })
    thread.terminate()
    return data
  })
  expect(new Set((await Promise.all(asked)).flat()).size).toBe(150)
})

test('a port somebody listens on is passed over', async () => {
  const next = (await freePort()) + 13
  const server = createServer()
  await new Promise<unknown>((taken) => server.once('error', taken).listen(next, '127.0.0.1', () => taken(0)))
  expect(await freePort()).not.toBe(next)
  server.close()
})
