import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
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
  wordsOf,
} from '../../lab/verbs.ts'
import { createWallet } from '../../lab/wallet.ts'
import { fakeState } from './fake-state.ts'
import { madeUp, openHouse, owners, ownReport } from './screen-states.ts'

type Look = { width: number; language: 'en' | 'ko'; theme: 'light' | 'dark' }

/**
 * `bun e2e/long/screens/screens.ts OUTDIR [widths] [languages] [themes] [beginnings of names]`, each a list with commas: a
 * picture of every public state, for review by people.
 */
const studio = await openStudio()
const { stack, open, shot, isWanted } = studio
try {
  for (const look of studio.looks) {
    if (isWanted('buying')) await buying(look)
    if (isWanted('still')) await still(look)
    for (const [name] of madeUp()) if (isWanted(name)) await madeUpState(look, name)
  }
} finally {
  await studio.close()
}

function homeOf({ language }: Look): string {
  return `${stack.url}/${language === 'ko' ? 'ko/' : ''}`
}

/** One that takes days to reach; its moments are told from now. */
async function madeUpState(look: Look, wanted: string): Promise<void> {
  const [name, section, state] = madeUp().find(([each]) => each === wanted) ?? []
  if (!name || !state) throw new Error(`no state ${wanted}`)
  const [, account] = Object.entries(owners).find(([own]) => name.endsWith(own)) ?? []
  const page = await open(look, async (context) => {
    await fakeState(context, stack, state)
    if (account === undefined) return
    const accounts = (await accountsOf(stack.chain.url)).slice(account, account + 1)
    await createWallet({ accounts, rpcUrl: stack.chain.url }).install(context)
    const report = ownReport(accounts[0] as `0x${string}`, name)
    await context.route('**/api/tickets/wallet/*', (route) => route.fulfill({ json: report }))
  })
  await page.goto(`${homeOf(look)}#${section}`)
  await settle(page)
  if (account !== undefined) await connectWallet(page)
  if (name.startsWith('start')) await page.locator('#home [data-open-draw]').click()
  if (/^(overlay|start)/.test(name)) await page.locator('#draw dialog[open]').waitFor()
  if (name.startsWith('buy-cover')) await page.locator('[data-cover]').scrollIntoViewIfNeeded()
  if (name.startsWith('buy-sales')) await page.locator('[data-sales]').scrollIntoViewIfNeeded()
  if (/^buy-(sales|cover-(?!loading))/.test(name))
    await page.waitForFunction(() => !document.querySelector('#buy astro-island[ssr]'))
  if (name.startsWith('house')) await openHouse(page, name)
  if (name.startsWith('winner-several'))
    for (const part of await page.locator('#winner summary').all()) await part.click()
  await shot(page, look, name, !/^(overlay|start)/.test(name))
  await page.context().close()
}

/** From the first view to the ticket, on the real chain. */
async function buying(look: Look): Promise<void> {
  const accounts = (await accountsOf(stack.chain.url)).slice(1, 2)
  const wallet = createWallet({ accounts, rpcUrl: stack.chain.url })
  const page = await open(look, (context) => wallet.install(context))
  await page.goto(homeOf(look))
  await shot(page, look, 'home')
  await openWalletDialog(page)
  await shot(page, look, 'wallet-dialog', false)
  await page.keyboard.press('Escape')
  await goTo(page, 'Buy Tickets')
  await shot(page, look, 'buy')
  await connectWallet(page)
  const { t } = wordsOf(page)
  await toast(page, t.wallet.connected)
  await shot(page, look, 'buy-connected', false)
  const approve = wallet.hold('eth_sendTransaction')
  await pressBuy(page, 33)
  await toast(page, t.buyToasts.progressTitle)
  await shot(page, look, 'buy-approve')
  approve()
  await purchaseCard(page).getByText(t.purchase.approved).waitFor()
  await shot(page, look, 'buy-sent')
  await ownTickets(page)
  await shot(page, look, 'buy-credited')
  wallet.refuse('eth_sendTransaction')
  await pressBuy(page, 1)
  await toast(page, t.buyToasts.failedTitle)
  await shot(page, look, 'buy-failed', false)
  for (const [section, name] of [
    ['Recent Purchases', 'recent'],
    ['Winner', 'winner'],
    ['Next Event', 'next'],
  ] as const) {
    await goTo(page, section)
    await shot(page, look, name)
  }
  await page.context().close()
}

/** States without a wallet: the menu, the 404 page, nothing loaded yet, no wallet found. */
async function still(look: Look): Promise<void> {
  const page = await open(look)
  await page.goto(`${stack.url}/nowhere`)
  await shot(page, look, '404')
  await page.goto(homeOf(look))
  if (await openMenu(page)) await shot(page, look, 'menu', false)
  await page.keyboard.press('Escape')
  const dialog = await openWalletDialog(page)
  const { t } = wordsOf(page)
  await dialog.getByRole('button', { name: t.wallet.metaMask }).click()
  await toast(page, t.wallet.failed)
  await shot(page, look, 'no-wallet', false)
  await page.context().route('**/api/**', (route) => route.abort())
  await page.goto(`${homeOf(look)}#recent`)
  await page.reload()
  await page.locator('header [data-link]:visible').waitFor()
  await shot(page, look, 'recent-loading')
  await page.context().close()
}

/** True if there is a menu to open at this width. */
async function openMenu(page: Page): Promise<boolean> {
  const button = page.getByRole('button', { name: wordsOf(page).still.header.menu, exact: true })
  if (!(await button.isVisible())) return false
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return true
}

function toast(page: Page, title: string): Promise<void> {
  return page.locator('#toasts li').getByText(title, { exact: true }).waitFor()
}

/** Where pictures are taken. */
async function openStudio() {
  const [outDir, widths = '1440,390', languages = 'en,ko', themes = 'light,dark', names = ''] =
    process.argv.slice(2)
  if (!outDir) {
    console.error('Say where the pictures go: OUTDIR [widths] [languages] [themes] [beginnings of names]')
    process.exit(1)
  }
  mkdirSync(outDir, { recursive: true })
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
  chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
  const postgres = await startPostgres({ dataDir, durable: false })
  const stack = await startStack({ database: { url: postgres.url, close: async () => undefined } })
  const browser = await openBrowser()
  const looks: Look[] = widths
    .split(',')
    .flatMap((width) =>
      (languages.split(',') as Look['language'][]).flatMap((language) =>
        (themes.split(',') as Look['theme'][]).map((theme) => ({ width: Number(width), language, theme })),
      ),
    )
  return {
    ...{ stack, looks },
    isWanted: (name: string) => names.split(',').some((wanted) => name.startsWith(wanted)),
    open: async ({ width, theme }: Look, prepare?: (context: BrowserContext) => Promise<unknown>) => {
      const viewport = { width, height: width < 700 ? 800 : 900 }
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      context.setDefaultTimeout(15_000)
      await prepare?.(context)
      return context.newPage()
    },
    /** A picture of the whole page, or of the visible part. */
    shot: async (page: Page, { width, language, theme }: Look, name: string, fullPage = true) => {
      await settle(page)
      await page.screenshot({ path: join(outDir, `${width}-${language}-${theme}-${name}.png`), fullPage })
    },
    close: async () => {
      await browser.close()
      await stack.stop()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Waits until data, pictures and fonts are there and fade-ins are over. */
async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () =>
        [...document.querySelectorAll('[aria-busy=true], .bone')].every((part) => !part.checkVisibility()),
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => undefined)
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
    await document.fonts.ready
  })
  await page.waitForTimeout(400)
}
