import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operatorAccount } from '../infra/local/chain.ts'
import { go, type Part, shows, watchStates } from './lab/states.ts'
import { over as texts } from './lab/states-over-texts.ts'
import { apiAway, openStory, soon } from './lab/story.ts'
import { openWalletDialog, pressBuy, toastText, walletButton } from './lab/verbs.ts'
import { createWallet } from './lab/wallet.ts'
import { madeUp } from './long/screens/screen-states.ts'

// The pages of this build name the operator's wallet.
const story = openStory({ otherWallets: true })
const looks = [
  { width: 1440, language: 'en' as const },
  { width: 390, language: 'ko' as const },
]

const stateOf = (name: string): Part =>
  madeUp().find(([found]) => found === name)?.[2] ?? expect.fail(`no state ${name}`)
const ahead = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2055-09-29T12:00:00.000Z' }
const passed = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2025-09-29T12:00:00.000Z' }

/** Whatever of this page lets somebody send money by hand. */
const offered = (page: Page) =>
  page.locator('[data-address], [data-copy], [data-qr], .note').evaluateAll((parts) =>
    parts
      .filter((part) => part.checkVisibility({ visibilityProperty: true }))
      .map((part) => (part as HTMLElement).innerText)
      .filter((text) => /0x[0-9a-f]{40}|copy|복사|QR|support@/i.test(text)),
  )

test.each(looks)(
  'nothing invites to pay while nothing is sold, at $width px in $language',
  async ({ width, language }) => {
    const { page, tell } = await watchStates(story, { width, language })
    await tell({ config: { ...ahead, isSoon: false } })
    for (const section of ['Home', 'Buy Tickets'] as const) {
      await go(page, section)
      await tell({ config: { ...ahead, isRefundMode: false } })
      await soon(() => offered(page)).toHaveLength(4)
      await tell({ config: passed })
      await soon(() => offered(page)).toEqual([])
      await shows(page, section === 'Home' ? '#home' : '#buy', texts.closed[language])
      await tell({ config: { ...ahead, isRefundMode: true } })
      await soon(() => offered(page)).toEqual([])
      await shows(page, section === 'Home' ? '#home' : '#buy', texts.refund[language])
    }
    await page.locator('#buy details summary', { hasText: texts.phone[language][0] }).click()
    await shows(page, '#buy', texts.nothingToPay[language])
  },
)

test.each(looks)(
  'the button that leads Home is the one that matters now, at $width px in $language',
  async ({ width, language }) => {
    const { page, tell } = await watchStates(story, { width, language })
    const buttons = () => page.locator('#home .actions button:visible').allInnerTexts()
    const gold = () => page.locator('#home .button.gold:visible').count()
    const leads = async (state: keyof (typeof texts)['leads'], golden: number) => {
      await soon(buttons).toEqual(texts.leads[state][language])
      expect(await gold()).toBe(golden)
    }
    const stub = () => page.locator('#home .hero-ticket .stub .label').first().innerText()
    const isForSale = async (is: boolean) => {
      const words = { en: ['Next ticket', 'Tickets sold'], ko: ['다음 티켓', '판매된 티켓'] }[language]
      expect((await stub()).toLowerCase()).toBe(words[is ? 0 : 1]?.toLowerCase())
    }
    await tell({ config: { ...ahead, isSoon: false } })
    await go(page, 'Home')
    await leads('selling', 1)
    await isForSale(true)
    await tell({ config: passed })
    await leads('waiting', 0)
    await isForSale(false)
    const calendar = page.locator('#home [data-calendar]')
    expect(await calendar.isEnabled()).toBe(true)
    await tell({ config: { ...passed, drawDate: '2025-09-30T12:00:00.000Z' } })
    await soon(() => calendar.isEnabled()).toBe(false)
    await tell({ winner: stateOf('winner-announced').winner })
    await leads('drawn', 0)
    await page.locator('#home .actions button:visible').last().click()
    await page.locator('#check-title').waitFor()
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('check-title')
    await go(page, 'Home')
    await tell({ winner: null, config: { ...ahead, isRefundMode: true } })
    await leads('refund', 0)
    await page.locator('#home .actions button:visible').first().click()
    await soon(() => page.evaluate(() => location.hash)).toBe('#winner')
  },
)

test.each(looks)(
  'with the API away the page says so, and shows the wallet it was built with, at $width px in $language',
  async ({ width, language }) => {
    const path = language === 'ko' ? '/ko/#winner' : '/#winner'
    const { page } = await story.visit({
      ...{ width, path, withWallet: false, allow: apiAway },
      prepare: (context) => context.route('**/api/**', (route) => route.abort()),
    })
    await shows(page, '[data-board]', texts.away[language])
    await soon(() => page.locator('#winner [aria-busy=true]').count()).toBe(0)
    await shows(page, '#winner', texts.awayLists[language])
    await go(page, 'Buy Tickets')
    const address = () => page.locator('#buy [data-address]').innerText()
    await soon(async () => (await address()).toLowerCase()).toBe(operatorAccount.toLowerCase())
    await shows(page, '#buy', texts.awayByHand[language])
  },
)

test('F8 leads to the notifications at its first press, before there was any', async () => {
  const { page } = await story.visit()
  await page.locator('html[data-awake]').waitFor()
  await page.keyboard.press('F8')
  const area = page.getByRole('region', { name: /Notifications/ })
  await soon(
    async () =>
      (await area.count()) === 1 && area.evaluate((place) => place.contains(document.activeElement)),
  ).toBe(true)
})

test('once a payment is signed the page says that it was sent, also while our server is slow', async () => {
  const rabby = createWallet({
    ...{ name: 'Rabby Wallet', rdns: 'io.rabby', rpcUrl: story.stack.chain.url },
    accounts: [await story.account(3)],
  })
  const { page } = await story.visit({ account: null, withWallet: false, more: [rabby] })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/tickets/purchase', async (route) => {
    await held.promise
    await route.continue()
  })
  await (await openWalletDialog(page)).getByRole('button', { name: 'Rabby Wallet' }).click()
  await walletButton(page).waitFor()
  const answer = rabby.hold('eth_sendTransaction')
  await pressBuy(page, 1)
  expect(await toastText(page, 'Transaction in Progress')).toBe(
    'Please approve the transaction in Rabby Wallet.',
  )
  await shows(page, '#buy [data-pay]', ['Approve the transfer in your wallet.'])
  answer()
  await shows(page, '#buy', ['Approved in your wallet', 'Sent. Handing the hash to our server.'])
  expect(await page.getByText(/Approve the transfer|approve the transaction/).count()).toBe(0)
  held.resolve()
  await toastText(page, 'Ticket Purchase Complete!')
})

test('the result is there with the overlay’s last moment: the board is never an empty box', async () => {
  const { page, tell } = await watchStates(story, { width: 1440, language: 'en' })
  await page.route('**/api/raffle/winner', (route) => route.fulfill({ json: null }))
  await tell({ config: { ...passed, isRefundMode: false }, stats: { ticketsSold: 12_377 } })
  await go(page, 'Home')
  await tell({ drawStatus: { isDrawing: true }, winner: null })
  await shows(page, '#draw dialog', ['Drawing in progress...'])
  await page.locator('[data-board] astro-island:not([ssr])').waitFor({ state: 'attached' })
  // From here on the scripts of the Winner section would come late.
  await page.route('**/_astro/*.js', async (route) => {
    await Bun.sleep(3_000)
    await route.continue()
  })
  await page.clock.fastForward(10_000)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      const board = document.querySelector('#winner [data-board]') as HTMLElement
      if (board.checkVisibility()) seen.push(board.innerText)
    }
    new MutationObserver(look).observe(document.documentElement, {
      attributes: true,
      subtree: true,
      childList: true,
    })
  })
  await tell({ winner: stateOf('winner-announced').winner, drawStatus: { isDrawing: false } })
  await shows(page, '[data-board]', ['winning ticket #10331'])
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen.filter((text) => !text.includes('10331'))).toEqual([])
})
