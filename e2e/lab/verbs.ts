import type { BrowserContext, Locator, Page } from 'playwright-core'
import stillEnglish from '../../site/src/messages/en/still.json'
import stillKorean from '../../site/src/messages/ko/still.json'
import { en } from '../../site/src/texts/en.ts'
import { ko } from '../../site/src/texts/ko.ts'
import { until } from './until.ts'

const names = {
  Home: 'home',
  'Buy Tickets': 'buy',
  'Recent Purchases': 'recent',
  Winner: 'winner',
  'Next Event': 'next',
} as const
type Section = keyof typeof names

/** What this page says, in its language. */
export const wordsOf = (page: Page) =>
  new URL(page.url()).pathname.startsWith('/ko/')
    ? { t: ko, still: stillKorean }
    : { t: en, still: stillEnglish }

/** Through the folded menu where there is one. */
export async function goTo(page: Page, section: Section): Promise<void> {
  const { header, sections } = wordsOf(page).still
  const menu = page.getByRole('button', { name: header.menu, exact: true })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
  await page
    .getByRole('navigation', { name: header.nav })
    .getByRole('button', { name: sections[names[section]], exact: true })
    .click()
}

/** A visit for which these scripts come only once they are let go. */
export function holdBack(scripts: RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const prepare = (context: BrowserContext) =>
    context.route(scripts, async (route) => {
      await promise
      await route.continue()
    })
  return { letGo: () => resolve(), held: { withWallet: false, isEarly: true, prepare } }
}

export const openWalletDialog = async (page: Page): Promise<Locator> => {
  const { title } = wordsOf(page).t.wallet
  await page.locator('header').getByRole('button', { name: title }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

/** Through the dialog, until the header shows the address. */
export async function connectWallet(page: Page): Promise<void> {
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: wordsOf(page).t.wallet.metaMask }).click()
  await walletButton(page).waitFor()
}

/** The header's button once a wallet is connected. */
export const walletButton = (page: Page): Locator =>
  page.locator('header').getByRole('button', { name: /^0x/ })

/** Presses the buy button for so many tickets; the wallet answers on its own. */
export async function pressBuy(page: Page, quantity: number): Promise<void> {
  await goTo(page, 'Buy Tickets')
  await page.locator('#quantity').fill(`${quantity}`)
  await buyButton(page).click()
}

export const buyButton = (page: Page): Locator => page.locator('#buy [data-pay] button')

/** The newest of the buyer's purchases. */
export const purchaseCard = (page: Page): Locator =>
  page.getByRole('region', { name: wordsOf(page).t.purchase.title }).first()

/** "#1–#33", once the tickets are there. */
export async function ownTickets(page: Page): Promise<string> {
  const number = purchaseCard(page).locator('[data-numbers]')
  await number.waitFor()
  return number.innerText()
}

/** What a visit keeps of a toast that was shown. */
export type ToastNote = { text: string; parts: string[]; isRead: boolean }

/** Waits for a toast with this title and answers with its text, once: also when it has gone by itself meanwhile. */
export async function toastText(page: Page, title: string): Promise<string> {
  const read = (title: string): string | undefined => {
    const { toastNotes = [] } = window as { toastNotes?: ToastNote[] }
    const noted = toastNotes.findLast(({ parts, isRead }) => !isRead && parts.includes(title))
    if (noted) noted.isRead = true
    return noted?.text
  }
  let text: string | undefined
  // A page that is being opened has no toast yet.
  const look = async () => {
    text = await page.evaluate(read, title).catch(() => undefined)
    return text !== undefined
  }
  await until(look, `the toast "${title}"`)
  return text ?? ''
}

export const recentRows = (page: Page): Locator =>
  page.getByRole('list', { name: wordsOf(page).t.recent.name }).getByRole('listitem')
