import type { ServerWebSocket } from 'bun'
import { describe, expect, onTestFinished, test } from 'vitest'
import { heightOf, mine } from '../../e2e/lab/chain-verbs.ts'
import { openFaultyChain } from '../../e2e/lab/faulty-chain.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile, forTest } from '../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { heightIn, watchHeads } from './heads.ts'

/** What is heard on a clock moved by hand. */
function hear(...urls: string[]) {
  const clock = handClock()
  const heard: bigint[] = []
  let wake = () => {}
  const note = (height: bigint) => {
    heard.push(height)
    wake()
  }
  onTestFinished(watchHeads(urls, note, clock).stop)
  const isHeard = async (height: bigint) => {
    while (heard.at(-1) !== height) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { heard, isHeard, clock }
}

/** A node that says what a test tells it to, once it was asked for heads. */
function startTeller() {
  const listeners = new Set<ServerWebSocket<undefined>>()
  const asked = Promise.withResolvers<void>()
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message: (socket: ServerWebSocket<undefined>, text) => {
        if (JSON.parse(String(text)).method !== 'eth_subscribe') return
        listeners.add(socket)
        asked.resolve()
      },
      close: (socket) => void listeners.delete(socket),
    },
  })
  const say = (text: string) => {
    for (const listener of listeners) listener.send(text)
  }
  return {
    url: `ws://127.0.0.1:${server.port}`,
    isAsked: asked.promise,
    say,
    tell: (height: number) => say(headOf(`0x${height.toString(16)}`)),
    close: () => server.stop(true),
  }
}
const headOf = (number: unknown) =>
  JSON.stringify({ method: 'eth_subscription', params: { subscription: '0x1', result: { number } } })

describe('a real node', () => {
  test('tells each block, again after its connection was lost, and nothing by requests', async () => {
    const world = await forFile(openFaultyChain())
    const tcp = await forFile(startTcpProxy({ port: Number(new URL(world.chain.url).port) }))
    const { heard, clock } = hear(`ws://127.0.0.1:${tcp.port}`)
    const byRequests = hear(world.chain.url)
    const isHeard = async () => {
      await mine(world.chain.url)
      return heard.at(-1) === BigInt(await heightOf(world.chain.url))
    }
    await until(isHeard, 'a head')
    tcp.cut()
    await clock.asleep(1_000)
    clock.advance(1_000)
    const before = heard.length
    await until(async () => (await isHeard()) && heard.length > before, 'a head after the loss')
    expect(byRequests.heard).toEqual([])
  })
})

test('a block counts once two have told it', async () => {
  const [a, b] = [await forTest(startTeller()), await forTest(startTeller())]
  const { heard, isHeard } = hear(a.url, b.url)
  await Promise.all([a.isAsked, b.isAsked])
  b.tell(6)
  await isHeard(6n)
  a.tell(9)
  b.tell(7)
  await isHeard(7n)
  b.tell(9)
  await isHeard(9n)
  expect(heard).toEqual([6n, 7n, 9n])
})

test('who has told nothing for some seconds is not waited for', async () => {
  const [a, b] = [await forTest(startTeller()), await forTest(startTeller())]
  const { heard, isHeard, clock } = hear(a.url, b.url)
  await Promise.all([a.isAsked, b.isAsked])
  b.tell(5)
  await isHeard(5n)
  clock.advance(3_000)
  a.tell(101)
  await isHeard(101n)
  expect(heard).toEqual([5n, 101n])
})

test.each([
  ['no JSON', '{'],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":"0x5"}'],
  ['a refusal', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"not served"}}'],
  ['another subscription’s news', '{"method":"eth_subscription","params":{"result":{"hash":"0x5"}}}'],
  ['a number that is none', headOf('five')],
  ['a number beyond any height', headOf(`0x${'f'.repeat(16)}`)],
  ['null', 'null'],
  ['more than a header', `${headOf('0x5')}${' '.repeat(70_000)}`],
])('%s is no news of a block', (_, text) => {
  expect(heightIn(text)).toBeUndefined()
})

test('nonsense between two heads hides none', async () => {
  const teller = await forTest(startTeller())
  const { heard, isHeard } = hear(teller.url)
  await teller.isAsked
  teller.tell(1)
  teller.say('nonsense')
  teller.tell(2)
  await isHeard(2n)
  expect(heard).toEqual([1n, 2n])
})

test('an address that no socket takes leaves the others telling', async () => {
  const teller = await forTest(startTeller())
  const { isHeard } = hear('ws://127.0.0.1:1/#part', teller.url)
  await teller.isAsked
  teller.tell(1)
  await isHeard(1n)
})
