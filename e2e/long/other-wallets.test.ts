import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UniversalProvider } from '@walletconnect/universal-provider'
import type { ServerWebSocket } from 'bun'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { builtPages } from '../lab/built-pages.ts'
import { openStory, soon, violationsIn } from '../lab/story.ts'
import {
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  toastText,
  walletButton,
} from '../lab/verbs.ts'

const story = openStory({ otherWallets: true })
const relay = startWalletRelay()
afterAll(relay.stop)
let phone: Awaited<ReturnType<typeof openPhoneWallet>>
beforeAll(async () => {
  phone = await openPhoneWallet(story.stack.chain.url, await story.account(7))
})
afterAll(() => phone.close())

/** Hosts that AppKit tries once it runs; none of them answers here. */
const strangers = [/walletconnect|web3modal|reown|ERR_FAILED|bnbchain/i]

/** A visit in which no outside host answers; the relay is our own, or silent. */
async function visit(hasRelay: boolean) {
  const visitor = await story.visit({ path: '/favicon.svg', allow: strangers })
  const { context, page } = visitor
  await context.route(/^https:/, (route) => route.abort())
  await context.routeWebSocket(/relay\.walletconnect/, (socket) => {
    if (!hasRelay) return
    const behind = new WebSocket(relay.url)
    const isOpen = new Promise((resolve) => behind.addEventListener('open', resolve))
    socket.onMessage((message) => void isOpen.then(() => behind.send(String(message))))
    socket.onClose(() => behind.close())
    behind.addEventListener('message', ({ data }) => socket.send(String(data)))
  })
  const violations = await violationsIn(context)
  await page.goto(`${story.stack.url}/`)
  return { ...visitor, violations }
}

const pressOther = async (page: Page) => {
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Other wallets' }).click()
  return dialog
}

/** The content of AppKit's QR code, read from its nested shadow roots. */
async function codeOf(page: Page): Promise<string> {
  const read = () =>
    page.evaluate(() => {
      const find = (root: ParentNode): string | undefined => {
        for (const element of root.querySelectorAll('*')) {
          const { uri } = element as { uri?: string }
          if (element.localName === 'wui-qr-code' && uri) return uri
          const inside = element.shadowRoot && find(element.shadowRoot)
          if (inside) return inside
        }
        return undefined
      }
      return find(document) ?? ''
    })
  await soon(read).toMatch(/^wc:/)
  return read()
}

test('before the press nothing of AppKit loads and no request is sent', async () => {
  const { page, context } = await visit(true)
  const asked: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  await page.reload()
  const dialog = await openWalletDialog(page)
  const other = dialog.getByRole('button', { name: 'Other wallets' })
  await other.waitFor()
  expect(asked.filter((url) => !url.startsWith(story.stack.url))).toEqual([])
  const before = asked.length
  await other.click()
  await codeOf(page)
  expect(asked.slice(before).some((url) => url.includes('/_astro/appkit.'))).toBe(true)
  expect(asked.slice(0, before).some((url) => url.includes('/_astro/appkit.'))).toBe(false)
  await page.keyboard.press('Escape')
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).waitFor()
})

test('A8: a phone connects by the QR code, stays through a reload, pays, and ends the session', async () => {
  const { page, violations } = await visit(true)
  await pressOther(page)
  const code = await codeOf(page)
  // Its styles are there: the modal lies over the page.
  expect(await page.locator('w3m-modal').evaluate((modal) => getComputedStyle(modal).position)).toBe('fixed')
  expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).toBe('hidden')
  await phone.scan(code)
  expect(await toastText(page, 'Wallet Connected')).toBe('Pocket is connected to the BSC network.')
  const shown = await walletButton(page).innerText()
  await page.reload()
  await walletButton(page).waitFor()
  expect(await walletButton(page).innerText()).toBe(shown)
  await pressBuy(page, 2)
  expect(await ownTickets(page)).toBe('#1–#2')
  const [payment, ...more] = phone.asked.filter(({ method }) => method === 'eth_sendTransaction')
  expect(more).toEqual([])
  expect(payment?.params).toMatchObject([{ from: await story.account(7), to: usdtOnBsc, value: '0x0' }])
  await phone.leave()
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).waitFor()
  expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).not.toBe('hidden')
  expect(violations).toEqual([])
})

test('a disconnect here ends the session there', async () => {
  const { page } = await visit(true)
  await pressOther(page)
  await phone.scan(await codeOf(page))
  await walletButton(page).click()
  await toastText(page, 'Wallet Disconnected')
  await soon(async () => phone.sessions()).toBe(0)
  await page.reload()
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).waitFor()
})

test('a silent relay is given up after a while, and the page keeps working', async () => {
  const { page } = await visit(false)
  const dialog = await pressOther(page)
  const text = 'Other wallets cannot be reached just now. Try again, or use a wallet in this browser.'
  await dialog.getByText(text).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Close' }).first().click()
  expect(await page.locator('w3m-modal.open').count()).toBe(0)
  await goTo(page, 'Recent Purchases')
  await connectWallet(page)
})

test('a build without a project does not contain AppKit', async () => {
  const scripts = async (otherWallets: boolean) => {
    const dir = join(await builtPages({ demoWallet: false, otherWallets }), '_astro')
    const names = readdirSync(dir).filter((name) => name.endsWith('.js'))
    return names.filter((name) => /reown|w3m-modal/.test(readFileSync(join(dir, name), 'utf8'))).length
  }
  expect(await scripts(true)).toBeGreaterThan(0)
  expect(await scripts(false)).toBe(0)
})

/** A wallet on another device, that approves everything: it reads a code and signs over the relay. */
async function openPhoneWallet(rpcUrl: string, account: Address) {
  const { client } = await UniversalProvider.init({
    ...{ projectId: '0123456789abcdef0123456789abcdef', relayUrl: relay.url, logger: 'silent' },
    metadata: { name: 'Pocket', description: 'A test', url: 'https://pocket.example', icons: [] },
    ...{ telemetryEnabled: false, storageOptions: { database: ':memory:' } },
  })
  const asked: { method: string; params: unknown }[] = []
  client.on('session_proposal', async ({ id, params }) => {
    const { chains = [], methods, events } = params.optionalNamespaces.eip155 ?? { methods: [], events: [] }
    const accounts = chains.map((chain) => `${chain}:${account}`)
    await client.approve({ id, namespaces: { eip155: { chains, accounts, methods, events } } })
  })
  client.on('session_request', async ({ id, topic, params: { request } }) => {
    asked.push(request)
    const result = await rpc(rpcUrl, request.method, request.params)
    await client.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  })
  return {
    asked,
    scan: (uri: string) => client.pair({ uri }),
    sessions: () => client.session.getAll().length,
    /** Ends all sessions, as a person does in the wallet's settings. */
    leave: async () => {
      const reason = { code: 6000, message: 'User disconnected.' }
      for (const { topic } of client.session.getAll()) await client.disconnect({ topic, reason })
    },
    close: () => client.core.relayer.transportClose(),
  }
}

type Call = { id: number | string; method: string; params: Record<string, unknown> }
type Peer = { topics: Set<string> }

/** A relay of WalletConnect: hands sealed messages to the other peers of a topic, and keeps them for who comes later. */
function startWalletRelay() {
  const peers = new Set<ServerWebSocket<Peer>>()
  const kept = new Map<string, string[]>()
  let next = 1

  const send = (peer: ServerWebSocket<Peer>, topic: string, message: string) => {
    const data = { topic, message, publishedAt: Date.now(), tag: 0 }
    const params = { id: topic, data }
    peer.send(JSON.stringify({ id: next++, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
  const publish = (from: ServerWebSocket<Peer>, topic: unknown, message: unknown) => {
    if (typeof topic !== 'string' || typeof message !== 'string') return
    const readers = [...peers].filter((peer) => peer !== from && peer.data.topics.has(topic))
    for (const peer of readers) send(peer, topic, message)
    if (readers.length === 0) kept.set(topic, [...(kept.get(topic) ?? []), message])
  }
  const subscribe = (peer: ServerWebSocket<Peer>, topics: unknown[]) => {
    for (const topic of topics.map(String)) {
      peer.data.topics.add(topic)
      for (const message of kept.get(topic) ?? []) send(peer, topic, message)
      kept.delete(topic)
    }
    return topics
  }
  const answer = (peer: ServerWebSocket<Peer>, { method, params }: Call): unknown => {
    switch (method) {
      case 'irn_subscribe':
        return subscribe(peer, [params.topic])[0]
      case 'irn_batchSubscribe':
        return subscribe(peer, params.topics as string[])
      case 'irn_publish':
        return publish(peer, params.topic, params.message) ?? true
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        subscribe(peer, [params.pairingTopic])
        return publish(peer, params.pairingTopic, params.sessionProposal) ?? true
      case 'wc_approveSession':
        subscribe(peer, [params.sessionTopic])
        publish(peer, params.pairingTopic, params.sessionProposalResponse)
        return publish(peer, params.sessionTopic, params.sessionSettlementRequest) ?? true
      default:
        return true
    }
  }

  const server = Bun.serve<Peer>({
    port: 0,
    fetch: (request, own) =>
      own.upgrade(request, { data: { topics: new Set() } }) ? undefined : new Response(null, { status: 400 }),
    websocket: {
      open: (peer) => void peers.add(peer),
      close: (peer) => void peers.delete(peer),
      message: (peer, text) => {
        const call = JSON.parse(String(text)) as Call
        if (!call.method) return // an answer to one of ours
        peer.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: answer(peer, call) }))
      },
    },
  })
  return { url: `ws://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
