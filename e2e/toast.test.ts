import { expect, test } from 'vitest'
import { openStory, soon } from './lab/story.ts'
import { connectWallet, toastText, walletButton } from './lab/verbs.ts'

const story = openStory()

test('one toast at a time, gone by itself after some seconds', async () => {
  const { page } = await story.visit()
  const toasts = page.locator('#toasts li')
  await connectWallet(page)
  await toastText(page, 'Wallet Connected')
  await walletButton(page).click()
  await toastText(page, 'Wallet Disconnected')
  const began = performance.now()
  expect(await toasts.count()).toBe(1)
  await toasts.waitFor({ state: 'detached' })
  expect(performance.now() - began).toBeGreaterThan(2_000)
})

test('F8 moves the focus to the toast, and its close button removes it', async () => {
  const { page } = await story.visit()
  await connectWallet(page)
  await toastText(page, 'Wallet Connected')
  await page.locator('#toasts li').hover() // while the pointer is there it stays
  await page.keyboard.press('F8')
  const area = page.getByRole('region', { name: /Notifications/ })
  await soon(() => area.evaluate((place) => place.contains(document.activeElement))).toBe(true)
  await page.locator('#toasts li').getByRole('button', { name: 'Close' }).click()
  await page.locator('#toasts li').waitFor({ state: 'detached' })
})

test('a swipe to the right by 50 px removes a toast, a shorter one does not', async () => {
  const { page } = await story.visit()
  await connectWallet(page)
  await toastText(page, 'Wallet Connected')
  const toast = page.locator('#toasts li')
  await toast.hover() // while the pointer is there nothing but the swipe removes it
  const swipe = async (distance: number) => {
    const box = await toast.getByText('Wallet Connected', { exact: true }).boundingBox()
    if (!box) throw new Error('no toast to swipe')
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 20 + distance, box.y + 10, { steps: 8 })
    await page.mouse.up()
  }
  await swipe(40)
  expect(await toast.isVisible()).toBe(true)
  await swipe(80)
  await toast.waitFor({ state: 'detached' })
})
