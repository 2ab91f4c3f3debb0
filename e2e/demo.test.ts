import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operatorAccount } from '../infra/local/chain.ts'
import { builtPages } from './lab/built-pages.ts'
import { openStory, soon } from './lab/story.ts'
import {
  buyButton,
  openWalletDialog,
  ownTickets,
  pressBuy,
  recentRows,
  toastText,
  walletButton,
} from './lab/verbs.ts'

const story = openStory({ demoWallet: true })

test('a newcomer without an extension buys with the Demo Wallet, and every open page follows', async () => {
  const { page: watcher } = await story.visit({ withWallet: false, path: '/#recent' })
  await watcher.getByText('No tickets purchased yet.').waitFor()
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
  expect(await ownTickets(page)).toBe('#1–#33')
  await soon(() => recentRows(watcher).count()).toBe(1)
  await soon(() => watcher.locator('[data-slot="tickets-sold"]').first().textContent()).toBe('33')
})

test('pages built for production contain neither the Demo Wallet nor a beacon of their own', async () => {
  const files = async (demoWallet: boolean) => {
    const dir = await builtPages({ demoWallet })
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|html|css)$/.test(name))
      .map((name) => readFileSync(join(dir, name), 'utf8'))
  }
  const hints = (texts: string[]) =>
    texts.filter((text) => /Demo Wallet|local\.blockdraw\.demo/.test(text)).length
  const [local, production] = [await files(true), await files(false)]
  expect([hints(local) > 0, hints(production)]).toEqual([true, 0])
  // The beacon of a local chain begins at this second; only its key and that make another network than drand's.
  expect(production.filter((text) => /\b(1600000000|16e8|1\.6e9)\b/.test(text))).toEqual([])
})
