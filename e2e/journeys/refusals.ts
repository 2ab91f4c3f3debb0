import { expect, test } from 'vitest'
import { claims } from '../../db/schema/index.ts'
import { payByHand, payWithFakeToken } from '../lab/pay.ts'
import type { Story } from '../lab/story.ts'
import {
  buyButton,
  connectWallet,
  goTo,
  openWalletDialog,
  pressBuy,
  purchaseCard,
  toastText,
  walletButton,
} from '../lab/verbs.ts'

/** A wallet that is missing or says no, and payments that no page has made. */
export function refusals(story: Story): void {
  test('without a wallet the dialog leads to one, and can be tried again', async () => {
    const { page } = await story.visit({ withWallet: false })
    const dialog = await openWalletDialog(page)
    const connect = dialog.getByRole('button', { name: 'Connect MetaMask' })
    await connect.click()
    expect(await toastText(page, 'Connection Failed')).toMatch(/MetaMask가 설치되어 있지 않습니다/)
    const link = dialog.getByRole('link', { name: /Download MetaMask/ })
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
      'https://metamask.io/download/',
      '_blank',
    ])
    expect(await connect.isEnabled()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.closest('header') !== null)).toBe(true)
  })

  test('a wallet that refuses to connect or to pay, or lacks money, says why, records nothing, and may be asked again', async () => {
    const { page, wallet } = await story.visit({ account: 4 })
    const answer = wallet.hold('eth_requestAccounts')
    wallet.refuse('eth_requestAccounts')
    const dialog = await openWalletDialog(page)
    await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
    const connecting = dialog.getByRole('button', { name: 'Connecting...' })
    await connecting.waitFor()
    expect(await connecting.isDisabled()).toBe(true)
    answer()
    expect(await toastText(page, 'Connection Failed')).toBe('You rejected the request in MetaMask.')
    await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
    await walletButton(page).waitFor()

    const before = await story.stack.db.select().from(claims)
    wallet.refuse('eth_sendTransaction')
    await pressBuy(page, 5)
    expect(await toastText(page, 'Transaction Failed')).toBe('You rejected the request in MetaMask.')
    wallet.refuse('eth_sendTransaction', { code: -32000, message: 'insufficient funds for gas' })
    await buyButton(page).click()
    await toastText(page, 'Transaction Failed').then((text) =>
      expect(text).toBe('insufficient funds for gas'),
    )
    expect(await purchaseCard(page).count()).toBe(0)
    expect(await page.evaluate(() => localStorage.getItem('blockdraw:purchases'))).toBe(null)
    expect(await story.stack.db.select().from(claims)).toEqual(before)

    await buyButton(page).click()
    await toastText(page, 'Ticket Purchase Complete!')
    expect(wallet.sent()).toHaveLength(3)
  })

  test('a payment that was sent by hand is found by its hash and among the tickets of its wallet; what is no payment is told to be none', async () => {
    const { url } = story.stack.chain
    const payer = await story.account(3)
    const { page } = await story.visit({ account: 3, path: '/#recent' })
    const answer = page.locator('[data-answer]')
    const find = async (text: string) => {
      await page.getByLabel('Transaction hash').fill(text)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    await find('0x12')
    await page.getByText('A transaction hash is 0x and 64 digits from 0 to f.').waitFor()
    expect(await page.getByLabel('Transaction hash').getAttribute('aria-invalid')).toBe('true')
    await find(await payWithFakeToken(url, payer))
    await page.getByText('Only USDT (BEP-20) buys tickets.').waitFor()
    expect(await answer.locator('.badge').innerText()).toBe('Rejected')

    const hash = await payByHand(url, payer, 9)
    await find(`  ${hash.toUpperCase().replace('0X', '0x')} `)
    const told = await answer.getByText(/^Tickets #\d+–#\d+, counted\.$/).innerText()
    const numbers = /#\d+–#\d+/.exec(told)?.[0] ?? ''
    await connectWallet(page)
    await goTo(page, 'Buy Tickets')
    const mine = page.getByRole('region', { name: 'My tickets' })
    await mine.getByText(numbers).waitFor()
    await payByHand(url, payer, 3)
    await mine.getByText(/^#\d+$/).waitFor()
  })
}
