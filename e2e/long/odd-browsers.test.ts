import { expect, test } from 'vitest'
import { openStory, soon } from '../lab/story.ts'
import {
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  toastText,
  walletButton,
} from '../lab/verbs.ts'

const story = openStory()

/** Puts each text into elements of its own, as a browser's translation does, and goes on with what comes later. */
function translate(): void {
  const each = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      const place = text.parentElement
      if (!text.data.trim() || place?.closest('font, script, style, svg, textarea, [translate="no"]'))
        continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  setInterval(() => document.body && each(), 40)
}

test('under a translator the page goes on: a wallet connects, buys, is locked, and connects again', async () => {
  const { page, wallet } = await story.visit({
    ...{ account: 7, allow: [/NotFoundError|not a child of this node|Minified React error/] },
    prepare: (context) => context.addInitScript(translate),
  })
  // The first press meets a part that is made anew, and may be lost.
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' })
  const isOpen = async () => {
    if (!(await dialog.isVisible()))
      await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).click()
    return dialog.isVisible()
  }
  await soon(isOpen).toBe(true)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  await walletButton(page).waitFor()
  await pressBuy(page, 2)
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
  await toastText(page, 'Ticket Purchase Complete!')
  await page.getByRole('region', { name: 'My tickets' }).waitFor()
  const accounts = [await story.account(7)]
  await wallet.setAccounts([])
  await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await wallet.setAccounts(accounts)
  await connectWallet(page)
  expect(await walletButton(page).innerText()).toMatch(/^0x/)
  await goTo(page, 'Winner')
  await page.locator('#winner [role=status]').first().waitFor()
})

test('an icon names itself; an older browser, without popovers, shows a toast all the same', async () => {
  const older = () => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
    Reflect.deleteProperty(AbortSignal, 'any')
  }
  const { page } = await story.visit({ prepare: (context) => context.addInitScript(older) })
  await openWalletDialog(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).hover()
  await page.getByRole('tooltip', { name: 'Close' }).waitFor()
  await page.keyboard.press('Escape')
  await soon(() => page.getByRole('tooltip').count()).toBe(0)
  await connectWallet(page)
  await toastText(page, 'Wallet Connected')
})
