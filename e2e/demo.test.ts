import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operatorAccount } from '../infra/local/chain.ts'
import { createAdminClient } from './lab/admin-client.ts'
import { admin, png } from './lab/admin-verbs.ts'
import { builtPages } from './lab/built-pages.ts'
import { aContent, aPrize } from './lab/content.ts'
import { openStory, soon } from './lab/story.ts'
import { uploadPicture } from './lab/upload-picture.ts'
import {
  buyButton,
  openWalletDialog,
  ownTickets,
  pressBuy,
  recentRows,
  toastText,
  walletButton,
} from './lab/verbs.ts'

const story = openStory({
  demoWallet: true,
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
const source = async (path: string): Promise<string> => (await fetch(story.stack.url + path)).text()

// First, as what is raffled is told before the first ticket.
test('what is raffled is in the source of the page as soon as it is saved, in both languages, with its picture', async () => {
  expect(await source('/')).toContain('<span>One miner, </span>')
  const { page: open } = await story.visit({ withWallet: false })
  await login()
  const alt = { en: 'A red bicycle', ko: '빨간 자전거' }
  const picture = { key: await uploadPicture(call, png), alt }
  const content = aContent({
    title: { en: 'One <b>bicycle</b>', ko: '자전거 한 대' },
    prizes: [aPrize({ pictures: [picture as never] })],
  })
  const { version } = (await call('GET', '/api/admin/raffle/content')).body
  expect((await call('PUT', '/api/admin/raffle/content', { content, version })).status).toBe(200)

  await soon(() => source('/')).toContain('One &lt;b&gt;bicycle&lt;/b&gt;')
  await soon(() => open.locator('#home-title').innerText()).toContain('One <b>bicycle</b>')
  await soon(() => source('/ko/')).toContain('자전거 한 대')
  const path = /<img src="(\/api\/uploads\/[^"]+)"/.exec(await source('/'))?.[1]
  const served = await fetch(story.stack.url + path)
  expect([served.headers.get('content-type'), served.headers.get('cache-control')]).toEqual([
    'image/png',
    'public, max-age=31536000, immutable',
  ])
  const { page: reader } = await story.visit({ path: '/e/1/', javaScript: false, withWallet: false })
  await reader.getByRole('heading', { name: 'One <b>bicycle</b>' }).waitFor()
  expect(await reader.getByRole('img', { name: 'A red bicycle' }).isVisible()).toBe(true)
})

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
