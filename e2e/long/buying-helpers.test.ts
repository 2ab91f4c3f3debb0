import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { installStream, openTeller } from '../lab/states.ts'
import { openStory, soon } from '../lab/story.ts'
import { connectWallet, goTo, walletButton } from '../lab/verbs.ts'

const story = openStory()
const token = '0x55d398326f99059fF775485246999027B3197955'

test('a preset sets quantity and sum and is shown as selected', async () => {
  const { page } = await story.visit({ path: '/#buy', withWallet: false })
  const presets = page.getByRole('group', { name: 'Usual quantities' })
  await page.locator('#quantity:enabled').waitFor()
  expect(await presets.getByRole('button').allInnerTexts()).toEqual(['1', '5', '10', '33', '100'])
  await presets.getByRole('button', { name: '33' }).click()
  expect([
    await page.locator('#quantity').inputValue(),
    await page.locator('#buy output').innerText(),
  ]).toEqual(['33', '99 USDT'])
  expect(await presets.locator('[aria-pressed="true"]').innerText()).toBe('33')
  await page.locator('#quantity').fill('34')
  expect(await presets.locator('[aria-pressed="true"]').count()).toBe(0)
})

test('the page says what the wallet lacks before anything is signed, and the button stays on', async () => {
  const account = await story.account(6)
  await rpc(story.stack.chain.url, 'anvil_setBalance', [account, '0x1'])
  const { page, wallet } = await story.visit({ account: 6, path: '/#buy' })
  await connectWallet(page)
  const hint = page.locator('#buy-reason')
  await soon(() => hint.innerText()).toMatch(
    /^Not enough BNB for the network fee: up to [\d.]+ BNB are needed\.$/,
  )
  await page.locator('#quantity').fill('1000000')
  await soon(() => hint.innerText()).toMatch(/^Not enough USDT \(1,000,000 of 3,000,000\), and no BNB/)
  expect(await page.locator('#buy [data-pay] button').isEnabled()).toBe(true)
  await rpc(story.stack.chain.url, 'anvil_setBalance', [account, '0x8ac7230489e80000'])
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await soon(() => hint.innerText()).toMatch(
    /^Not enough USDT: this wallet holds 1,000,000, and 3,000,000 are needed\.$/,
  )
  await page.locator('#quantity').fill('1')
  await soon(() => hint.innerText()).toBe('One transfer of USDT on BSC.')
  expect(wallet.sent()).toEqual([])
})

test('a phone gets the exact transfer by EIP-681, as a QR code and as a link', async () => {
  const { page } = await story.visit({ path: '/#buy', withWallet: false })
  await page.locator('#quantity:enabled').fill('33')
  await page.locator('#buy summary', { hasText: 'Pay from a phone' }).click()
  const link = page.getByRole('link', { name: 'Open in a wallet app' })
  expect(await link.getAttribute('href')).toBe(
    `ethereum:${token}@56/transfer?address=${operatorAccount}&uint256=99000000000000000000`,
  )
  const dark = page.getByRole('img', { name: 'QR code of this payment' }).locator('path')
  await soon(() => dark.getAttribute('d')).toMatch(/^M/)
  const before = await dark.getAttribute('d')
  await page.locator('#quantity').fill('34')
  await soon(() => dark.getAttribute('d')).not.toBe(before)
  await goTo(page, 'Home')
  await page.locator('#home [data-qr] summary').click()
  await soon(() =>
    page.getByRole('img', { name: operatorAccount }).locator('path').getAttribute('d'),
  ).toMatch(/^M/)
})

test('the draw date can be added to a calendar once it is set', async () => {
  const { page } = await story.visit({ withWallet: false, prepare: installStream })
  const tell = openTeller(page, story.stack.url)
  const button = page.locator('#home [data-calendar]')
  await tell({})
  expect(await button.isDisabled()).toBe(true)
  await tell({ config: { drawDate: '2055-09-30T12:00:00.000Z' } })
  await soon(() => button.isEnabled()).toBe(true)
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toBe('blockdraw-draw-1.ics')
  const file = readFileSync(await download.path(), 'utf8')
  expect(file).toContain('DTSTART:20550930T120000Z')
  expect(file).toContain('SUMMARY:Blockdraw: draw of event 1')
})

test('the header shows the first 4 and last 4 characters of the address with its checksum', async () => {
  const { page } = await story.visit({ account: 1 })
  await connectWallet(page)
  await soon(() => walletButton(page).innerText()).toBe('0x70…79C8')
})
