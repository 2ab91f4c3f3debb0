import type { Locator, Page } from 'playwright-core'

type Section = 'Home' | 'Buy Tickets' | 'Recent Purchases' | 'Winner' | 'Next Event'

export const goTo = (page: Page, section: Section): Promise<void> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: section }).click()

export const openWalletDialog = async (page: Page): Promise<Locator> => {
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' })
  await dialog.waitFor()
  return dialog
}

/** Through the dialog, until the header shows the address. */
export async function connectWallet(page: Page): Promise<void> {
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  await walletButton(page).waitFor()
}

/** The header's button once a wallet is connected. */
export const walletButton = (page: Page): Locator =>
  page.locator('header').getByRole('button', { name: /^0x/ })

/** Presses the buy button for so many tickets; the wallet answers on its own. */
export async function pressBuy(page: Page, quantity: number): Promise<void> {
  await goTo(page, 'Buy Tickets')
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(`${quantity}`)
  await buyButton(page).click()
}

export const buyButton = (page: Page): Locator => page.locator('#buy .slip-stub button')

/** The newest of the buyer's purchases. */
export const purchaseCard = (page: Page): Locator =>
  page.getByRole('region', { name: 'Your purchase' }).first()

/** "#1–#33", once the tickets are there. */
export async function ownTickets(page: Page): Promise<string> {
  const number = purchaseCard(page).locator('.own-ticket-number')
  await number.waitFor()
  return number.innerText()
}

/** Waits for a toast with this title and answers with its text. */
export async function toastText(page: Page, title: string): Promise<string> {
  const toast = page.locator('.toast', { has: page.getByText(title, { exact: true }) })
  await toast.waitFor()
  return toast.locator('.toast-text').innerText()
}

export const recentRows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Recently purchased tickets' }).getByRole('listitem')
