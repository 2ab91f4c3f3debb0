import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usdtOnBsc } from '../../core/server/env.ts'
import { builtPages } from '../lab/built-pages.ts'
import { openPhoneWallet } from '../lab/phone-wallet.ts'
import { openStory, soon } from '../lab/story.ts'
import {
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  toastText,
  walletButton,
} from '../lab/verbs.ts'
import { startWalletRelay } from '../lab/wallet-relay.ts'

const story = openStory({ otherWallets: true })
const relay = startWalletRelay()
afterAll(relay.stop)
let phone: Awaited<ReturnType<typeof openPhoneWallet>>
beforeAll(async () => {
  phone = await openPhoneWallet({
    relayUrl: relay.url,
    rpcUrl: story.stack.chain.url,
    account: await story.account(7),
  })
})
afterAll(() => phone.close())

/** Hosts that AppKit tries once it runs; none of them answers here. */
const strangers = [/walletconnect|web3modal|reown|ERR_FAILED|bnbchain/i]

/** No outside host answers; the relay is our own, or silent. */
async function isolate(context: BrowserContext, { hasRelay }: { hasRelay: boolean }) {
  await context.route(/^https:/, (route) => route.abort())
  await context.routeWebSocket(/relay\.walletconnect/, (socket) => {
    if (!hasRelay) return
    const behind = new WebSocket(relay.url)
    const isOpen = new Promise((resolve) => behind.addEventListener('open', resolve))
    socket.onMessage((message) => void isOpen.then(() => behind.send(String(message))))
    socket.onClose(() => behind.close())
    behind.addEventListener('message', ({ data }) => socket.send(String(data)))
  })
}

async function visit(hasRelay: boolean) {
  const visitor = await story.visit({ path: '/favicon.svg', allow: strangers })
  await isolate(visitor.context, { hasRelay })
  const violations: string[] = []
  await visitor.context.exposeBinding('reportViolation', (_, text: string) => violations.push(text))
  await visitor.context.addInitScript(() => {
    const { reportViolation } = window as never as { reportViolation: (text: string) => void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      reportViolation(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    )
  })
  await visitor.page.goto(`${story.stack.url}/`)
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
