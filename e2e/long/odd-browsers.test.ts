import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { en as t } from '../../site/src/texts/en.ts'
import { fill } from '../../site/src/texts/index.ts'
import * as manners from '../lab/manners.ts'
import { openStory, soon } from '../lab/story.ts'
import {
  buyButton,
  connectWallet,
  goTo,
  openWalletDialog,
  ownTickets,
  pressBuy,
  purchaseCard,
  type ToastNote,
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

test('on a phone the page opens in an app that has a wallet; in that app the slip is whole on one screen', async () => {
  const phone = { width: 390, height: 844, hasTouch: true, path: '/#buy' }
  const { page: bare } = await story.visit({ ...phone, withWallet: false })
  await bare.locator('#buy').getByRole('button', { name: t.wallet.choose }).tap()
  const links = bare.getByRole('dialog').getByRole('link', { name: /^Open in / })
  await soon(() => links.allInnerTexts()).toEqual([
    ...['Open in MetaMask', 'Open in Trust Wallet', 'Open in OKX Wallet'],
  ])

  const { page } = await story.visit(phone)
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: t.wallet.metaMask }).waitFor()
  expect(await dialog.getByRole('link', { name: /^Open in / }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await connectWallet(page)
  await soon(() => page.locator('[data-balances]').innerText()).not.toContain('–')
  const pay = page.locator('#buy [data-pay]')
  const slip = pay.locator('xpath=..')
  await slip.evaluate((place) => place.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const [header, whole, button] = await Promise.all(
    [page.locator('header').first(), slip, buyButton(page)].map((part) => part.boundingBox()),
  )
  if (!header || !whole || !button) throw new Error('A part of the slip is not there.')
  expect(whole.y).toBeGreaterThanOrEqual(header.y + header.height)
  expect(whole.y + whole.height).toBeLessThanOrEqual(phone.height)
  expect(button.y + button.height).toBeLessThanOrEqual(whole.y + whole.height)
})

/** `says`: the page's sentence for the first try, if there is one. */
type Manner = { does: string; manner: manners.Manner; says?: string }
type Connecting = Manner & { isSecond?: boolean }
type Paying = Manner & { sees: 'paid' | 'moved' | 'unclear' | 'stopped' | 'refused' }
const inMetaMask = (text: string) => fill(text, { wallet: 'MetaMask' })
const words = (value: unknown) =>
  value instanceof Error
    ? value.message
    : inspect(value, { compact: true, breakLength: Number.POSITIVE_INFINITY })
const hash = `0x${'1c'.repeat(32)}`

const connecting: Connecting[] = [
  ...manners.reachingBsc.map(([does, manner]) => ({ does, manner })),
  ...manners.unknownChainErrors.map((error) => ({
    does: `says of an unknown chain ${words(error)}`,
    manner: manners.withoutBsc(error),
  })),
  ...manners.atSecondTry.map((each) => ({ ...each, isSecond: true })),
  ...manners.toldChains.map((tell) => ({
    does: `tells of another chain ${words(tell(56))}`,
    manner: { chainChanged: ({ world }: manners.Call) => tell(Number(world.chain)) },
  })),
]

const paying: Paying[] = [
  ...manners.hashAnswers.map((answer) => ({
    ...{ does: `answers ${words(answer(hash))}`, sees: 'paid' as const },
    manner: manners.sentBut(answer),
  })),
  ...manners.vagueAnswers.map((answer) => ({
    ...{ does: `answers ${words(answer(hash))}`, sees: 'unclear' as const },
    manner: manners.sentBut(answer),
  })),
  ...manners.vagueErrors.map((error) => ({
    ...{ does: `sends it and fails with ${words(error)}`, sees: 'unclear' as const },
    manner: manners.sentBut(manners.failing(error)),
  })),
  ...[...manners.rejections.map((error) => [error, t.wallet.rejected] as const), ...manners.refusals].map(
    ([error, says = t.wallet.waiting]) => ({
      ...{ does: `refuses once with ${words(error)}`, sees: 'refused' as const, says: inMetaMask(says) },
      manner: manners.refusingOnce(error),
    }),
  ),
  { does: 'sends it under another hash', manner: manners.sentBut(() => hash), sees: 'moved' },
  { does: 'answers when nobody waits any more', manner: {}, sees: 'stopped' },
  { does: 'sends it and never answers', manner: manners.sentBut(manners.never), sees: 'stopped' },
]

const visits = paying.map((pays, index) => {
  const connects = connecting[index % connecting.length] as Connecting
  return [connects.does, pays.does, { connects, pays, index }] as const
})

test.each(visits)('a wallet that %s connects; it %s, and the ticket counts once', async (...[, , row]) => {
  const { connects, pays, index } = row
  const account = 1 + (index % 9)
  const manner = { ...connects.manner, ...pays.manner }
  const { page, wallet } = await story.visit({ account, wallet: { chainId: 1, manner } })
  const report = `${story.stack.url}/api/tickets/wallet/${await story.account(account)}`
  const { payments: before } = await (await fetch(report)).json()
  if (connects.isSecond) {
    const dialog = await openWalletDialog(page)
    await dialog.getByRole('button', { name: t.wallet.metaMask }).click()
    await dialog.getByText(connects.says ?? inMetaMask(t.wallet.answer)).waitFor()
    await dialog.getByRole('button', { name: t.close }).click()
  }
  await connectWallet(page)
  await toastText(page, t.wallet.connected)
  for (const _ of ['once', 'again']) {
    await wallet.setChain(56)
    await walletButton(page).locator('.dot.ok').waitFor()
    await wallet.setChain(1)
    await toastText(page, t.wallet.wrongNetwork)
  }

  const letGo = pays.sees === 'stopped' ? wallet.hold('eth_sendTransaction') : undefined
  await pressBuy(page, 2)
  if (pays.sees === 'refused') {
    expect(await toastText(page, t.buyToasts.failedTitle)).toBe(pays.says)
    await soon(() => purchaseCard(page).count()).toBe(0)
    await buyButton(page).click()
  }
  if (letGo) await page.getByRole('button', { name: t.purchase.stop }).click()
  const isUnclear = letGo !== undefined || pays.sees === 'unclear'
  if (isUnclear) expect(await toastText(page, t.buyToasts.unclearTitle)).toBe(t.buyToasts.unclearText)
  letGo?.()
  const numbers = await ownTickets(page)
  await toastText(page, t.buyToasts.doneTitle)
  expect((await purchaseCard(page).textContent())?.includes(t.purchase.moved)).toBe(pays.sees === 'moved')
  await soon(() => page.locator('#buy').getByText(t.wallet.otherNetwork).count()).toBe(0)

  const { payments } = await (await fetch(report)).json()
  const [own, ...more] = payments.slice(0, payments.length - before.length)
  expect([own.ticketCount, `#${own.ticketNumber}–#${own.ticketNumber + 1}`, more]).toEqual([2, numbers, []])
  const shown = (title: string) =>
    (window as { toastNotes?: ToastNote[] }).toastNotes?.filter(({ parts }) => parts.includes(title)).length
  const { failedTitle, unclearTitle } = t.buyToasts
  const told = [await page.evaluate(shown, failedTitle), await page.evaluate(shown, unclearTitle)]
  const isRefused = pays.sees === 'refused'
  expect([wallet.sent().length, ...told]).toEqual([isRefused ? 2 : 1, isRefused ? 1 : 0, isUnclear ? 1 : 0])
})
