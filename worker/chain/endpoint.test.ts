import { expect, onTestFinished, test } from 'vitest'
import { connectEndpoint } from './endpoint.ts'

type Call = { id: number; method: string; params: unknown[] }

test('long questions share four batches on their way, and a short one waits for none of them', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  const answered = ({ id, params }: Call) => ({ jsonrpc: '2.0', id, result: params[0] ?? '0x38' })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const calls = (await request.json()) as Call | Call[]
      if (!Array.isArray(calls)) return Response.json(answered(calls))
      if (calls.length === 100) {
        await new Promise<void>((resolve) => {
          most = Math.max(most, waiting.push(resolve))
        })
      }
      return Response.json(calls.map(answered))
    },
  })
  onTestFinished(() => server.stop(true))
  const seat = { isAside: () => false, setAside: () => undefined, alarm: () => undefined }
  const endpoint = connectEndpoint(`http://127.0.0.1:${server.port}`, 56, seat)
  const callsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ method: 'echo', params: [n] }))
  const long = [endpoint.askMany(callsOf(1_000)), endpoint.askMany(callsOf(1_000))]
  let isOver = false
  const both = Promise.all(long).finally(() => {
    isOver = true
  })
  while (waiting.length < 4) await new Promise((resolve) => setImmediate(resolve))
  expect(await endpoint.askMany(callsOf(3))).toEqual([0, 1, 2])
  expect(waiting.length).toBe(4)
  while (!isOver) {
    for (const go of waiting.splice(0)) go()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await both).map((answers) => answers.length)).toEqual([1_000, 1_000])
  expect(most).toBe(4)
})
