import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startPostgres } from '../../../infra/local/postgres.ts'
import { openBrowser } from '../../lab/browser.ts'
import { accountsOf } from '../../lab/chain-verbs.ts'
import { startStack } from '../../lab/stack.ts'
import {
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  purchaseCard,
  toastText,
  wordsOf,
} from '../../lab/verbs.ts'
import { createWallet } from '../../lab/wallet.ts'
import { openHouse } from './house-states.ts'
import { fakeState, madeUp } from './screen-states.ts'

/**
 * `bun e2e/long/screens/screens.ts OUTDIR [widths] [languages] [themes] [states]`: pictures of every public state at four
 * widths, in both languages, light and dark, for review by people. With names, or beginnings of names, of made-up states
 * those alone.
 */
const [outDir, chosen = '1440,768,390,320', languages = 'en,ko', themes = 'light,dark', states] =
  process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/long/screens/screens.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
const postgres = await startPostgres({ dataDir, durable: false })
const stack = await startStack({ database: { url: postgres.url, close: async () => undefined } })
const browser = await openBrowser()
try {
  for (const width of chosen.split(',').map(Number))
    for (const language of languages.split(',') as Look['language'][])
      for (const theme of themes.split(',') as Look['theme'][]) await takeAll({ width, language, theme })
} finally {
  await browser.close()
  await stack.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

type Look = { width: number; language: 'en' | 'ko'; theme: 'light' | 'dark' }

async function takeAll(look: Look): Promise<void> {
  const { width, language, theme } = look
  const shot = (page: Page, name: string, fullPage = true) =>
    page.screenshot({ path: join(outDir as string, `${width}-${language}-${theme}-${name}.png`), fullPage })
  if (!states) {
    await buying(look, shot)
    await still(look, shot)
  }
  for (const [name, section, state, promised] of madeUp()) {
    if (states && !states.split(',').some((wanted) => name.startsWith(wanted))) continue
    const context = await openContext(browser, look)
    await fakeState(context, stack, state, promised)
    const page = await context.newPage()
    await page.goto(`${homeOf(look)}#${section}`)
    await settle(page)
    if (name.startsWith('start')) await page.locator('#home [data-open-draw]').click()
    if (name.startsWith('overlay') || name.startsWith('start'))
      await page.locator('#draw dialog[open]').waitFor()
    if (name.startsWith('buy-cover')) await page.locator('[data-cover]').scrollIntoViewIfNeeded()
    if (name.startsWith('buy-sales')) await page.locator('[data-sales]').scrollIntoViewIfNeeded()
    if (/^buy-(sales|cover-(?!loading))/.test(name))
      await page.waitForFunction(() => !document.querySelector('#buy astro-island[ssr]'))
    if (name === 'buy-cover-others')
      for (const part of await page.locator('[data-cover] summary').all()) await part.click()
    if (name.startsWith('winner-several')) {
      await page.locator('#winner .fairness > header').first().scrollIntoViewIfNeeded()
      await page.getByRole('article').waitFor()
    }
    if (name.startsWith('house')) await openHouse(page, name)
    if (name === 'winner-would-have-won' || name.startsWith('winner-several'))
      for (const part of await page.locator('#winner summary').all()) await part.click()
    await shot(page, name, !/^(overlay|start)/.test(name))
    await context.close()
  }
}

function homeOf({ language }: Look): string {
  return `${stack.url}/${language === 'ko' ? 'ko/' : ''}`
}

type Shot = (page: Page, name: string, fullPage?: boolean) => Promise<unknown>

/** From the first view to the ticket, on the real chain. */
async function buying(look: Look, shot: Shot): Promise<void> {
  const accounts = (await accountsOf(stack.chain.url)).slice(1, 2)
  const wallet = createWallet({ accounts, rpcUrl: stack.chain.url })
  const context = await openContext(browser, look)
  await wallet.install(context)
  const page = await context.newPage()
  await page.goto(homeOf(look))
  await settle(page)
  await shot(page, 'home')
  await openWalletDialog(page)
  await shot(page, 'wallet-dialog', false)
  await page.keyboard.press('Escape')
  await go(page, 'Buy Tickets')
  await shot(page, 'buy')
  await connectWallet(page)
  await toastText(page, wordsOf(page).t.wallet.connected)
  await shot(page, 'buy-connected', false)
  const approve = wallet.hold('eth_sendTransaction')
  await openMenu(page)
  await pressBuy(page, 33)
  await toastText(page, wordsOf(page).t.buyToasts.progressTitle)
  await shot(page, 'buy-approve')
  approve()
  await purchaseCard(page).getByText(wordsOf(page).t.purchase.approved).waitFor()
  await shot(page, 'buy-sent')
  await ownTickets(page)
  await settle(page)
  await shot(page, 'buy-credited')
  wallet.refuse('eth_sendTransaction')
  await openMenu(page)
  await pressBuy(page, 1)
  await toastText(page, wordsOf(page).t.buyToasts.failedTitle)
  await shot(page, 'buy-failed', false)
  for (const [section, name] of [
    ['Recent Purchases', 'recent'],
    ['Winner', 'winner'],
    ['Next Event', 'next'],
  ] as const) {
    await go(page, section)
    await settle(page)
    await shot(page, name)
  }
  await context.close()
}

/** States without a wallet: the menu, the 404 page, nothing loaded yet, no wallet found. */
async function still(look: Look, shot: Shot): Promise<void> {
  const context = await openContext(browser, look)
  const page = await context.newPage()
  await page.goto(`${stack.url}/nowhere`)
  await shot(page, '404')
  await page.goto(homeOf(look))
  await settle(page)
  if (await openMenu(page)) await shot(page, 'menu', false)
  await page.keyboard.press('Escape')
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: wordsOf(page).t.wallet.metaMask }).click()
  await toastText(page, wordsOf(page).t.wallet.failed)
  await shot(page, 'no-wallet', false)
  await context.route('**/api/**', (route) => route.abort())
  await page.goto(`${homeOf(look)}#recent`)
  await page.reload()
  await page.locator('[data-skeleton]').first().waitFor()
  await page.locator('header [data-link]:visible').waitFor()
  await shot(page, 'recent-loading')
  await context.close()
}

function openContext(from: Browser, { width, theme }: Look): Promise<BrowserContext> {
  const viewport = { width, height: width < 700 ? 800 : 900 }
  return from.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
}

/** Waits until what is on the screen has come, fonts are loaded and fade-ins are over. */
async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(() =>
      [...document.querySelectorAll('main [aria-busy="true"]')].every((part) => !part.checkVisibility()),
    )
    .catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(400)
}

/** True if there is a menu to open at this width. */
async function openMenu(page: Page): Promise<boolean> {
  const button = page.getByRole('button', { name: wordsOf(page).still.header.menu, exact: true })
  if (!(await button.isVisible())) return false
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return true
}

async function go(page: Page, section: Parameters<typeof goTo>[1]): Promise<void> {
  await openMenu(page)
  await goTo(page, section)
}
