import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Story, soon } from '../lab/story.ts'
import { connectWallet, goTo, holdBack, openWalletDialog, toastText, walletButton } from '../lab/verbs.ts'

const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const

/** What the page does in anybody's browser. */
export function pageChecks(story: Story): void {
  const source = async (path: string) => (await fetch(story.stack.url + path)).text()

  test.each([
    ['/', '$2,500', '4,100,000 won', 'about 385 coins', 'October 2025', 'Combine them with SHA256'],
    ['/ko/', '채굴기 한 대,', '4,100,000원', '약 385코인', '2025년 10월', '지갑당 구매 제한 없음'],
  ])('%s is readable without JavaScript, one section after the other', async (path, ...words) => {
    const { page } = await story.visit({ withWallet: false, javaScript: false, path })
    for (const name of sections)
      expect([name, await page.locator(`#${name}`).isVisible()]).toEqual([name, true])
    const text = await page.locator('main').innerText()
    expect([words.filter((word) => !text.includes(word)), text.includes('{')]).toEqual([[], false])
    expect((await source(path)).match(/<li data-skeleton/g)).toHaveLength(4)
  })

  test('the page is English until a visitor chooses Korean, and the choice lasts', async () => {
    const visitor = await story.visit({ path: '/?event=3#recent' })
    const { page } = visitor
    await page.getByRole('link', { name: '한국어' }).click()
    await page.getByRole('heading', { name: '최근 구매한 티켓' }).waitFor()
    expect([page.url(), await page.locator('html').getAttribute('lang')]).toEqual([
      `${story.stack.url}/ko/?event=3#recent`,
      'ko',
    ])
    await page.getByLabel('거래 해시').fill(`0x${'ab'.repeat(32)}`)
    await page.getByRole('button', { name: '조회', exact: true }).click()
    await soon(() => page.locator('[data-answer] .badge').innerText()).toMatch(/^(접수됨|찾을 수 없음)$/)
    await connectWallet(page)
    await toastText(page, '지갑 연결 완료')

    const later = await story.reopen(visitor, '/#winner')
    await later.getByRole('heading', { name: '당첨자 발표' }).waitFor()
    expect(later.url()).toBe(`${story.stack.url}/ko/#winner`)
    await later.getByRole('link', { name: 'English' }).click()
    await later.getByRole('heading', { name: 'Winner Announcement' }).waitFor()
    expect(later.url()).toBe(`${story.stack.url}/#winner`)
    expect((await story.reopen(visitor)).url()).toBe(`${story.stack.url}/`)
  })

  test('the narrowest phone: nothing is wider than its screen, and the menu says whether it is open', async () => {
    const { page } = await story.visit({ withWallet: false, width: 320 })
    const button = page.getByRole('button', { name: 'Menu' })
    const menu = page.getByRole('navigation', { name: 'Sections' })
    const state = async () => [await button.getAttribute('aria-expanded'), await menu.isVisible()]
    expect(await state()).toEqual(['false', false])
    await button.click()
    await soon(state).toEqual(['true', true])
    await page.keyboard.press('Escape')
    await soon(state).toEqual(['false', false])
    for (const [name, id] of [
      ['Winner', 'winner'],
      ['Buy Tickets', 'buy'],
      ['Home', 'home'],
    ] as const) {
      await goTo(page, name)
      await soon(state).toEqual(['false', false])
      await page.locator(`#${id}`).waitFor()
      expect([id, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([id, 320])
    }
    const lines = (element: Element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    }
    const connect = page.locator('header [aria-haspopup=dialog]')
    await page.evaluate(() => document.fonts.ready)
    expect(await connect.evaluate(lines)).toBe(1)
    await button.click()
    await menu.getByRole('link', { name: '한국어' }).click()
    await page.waitForURL('**/ko/')
    await page.evaluate(() => document.fonts.ready)
    expect(await connect.evaluate(lines)).toBe(1)
  })

  test('sections can be bookmarked, and the back button moves through them', async () => {
    const { page } = await story.visit({ withWallet: false })
    const shown = async () => {
      const visible = await Promise.all(sections.map((name) => page.locator(`#${name}`).isVisible()))
      return [sections.filter((_, index) => visible[index]).join(), new URL(page.url()).hash]
    }
    await soon(shown).toEqual(['home', ''])
    await goTo(page, 'Next Event')
    await goTo(page, 'Recent Purchases')
    await soon(shown).toEqual(['recent', '#recent'])
    await page.goBack()
    await soon(shown).toEqual(['next', '#next'])
    await page.goBack()
    await soon(shown).toEqual(['home', ''])
  })

  test('the quantity is a whole number from 1: minus stops at 1, invalid input is ignored', async () => {
    const { page } = await story.visit({ path: '/#buy', withWallet: false })
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
    const minus = page.getByRole('button', { name: 'Decrease quantity' })
    const plus = page.getByRole('button', { name: 'Increase quantity' })
    const total = () => page.locator('#buy output').innerText()
    await plus.click()
    await plus.click()
    await soon(total).toBe('9 USDT')
    await minus.click()
    await minus.click()
    expect([await quantity.inputValue(), await minus.isDisabled()]).toEqual(['1', true])
    for (const typed of ['33', '2.5', '']) {
      await quantity.fill(typed)
      await soon(async () => [typed, await total()]).toEqual([typed, '99 USDT'])
    }
    await quantity.fill('33')
    await quantity.press('End')
    await quantity.pressSequentially('e.-0')
    await soon(total).toBe('990 USDT')
    await quantity.fill('')
    await quantity.blur()
    await soon(() => quantity.inputValue()).toBe('330')
  })

  test('a dialog takes the focus and gives it back; a reload keeps the wallet without asking it, until it is disconnected', async () => {
    const { page, wallet } = await story.visit()
    const dialog = await openWalletDialog(page)
    const isInside = () => dialog.evaluate((place) => place.contains(document.activeElement))
    await soon(isInside).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const focused = () => page.evaluate(() => document.activeElement?.ariaHasPopup)
    await soon(focused).toBe('dialog')
    await connectWallet(page)
    wallet.requests.length = 0
    await page.reload()
    await walletButton(page).waitFor()
    expect(wallet.methods()).toEqual(['eth_accounts', 'eth_chainId'])
    await walletButton(page).click()
    expect(await toastText(page, 'Wallet Disconnected')).toBe('Your wallet has been disconnected.')
    await page.reload()
    await goTo(page, 'Buy Tickets')
    await page.getByText('Connect a wallet first.').waitFor()
  })

  test('one toast at a time: F8 leads to it, a swipe or its button takes it away, and it goes by itself', async () => {
    const prepare = (context: BrowserContext) => context.clock.install()
    const { page, wallet } = await story.visit({ prepare })
    const answer = wallet.hold('eth_requestAccounts')
    await (await openWalletDialog(page)).getByRole('button', { name: 'Connect MetaMask' }).click()
    // From here on no toast goes by itself, however long this takes.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    answer()
    const toast = page.locator('#toasts li')
    const shows = (title: string) => toast.getByText(title, { exact: true }).waitFor()
    await shows('Wallet Connected')
    await page.clock.runFor(5_100)
    await toast.waitFor({ state: 'detached' })

    await walletButton(page).click()
    await shows('Wallet Disconnected')
    await connectWallet(page)
    await shows('Wallet Connected')
    expect(await toast.count()).toBe(1)
    await page.keyboard.press('F8')
    const area = page.getByRole('region', { name: /Notifications/ })
    await soon(() => area.evaluate((place) => place.contains(document.activeElement))).toBe(true)
    const swipe = async (distance: number) => {
      const box = await toast.locator('[data-toast-text]').boundingBox()
      if (!box) throw new Error('There is no toast to swipe.')
      await page.mouse.move(box.x + 20, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 20 + distance, box.y + 10, { steps: 8 })
      await page.mouse.up()
    }
    await swipe(40)
    expect(await toast.count()).toBe(1)
    await swipe(80)
    await toast.waitFor({ state: 'detached' })
    await walletButton(page).click()
    await toast.getByRole('button', { name: 'Close' }).click()
    await toast.waitFor({ state: 'detached' })
  })

  test('what is pressed and sent before its script is there happens when it is', async () => {
    const [all, finder] = [holdBack(/\/_astro\/.*\.js$/), holdBack(/_astro\/FindPayment/)]
    const { page: slip } = await story.visit({ ...all.held, path: '/#buy', width: 390 })
    const { page: list } = await story.visit({ ...finder.held, path: '/#recent' })
    const menu = slip.getByRole('button', { name: 'Menu' })
    await menu.click()
    await slip.locator('#buy').getByRole('button', { name: 'Choose wallet' }).click()
    await list.getByLabel('Transaction hash').fill(`0x${'5e'.repeat(32)}`)
    await list.getByRole('button', { name: 'Find' }).click()
    all.letGo()
    finder.letGo()
    await soon(() => menu.getAttribute('aria-expanded')).toBe('true')
    await slip.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    await list.locator('[data-answer]').waitFor()
  })
}
