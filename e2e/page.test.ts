import { expect, test } from 'vitest'
import { apiAway, openStory, soon } from './lab/story.ts'
import { buyButton, connectWallet, goTo, toastText } from './lab/verbs.ts'

const story = openStory({ hasOperator: false })
const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const

test('the quantity is a whole number from 1: minus stops at 1, invalid input is ignored', async () => {
  const { page } = await story.visit({ path: '/#buy' })
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
  const minus = page.getByRole('button', { name: 'Decrease quantity' })
  const plus = page.getByRole('button', { name: 'Increase quantity' })
  const total = page.locator('#buy output')
  await page.locator('#quantity:enabled').waitFor()
  expect([await quantity.inputValue(), await minus.isDisabled()]).toEqual(['1', true])
  await plus.click()
  await plus.click()
  expect([await quantity.inputValue(), await total.innerText()]).toEqual(['3', '9 USDT'])
  await minus.click()
  await minus.click()
  expect([await quantity.inputValue(), await minus.isDisabled()]).toEqual(['1', true])

  await quantity.fill('33')
  expect(await total.innerText()).toBe('99 USDT')
  for (const rubbish of ['0', '-5', '2.5', '1e3', '', '99999999999999999999']) {
    await quantity.fill(rubbish)
    expect([rubbish, await total.innerText()]).toEqual([rubbish, '99 USDT'])
  }
  await quantity.fill('33')
  await quantity.press('End')
  await quantity.pressSequentially('e.-0')
  expect(await total.innerText()).toBe('990 USDT')
  await quantity.fill('')
  await quantity.blur()
  expect(await quantity.inputValue()).toBe('330')
  await quantity.fill('1000000')
  expect((await total.innerText()).replaceAll(',', '')).toBe('3000000 USDT')
})

test('without an operator wallet the page says Not Set, and nothing is sent', async () => {
  const { page, wallet } = await story.visit()
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  expect(await page.locator('#buy [data-address]').innerText()).toContain('Not Set')
  await buyButton(page).click()
  expect(await toastText(page, 'Operator Wallet Setup Required')).toBe(
    'Operator wallet address is not configured.',
  )
  expect(wallet.sent()).toEqual([])
})

test('the list shows 4 skeleton rows while it loads, then that there are no purchases yet', async () => {
  await story.stack.api.stop()
  const { page } = await story.visit({ path: '/#recent', withWallet: false, allow: apiAway })
  const bones = page.locator('#recent [data-skeleton]')
  await bones.first().waitFor()
  expect(await bones.count()).toBe(4)
  await story.stack.api.start()
  await page.getByText('No tickets purchased yet.').waitFor()
  await page.getByText('Try buying your first raffle ticket!').waitFor()
  expect(await bones.count()).toBe(0)
  await page.getByRole('button', { name: 'Go to the ticket counter' }).click()
  await page.getByRole('heading', { name: 'Buy Tickets' }).waitFor()
})

test('without a draw date: zeros, Not Set, Draw Scheduled with TBD', async () => {
  const { page } = await story.visit({ withWallet: false })
  const countdown = page.getByRole('timer')
  expect((await countdown.innerText()).split(/\s+/)).toEqual([
    ...['00', 'DAYS', '00', 'HOURS'],
    ...['00', 'MINUTES', '00', 'SECONDS'],
  ])
  for (const name of ['Draw Date', 'Sales End Date'])
    expect(await page.locator('#home dl > div', { hasText: name }).innerText()).toContain('Not Set')
  await goTo(page, 'Winner')
  const board = page.locator('[data-board]')
  await board.getByText('Draw Scheduled').waitFor()
  await board.getByText('TBD').waitFor()
  await page.getByText('No past winner records yet.').waitFor()
})

test('the menu of a narrow screen exposes whether it is open, and closes by a choice and by Escape', async () => {
  const { page } = await story.visit({ withWallet: false, width: 390 })
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.getByRole('navigation', { name: 'Sections' })
  const state = async () => [await button.getAttribute('aria-expanded'), await menu.isVisible()]
  expect(await state()).toEqual(['false', false])
  // What is pressed before the page has started happens then.
  await button.click()
  await soon(state).toEqual(['true', true])
  await page.keyboard.press('Escape')
  await soon(state).toEqual(['false', false])
  await button.click()
  await goTo(page, 'Winner')
  await soon(state).toEqual(['false', false])
  await page.getByRole('heading', { name: 'Winner Announcement' }).waitFor()
})

test('sections can be bookmarked, and the back button moves through them', async () => {
  const { page } = await story.visit({ withWallet: false })
  const shown = async () => {
    const visible = await Promise.all(sections.map((name) => page.locator(`#${name}`).isVisible()))
    return sections.filter((_, index) => visible[index])
  }
  expect(await shown()).toEqual(['home'])
  await goTo(page, 'Next Event')
  await goTo(page, 'Recent Purchases')
  expect([await shown(), new URL(page.url()).hash]).toEqual([['recent'], '#recent'])
  await page.goBack()
  expect(await shown()).toEqual(['next'])
  await page.goBack()
  expect([await shown(), new URL(page.url()).hash]).toEqual([['home'], ''])
})

test.each([320, 390, 768])('nothing is wider than a screen of %i px', async (width) => {
  const { page } = await story.visit({ withWallet: false, width })
  for (const section of sections) {
    await page.evaluate((name) => {
      location.hash = name
    }, section)
    await page.locator(`#${section}`).waitFor()
    const scroll = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect([section, await scroll()]).toEqual([section, width])
  }
})

test.each([430, 390, 360, 320])(
  'the button that connects a wallet is one line high at %i px',
  async (width) => {
    for (const path of ['/', '/ko/']) {
      const { page } = await story.visit({ withWallet: false, width, path })
      await page.evaluate(() => document.fonts.ready)
      const button = page.locator('header [aria-haspopup=dialog]')
      const lines = await button.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
      expect([path, lines]).toEqual([path, 1])
    }
  },
)

test('an unknown path is a page titled 404 Page Not Found', async () => {
  const { page } = await story.visit({ withWallet: false, path: '/nowhere', allow: [/404/] })
  expect(await page.title()).toBe('404 Page Not Found')
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  await page.getByText('Did you forget to add the page to the router?').waitFor()
  const answer = await fetch(`${story.stack.url}/nowhere`)
  expect(answer.status).toBe(404)
})

test('the page is readable without JavaScript, one section after the other', async () => {
  const { page } = await story.visit({ withWallet: false, javaScript: false })
  for (const name of sections)
    expect([name, await page.locator(`#${name}`).isVisible()]).toEqual([name, true])
  const text = await page.locator('main').innerText()
  for (const words of [
    '$2,500',
    '4,100,000 won',
    'about 385 coins',
    'October 2025',
    '99 USDT in one transaction',
    'Combine them with SHA256',
    'No Purchase Limit Per Wallet',
    'Next event details will be announced soon...',
  ])
    expect(text).toContain(words)
})
