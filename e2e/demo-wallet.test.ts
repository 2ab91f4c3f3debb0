import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operatorAccount } from '../infra/local/chain.ts'
import { createAdminClient } from './lab/admin-client.ts'
import { admin, arrive, refusals } from './lab/admin-verbs.ts'
import { builtPages } from './lab/built-pages.ts'
import { finished } from './lab/desk-story.ts'
import { payByHand } from './lab/pay.ts'
import { connectOperator, prepare, sign } from './lab/refund-verbs.ts'
import { openStory } from './lab/story.ts'
import { until } from './lab/until.ts'
import { transfersBetween, usdtUnits } from './lab/usdt.ts'
import { goTo, openWalletDialog, ownTickets, pressBuy, toastText, walletButton } from './lab/verbs.ts'

const story = openStory({
  demoWallet: true,
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})

async function connectDemo() {
  const { page } = await story.visit({ withWallet: false })
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Demo Wallet' }).click()
  await walletButton(page).waitFor()
  return page
}

test('a newcomer without an extension buys with the Demo Wallet', async () => {
  const page = await connectDemo()
  await pressBuy(page, 33)
  const asks = page.getByRole('dialog', { name: 'Approve transaction' })
  await asks.waitFor()
  expect(await asks.innerText()).toContain('99 USDT')
  expect(await asks.locator('[data-to]').innerText()).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
  await asks.getByRole('button', { name: 'Approve' }).click()
  expect(await ownTickets(page)).toBe('#1–#33')
})

test('a rejection in the Demo Wallet pays nothing', async () => {
  const page = await connectDemo()
  await pressBuy(page, 1)
  await page
    .getByRole('dialog', { name: 'Approve transaction' })
    .getByRole('button', { name: 'Reject' })
    .click()
  await toastText(page, 'Transaction Failed')
  await goTo(page, 'Recent Purchases')
  const stats = await fetch(`${story.stack.url}/api/raffle/stats`).then((answer) => answer.json())
  expect(stats.ticketsSold).toBe(33)
})

test('an operator without an extension refunds from the dashboard with the Demo Wallet', async () => {
  const { url, chain } = story.stack
  const { call, login } = createAdminClient(() => url, admin)
  const token = await login()
  const payer = await story.account(3)
  await payByHand(chain.url, payer, 2)
  await until(
    async () => (await call('GET', '/api/admin/refunds?event=1')).body.summary.leftover.totalRefunds === 1,
    'what bought no ticket is owed',
  )
  const { page } = await story.visit({
    ...{ path: '/admin#refund', withWallet: false, allow: refusals },
    prepare: (context) =>
      context.addInitScript((token) => {
        if (location.protocol === 'http:') localStorage.setItem('adminToken', token)
      }, token),
  })
  await arrive(page)
  await prepare(page)
  await connectOperator(page)
  await sign(page)
  const asks = page.getByRole('dialog', { name: 'Approve transaction' })
  const hasPaid = async () =>
    (await transfersBetween(chain.url, { from: operatorAccount, to: payer })).length > 0
  // One window for each thing that the wallet is asked for: an allowance, and the payment.
  await until(async () => {
    if (await asks.isVisible()) await asks.getByRole('button', { name: 'Approve' }).click()
    return hasPaid()
  }, 'the refund is paid')
  await finished(page)
  const [paid] = await transfersBetween(chain.url, { from: operatorAccount, to: payer })
  expect(paid?.units).toBe(usdtUnits(2))
}, 120_000)

test('pages built for production contain neither the Demo Wallet nor a beacon of their own', async () => {
  const files = async (demoWallet: boolean) => {
    const dir = await builtPages({ demoWallet })
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|html|css)$/.test(name))
      .map((name) => readFileSync(join(dir, name), 'utf8'))
  }
  const hints = (texts: string[]) =>
    texts.filter((text) => /Demo Wallet|local\.blockdraw\.demo/.test(text)).length
  expect(hints(await files(true))).toBeGreaterThan(0)
  expect(hints(await files(false))).toBe(0)
  // The beacon of a local chain begins at this second; only its key and that make another network than drand's.
  expect((await files(false)).filter((text) => /\b(1600000000|16e8|1\.6e9)\b/.test(text))).toEqual([])
})
