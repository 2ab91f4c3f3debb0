import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PurchaseReport } from '../core/live/public.ts'
import { go, type Look, looks, type Part, pathOf, shows, toast, watchStates } from './lab/states.ts'
import { texts, toasts } from './lab/states-texts.ts'
import { openStory, soon } from './lab/story.ts'
import { usdt } from './lab/usdt.ts'
import {
  buyButton,
  connectWallet,
  openWalletDialog,
  ownTickets,
  purchaseCard,
  walletButton,
  wordsOf,
} from './lab/verbs.ts'
import { madeUp, termsOf, undrawn } from './long/screens/screen-states.ts'

const story = openStory()

test.each(looks)('a purchase at $width px in $language, from the first view to the ticket', async (look) => {
  const { width, language } = look
  const account = 1 + looks.indexOf(look)
  const { page, wallet } = await story.visit({ width, path: pathOf(look), account })
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  await shows(page, '#home', [...texts.home[language], ...texts.notSet[language]])
  await shows(page, 'footer', texts.footer[language])
  await openWalletDialog(page)
  await shows(page, 'dialog[open]', texts.dialog[language])
  await page.keyboard.press('Escape')
  await go(page, 'Buy Tickets')
  await shows(page, '#buy', texts.buy[language])
  await connectWallet(page)
  await toast(page, toasts.connected[language])
  const held = () => page.locator('[data-balances]').innerText()
  await soon(held).toMatch(/^[\d,]+ USDT\s[\d,.]+ BNB$/)
  expect(await walletButton(page).innerText()).toMatch(/^0x[0-9a-f]{2}…[0-9a-f]{4}$/i)

  const answer = wallet.hold('eth_sendTransaction')
  await pay(page, 33)
  await toast(page, toasts.progress[language])
  expect(await buyButton(page).isDisabled()).toBe(true)
  await shows(page, '#buy', texts.approving[language])
  answer()
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
  await toast(page, toasts.done[language])
  await shows(page, '#buy', texts.credited[language])
  expect(await purchaseCard(page).count()).toBe(1)

  wallet.refuse('eth_sendTransaction')
  await pay(page, 1)
  await toast(page, toasts.refused[language])
  await page.locator('#quantity').fill('400000')
  await shows(page, '#buy [data-pay]', texts.lacking[language])
  await go(page, 'Recent Purchases')
  await shows(page, '#recent', [...texts.recent[language], ...texts.bought[language]])
  await walletButton(page).click()
  await toast(page, toasts.disconnected[language])
})

const stateOf = (name: string): Part =>
  madeUp().find(([found]) => found === name)?.[2] ?? expect.fail(`no state ${name}`)
const drawDate = '2055-09-30T12:00:00.000Z'
const dates = { drawDate, saleEndDate: '2055-09-29T12:00:00.000Z' }
const passed = { drawDate: '2025-09-30T12:00:00.000Z', saleEndDate: '2025-09-29T12:00:00.000Z' }
const resultAt = '**/api/raffle/winner'

/** One visit through all states that take days or an administrator to reach. */
const watch = (look: Look, promised?: string) => watchStates(story, look, promised)

test.each(looks)('lists, sale and events at $width px in $language', async (look) => {
  const { width, language } = look
  const { page, tell } = await watch(look)
  await soon(() => page.locator('#recent [data-skeleton]').count()).toBe(4)
  await tell({})
  await shows(page, '#recent', [...texts.recent[language], ...texts.recentEmpty[language]])
  await tell({ recent: stateOf('recent-full').recent, stats: { ticketsSold: 12_377 } })
  await shows(page, '#recent', texts.recentRow[language])
  const hash = await page.locator('#recent .hash').first().innerText()
  expect(hash.trim()).toMatch(width < 640 ? /^0x.{10}…$/ : /^0x.{14}…$/)

  await tell({ config: dates })
  await go(page, 'Home')
  await shows(page, '#home', [...texts.scheduled[language], ...texts.local[language]])
  expect(await page.getByRole('timer').innerText()).not.toMatch(/^00\s/)
  await go(page, 'Buy Tickets')
  await page.locator('#quantity:enabled').fill('33')
  await shows(page, '#buy', texts.odds[language])
  await tell({ config: { ...dates, saleEndDate: new Date(Date.now() + 100_000).toISOString() } })
  await shows(page, '#buy', texts.closing[language])
  await tell({ config: { ...dates, salesPaused: true } })
  await shows(page, '#buy', texts.paused[language])
  await tell({ config: { ...passed, salesPaused: false } })
  await shows(page, '#buy', texts.closed[language])
  expect(await buyButton(page).isDisabled()).toBe(true)

  await go(page, 'Next Event')
  await shows(page, '#next', texts.next[language])
  await tell({ eventSettings: stateOf('next-active').eventSettings })
  await shows(page, '#next', texts.nextActive[language])
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: wordsOf(page).t.wallet.metaMask }).click()
  await toast(page, toasts.noMetaMask[language])
})

test.each(looks.slice(0, 2))(
  'a payment that one node alone has shown says what it waits for, in $language',
  async (look) => {
    const { language } = look
    const { page, tell } = await watch(look)
    const status = { status: 'confirming', reason: null } as const
    const hash = `0x${'5e'.repeat(32)}` as const
    const payment = { walletAddress: hash.slice(0, 42) as `0x${string}`, ticketNumber: null, ticketCount: 0 }
    const report: PurchaseReport = {
      transactionHash: hash,
      ...status,
      payments: [{ ...payment, ...status, amount: 900, refund: null }],
    }
    await page.route('**/api/tickets/purchase/*', (route) => route.fulfill({ json: report }))
    await tell({})
    await page.locator('#find-hash').fill(hash)
    await page.locator('#find-hash').press('Enter')
    await shows(page, '[data-answer]', texts.notFinal[language])
    await tell({ config: { waitsForNode: true } })
    await shows(page, '[data-answer]', texts.waitsForNode[language])
    await tell({ config: { waitsForNode: false } })
    await shows(page, '[data-answer]', texts.notFinal[language])
  },
)

test.each(looks)('a buyer reads what changed since the purchase at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watch(look, termsOf())
  const box = async (place: string) => (await page.locator(place).boundingBox()) ?? expect.fail(place)
  await tell({ config: { terms: termsOf({ minTickets: 50 }) } })
  await go(page, 'Buy Tickets')
  await shows(page, '[data-promise=changed]', texts.changedTerms[language])
  await tell({ config: { terms: termsOf({ minTickets: 50, operatorWallet: usdt }) } })
  await shows(page, '[data-promise=broken]', texts.brokenTerms[language])
  const [note, words, button] = [
    await box('[data-promise=broken]'),
    await box('[data-promise=broken] p'),
    await box('[data-pay]'),
  ]
  expect(words.width).toBeGreaterThan(0.75 * note.width)
  expect(note.y + note.height).toBeLessThan(button.y)
  await tell({ config: { terms: termsOf({ minTickets: 50 }) } })
  await page.locator('[data-promise=changed] a').click()
  await soon(() => page.evaluate(() => location.hash)).toBe('#winner')
})

test.each(looks)('the reason for a closed sale stays on the slip at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watch(look)
  await tell({ config: { isSoon: true } })
  await go(page, 'Buy Tickets')
  const fits = () =>
    page.locator('[data-pay]').evaluate((stub) => {
      const { bottom } = (stub.lastElementChild as Element).getBoundingClientRect()
      return bottom + 8 <= stub.getBoundingClientRect().bottom
    })
  await shows(page, '[data-pay]', texts.soon[language])
  expect(await fits()).toBe(true)
  await tell({ config: { isSoon: false, salesPaused: true, waitsForNode: true } })
  await shows(page, '[data-pay]', texts.pausedForNode[language])
  expect(await fits()).toBe(true)
})

test.each(looks)('the winner and the history at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watch(look)
  const board = '[data-board]'
  await tell({ config: { drawDate: null } })
  await go(page, 'Winner')
  await shows(page, '#winner', [...texts.draw[language], ...texts.historyEmpty[language]])
  await shows(page, board, texts.drawTbd[language])
  await tell({ config: dates, history: stateOf('winner-scheduled').history })
  await shows(page, board, [...texts.drawScheduled[language], ...texts.local[language]])
  await shows(page, '#winner', texts.history[language])
  const events = page.locator('[aria-labelledby=history-title] h3')
  expect(await events.count()).toBe(5)
  await page.locator('#winner nav button', { hasText: '3' }).click()
  expect(await events.allInnerTexts()).toEqual(
    [2, 1].map((n) => (language === 'ko' ? `이벤트 #${n}` : `Event #${n}`)),
  )
  await page.locator('#winner nav button', { hasText: '1' }).click()
  await shows(page, '[aria-labelledby=history-title]', texts.undrawnPast[language])
  await tell({ config: passed })
  await shows(page, board, texts.drawAwaiting[language])
  const { winner, prizes } = stateOf('winner-announced')
  await tell({ winner, prizes, config: { googleFormUrl: 'https://forms.gle/1' } })
  await shows(page, '#winner', texts.announced[language])
  await tell({ config: { isRefundMode: true } })
  await shows(page, '#winner', texts.announcedRefund[language])
  expect(await page.locator('[aria-labelledby=claim-title]').count()).toBe(0)
  const since = '2055-09-30T12:00:00.000Z'
  const open = { eventNumber: 1, since, days: 3, paid: 1_228, open: 12 }
  await tell({ drawStatus: { refunds: [open] } })
  await shows(page, '#winner .note', texts.openRefund[language])
  await tell({ winner: null })
  await shows(page, '#winner', texts.refund[language])
  await shows(page, board, texts.openRefund[language])
  // An archived event keeps its line until all are paid.
  await tell({ drawStatus: { refunds: [{ ...open, eventNumber: 10, days: 0, paid: 0, open: 4 }] } })
  await shows(page, '[aria-labelledby=history-title] [data-refunds="10"]', texts.refundToday[language])
  expect(await page.locator('[data-refunds="1"]').count()).toBe(0)
  await tell({ drawStatus: { refunds: [] } })
  await soon(() => page.locator('[data-refunds]').count()).toBe(0)
  expect(await page.locator('[data-undrawn]').count()).toBe(0)
  await tell({ drawStatus: { wouldHaveWon: undrawn } })
  await page.locator('[data-undrawn] summary').click()
  await shows(page, '[data-undrawn]', [...texts.undrawn[language], ...undrawn.blocks.map(({ hash }) => hash)])
  expect(await page.locator('[aria-labelledby=claim-title]').count()).toBe(0)
  await tell({ config: { isRefundMode: false }, drawStatus: { wouldHaveWon: null } })
  await shows(page, board, texts.drawAwaiting[language])
})

test.each(looks)('the draw over the whole screen at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watch(look)
  const overlay = '#draw dialog'
  const draw = async () => {
    await tell({ drawStatus: { isDrawing: false }, winner: null })
    await tell({ drawStatus: { isDrawing: true } })
    await shows(page, overlay, texts.overlayDrawing[language])
  }
  const isGone = () => soon(() => page.locator(`${overlay}[open]`).count()).toBe(0)
  await tell({ config: { ...passed, isRefundMode: false }, stats: { ticketsSold: 12_377 } })
  await go(page, 'Home')
  await page.locator('#home [data-open-draw]').click()
  await shows(page, overlay, texts.overlayWaiting[language])
  await page
    .locator(overlay)
    .getByRole('button', { name: wordsOf(page).t.close })
    .click()
  await isGone()

  await page.route(resultAt, (route) => route.fulfill({ json: null }))
  await draw()
  await page.clock.fastForward(10_000)
  await shows(page, overlay, texts.overlayPending[language])
  await tell({ winner: stateOf('winner-announced').winner })
  await shows(page, overlay, texts.overlayWinner[language])
  await page.clock.fastForward(3_000)
  await isGone()
  await shows(page, '#winner', [texts.announced[language][1]])

  await draw()
  await shows(page, '[data-board]', texts.drawRunning[language])
  await tell({ drawStatus: { isRefundMode: true, refundReason: 'minimum' } })
  await page.clock.fastForward(10_000)
  await shows(page, overlay, texts.overlayRefund[language])
  await page.clock.fastForward(3_000)
  await isGone()
  await tell({ drawStatus: { isDrawing: false, isRefundMode: false, refundReason: null } })

  await page.unroute(resultAt)
  await page.route(resultAt, (route) => route.abort())
  await draw()
  await page.clock.fastForward(10_000)
  await shows(page, overlay, texts.overlayChecking[language])
  await tell({ drawStatus: { isDrawing: false }, winner: stateOf('winner-announced').winner })
  await shows(page, overlay, texts.overlayWinner[language])
  await page.clock.fastForward(3_000)
  await isGone()

  await tell({ winner: null, drawStatus: { refundNotice: true, isRefundMode: true } })
  await shows(page, overlay, texts.overlayRefund[language])
  await tell({ drawStatus: { wouldHaveWon: undrawn } })
  await shows(page, overlay, texts.undrawnOverlay[language])
  await tell({ drawStatus: { refundNotice: false, isRefundMode: false, wouldHaveWon: null } })
  await shows(page, overlay, texts.overlayWaiting[language])
})

async function pay(page: Page, quantity: number): Promise<void> {
  await page.locator('#quantity').fill(`${quantity}`)
  await buyButton(page).click()
}
