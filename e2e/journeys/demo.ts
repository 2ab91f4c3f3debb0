import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { type Story, soon } from '../lab/story.ts'
import {
  buyButton,
  openWalletDialog,
  ownTickets,
  pressBuy,
  recentRows,
  toastText,
  walletButton,
} from '../lab/verbs.ts'

/** A purchase on pages of a local chain, which have a wallet of their own; somebody has bought before. */
export function demoJourney(story: Story): void {
  test('a newcomer without an extension buys with the Demo Wallet, and every open page follows', async () => {
    const { page: watcher } = await story.visit({ withWallet: false, path: '/#recent' })
    await recentRows(watcher).first().waitFor()
    const rows = await recentRows(watcher).count()
    const { page } = await story.visit({ withWallet: false })
    const dialog = await openWalletDialog(page)
    await dialog.getByRole('button', { name: 'Demo Wallet' }).click()
    await walletButton(page).waitFor()
    const asks = page.getByRole('dialog', { name: 'Approve transaction' })
    await pressBuy(page, 1)
    await asks.getByRole('button', { name: 'Reject' }).click()
    await toastText(page, 'Transaction Failed')
    expect(await buyButton(page).isEnabled()).toBe(true)

    await pressBuy(page, 33)
    await asks.waitFor()
    expect(await asks.innerText()).toContain('99 USDT')
    expect(await asks.locator('[data-to]').innerText()).toBe(operatorAccount.toLowerCase())
    await asks.getByRole('button', { name: 'Approve' }).click()
    const last = /^#\d+–#(\d+)$/.exec(await ownTickets(page))?.[1]
    await soon(() => recentRows(watcher).count()).toBe(rows + 1)
    await soon(() => watcher.locator('[data-slot="tickets-sold"]').first().textContent()).toBe(last)
  })
}
