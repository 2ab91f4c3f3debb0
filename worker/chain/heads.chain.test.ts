import type { ServerWebSocket } from 'bun'
import { afterEach, describe, expect, test } from 'vitest'
import { heightOf, mine } from '../../e2e/lab/chain-verbs.ts'
import { openFaultyChain } from '../../e2e/lab/faulty-chain.ts'
import { forFile, forTest } from '../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { heightIn, watchHeads } from './heads.ts'

const watches: { stop: () => void }[] = []
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop()
})
function hear(...urls: string[]): bigint[] {
  const heard: bigint[] = []
  watches.push(watchHeads(urls, (height) => heard.push(height)))
  return heard
}

/** A node that says what a test tells it to, once it was asked for heads. */
function startTeller() {
  const listeners = new Set<ServerWebSocket<undefined>>()
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message: (socket: ServerWebSocket<undefined>, text) => {
        if (JSON.parse(String(text)).method === 'eth_subscribe') listeners.add(socket)
      },
      close: (socket) => void listeners.delete(socket),
    },
  })
  const say = (text: string) => {
    for (const listener of listeners) listener.send(text)
  }
  return {
    url: `ws://127.0.0.1:${server.port}`,
    isAsked: () => until(() => listeners.size > 0, 'a subscription'),
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
    const heard = hear(`ws://127.0.0.1:${tcp.port}`)
    const byRequests = hear(world.chain.url)
    const isHeard = async () => {
      await mine(world.chain.url)
      return heard.at(-1) === BigInt(await heightOf(world.chain.url))
    }
    await until(isHeard, 'a head')
    tcp.cut()
    const before = heard.length
    await until(async () => (await isHeard()) && heard.length > before, 'a head after the loss')
    expect(byRequests).toEqual([])
  })
})

test('a block counts once two have told it', async () => {
  const [a, b] = [await forTest(startTeller()), await forTest(startTeller())]
  const heard = hear(a.url, b.url)
  await Promise.all([a.isAsked(), b.isAsked()])
  b.tell(6)
  await until(() => heard.at(-1) === 6n, 'the only one that tells any')
  a.tell(9)
  b.tell(7)
  await until(() => heard.at(-1) === 7n, 'the second')
  b.tell(9)
  await until(() => heard.at(-1) === 9n, 'the second again')
  expect(heard).toEqual([6n, 7n, 9n])
})

test('who has told nothing for some seconds is not waited for', async () => {
  const [a, b] = [await forTest(startTeller()), await forTest(startTeller())]
  const heard = hear(a.url, b.url)
  await Promise.all([a.isAsked(), b.isAsked()])
  b.tell(5)
  await until(() => heard.length > 0, 'a head')
  let height = 100
  await until(async () => {
    a.tell(++height)
    await Bun.sleep(100)
    return (heard.at(-1) ?? 0n) > 100n
  }, 'heads of the one that is left')
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
  const heard = hear(teller.url)
  await teller.isAsked()
  teller.tell(1)
  teller.say('nonsense')
  teller.tell(2)
  await until(() => heard.length === 2, 'both heads')
  expect(heard).toEqual([1n, 2n])
})

test('an address that no socket takes leaves the others telling', async () => {
  const teller = await forTest(startTeller())
  const heard = hear('ws://127.0.0.1:1/#part', teller.url)
  await teller.isAsked()
  teller.tell(1)
  await until(() => heard.length === 1, 'a head')
})
