import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressProblem, openNode } from './node.ts'

let server: ReturnType<typeof Bun.serve>
let asked = 0
const answers: (() => Response)[] = []
const json = (body: unknown, status = 200) => Response.json(body, { status })
const open = (url = `http://127.0.0.1:${server.port}`) => openNode(url)

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    fetch: () => {
      asked += 1
      return answers.shift()?.() ?? json({ result: '0x38' })
    },
  })
})
afterAll(() => server.stop(true))

test('reports what is wrong with an address before anything is sent', () => {
  expect(addressProblem('https://node.example/key', true)).toBeUndefined()
  expect(addressProblem('http://127.0.0.1:8545', true)).toBeUndefined()
  expect(addressProblem('http://node.example', true)).toBe('encrypted')
  expect(addressProblem('http://node.example', false)).toBeUndefined()
  for (const text of ['', 'node.example']) expect(addressProblem(text, false)).toBe('wholeAddress')
  for (const text of ['wss://node.example', 'javascript:alert(1)'])
    expect(addressProblem(text, false)).toBe('onlyHttps')
})

test('a rate-limited call is retried; a refused one is not', async () => {
  const node = open()
  answers.push(() => json({}, 429))
  expect(await node('eth_chainId', [])).toBe('0x38')
  asked = 0
  answers.push(() => json({ error: { code: -32601, message: 'no such method' } }))
  await expect(node('eth_getLogs', [])).rejects.toThrow('eth_getLogs: no such method')
  expect(asked).toBe(1)
})

test('later calls to a node that never answered fail at once, so that other checks do not wait', async () => {
  const node = open('http://127.0.0.1:9')
  await expect(node('eth_chainId', [])).rejects.toThrow('eth_chainId was not answered.')
  await expect(node('eth_blockNumber', [])).rejects.toThrow('does not answer.')
})
