import { desc, eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { claims, payments } from '../db/schema/index.ts'
import { operatorAccount } from '../infra/local/chain.ts'
import { mine, stopBlocks, waitBlocks } from './lab/chain-verbs.ts'
import { payByHand } from './lab/pay.ts'
import { apiAway, openStory, soon } from './lab/story.ts'
import { until } from './lab/until.ts'
import {
  buyButton,
  connectWallet,
  goTo,
  ownTickets,
  pressBuy,
  purchaseCard,
  recentRows,
  toastText,
} from './lab/verbs.ts'

const story = openStory()
const word = (hex: string) => hex.toLowerCase().replace('0x', '').padStart(64, '0')
const sold = async (): Promise<number> =>
  (await fetch(`${story.stack.url}/api/raffle/stats`).then((r) => r.json())).ticketsSold

/** The texts of the newest row, one for each column. */
async function newestRow(page: Page): Promise<string[]> {
  const text = await recentRows(page).first().innerText()
  return text.split('\n').filter((line) => line.trim() !== '')
}

test('a visitor buys 33 tickets for 99 USDT, and they appear for everyone without a reload', async () => {
  const { page, wallet } = await story.visit({ account: 1 })
  const { page: phone } = await story.visit({ withWallet: false, width: 639, path: '/#recent' })
  await phone.getByText('No tickets purchased yet.').waitFor()

  await connectWallet(page)
  await pressBuy(page, 33)
  expect(await ownTickets(page)).toBe('#1–#33')
  expect(wallet.sent()).toEqual([
    {
      from: await story.account(1),
      to: '0x55d398326f99059fF775485246999027B3197955',
      data: `0xa9059cbb${word(operatorAccount)}${word((99n * 10n ** 18n).toString(16))}`,
      value: '0x0',
      gas: '0x15f90',
      chainId: '0x38',
    },
  ])
  const [claim] = await story.stack.db.select().from(claims)
  const hash = claim?.transactionHash ?? ''
  expect(claim).toMatchObject({ quantity: 33, amount: 9900, walletAddress: await story.account(1) })

  await recentRows(phone).first().waitFor()
  const short = await newestRow(phone)
  expect([short[0], short[1], short.at(-2), short.at(-1)]).toEqual([
    '#1',
    `${hash.slice(0, 12)}…`,
    '99 USDT',
    '33 tickets',
  ])
  await phone.setViewportSize({ width: 640, height: 900 })
  expect((await newestRow(phone))[1]).toBe(`${hash.slice(0, 16)}…`)
  await page.getByText('Total Sales: 33 tickets sold').waitFor()
})

test('a press on a hash opens that transaction on the explorer in a new tab', async () => {
  const { page, context } = await story.visit({ path: '/#recent', allow: [/bscscan/] })
  await context.route('https://bscscan.com/**', (route) => route.fulfill({ body: 'explorer' }))
  const link = recentRows(page).first().getByRole('link')
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()])
  const [claim] = await story.stack.db.select().from(claims)
  expect(tab.url()).toBe(`https://bscscan.com/tx/${claim?.transactionHash}`)
  expect(await tab.evaluate(() => window.opener)).toBe(null)
  const home = page.getByRole('link', { name: 'Open BscScan' })
  expect([await home.getAttribute('href'), await home.getAttribute('target')]).toEqual([
    'https://bscscan.com',
    '_blank',
  ])
})

test('two buyers at once get different numbers without a gap', async () => {
  const before = await sold()
  const visitors = await Promise.all([story.visit({ account: 2 }), story.visit({ account: 3 })])
  for (const { page } of visitors) await connectWallet(page)
  await Promise.all(visitors.map(({ page }, index) => pressBuy(page, 10 + index)))
  const shown = await Promise.all(visitors.map(({ page }) => ownTickets(page)))
  const ranges = shown.map((text) => text.split('–').map((part) => Number(part.slice(1))))
  const numbers = ranges.flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, index) => before + index + 1))
  expect(await sold()).toBe(before + 21)
})

test('a rejected signature says so, records nothing, and leaves the form usable', async () => {
  const { page, wallet } = await story.visit({ account: 4 })
  await connectWallet(page)
  const before = await story.stack.db.select().from(claims)
  wallet.refuse('eth_sendTransaction')
  await pressBuy(page, 5)
  expect(await toastText(page, 'Transaction Failed')).toBe('You rejected the request in MetaMask.')
  expect(await purchaseCard(page).count()).toBe(0)
  expect(await page.evaluate(() => localStorage.getItem('blockdraw:purchases'))).toBe(null)
  expect(await story.stack.db.select().from(claims)).toEqual(before)

  await buyButton(page).click()
  expect(await toastText(page, 'Ticket Purchase Complete!')).toBe(
    'Transaction has been processed successfully.',
  )
  expect(wallet.sent()).toHaveLength(2)
})

test('a wallet error is shown in the toast', async () => {
  const { page, wallet } = await story.visit({ account: 4 })
  await connectWallet(page)
  wallet.refuse('eth_sendTransaction', { code: -32000, message: 'insufficient funds for gas' })
  await pressBuy(page, 1)
  expect(await toastText(page, 'Transaction Failed')).toBe('insufficient funds for gas')
  wallet.refuse('eth_sendTransaction', { code: -32000, message: '' })
  await buyButton(page).click()
  await page.getByText('An error occurred while processing the transaction.').first().waitFor()
})

test('tickets are issued even if the page is closed before the wallet answers', async () => {
  const visitor = await story.visit({ account: 5 })
  await connectWallet(visitor.page)
  const sent = visitor.wallet.loseAnswer()
  await pressBuy(visitor.page, 7)
  const hash = await sent
  await visitor.page.close()

  const page = await story.reopen(visitor, '/#recent')
  await recentRows(page)
    .filter({ hasText: hash.slice(0, 12) })
    .waitFor()
  const known = (await story.stack.db.select().from(claims)).map((claim) => claim.transactionHash)
  expect(known).not.toContain(hash)
})

test('a newly opened page resumes the purchase of an earlier one', async () => {
  const visitor = await story.visit({ account: 5, allow: apiAway })
  await connectWallet(visitor.page)
  await goTo(visitor.page, 'Buy Tickets')
  await story.stack.api.stop()
  await pressBuy(visitor.page, 4)
  // The title of the step is there before; its link comes once the wallet has answered.
  await purchaseCard(visitor.page).getByRole('link').waitFor()
  await visitor.page.close()
  await story.stack.api.start()

  const page = await story.reopen(visitor, '/#buy')
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
  expect(visitor.wallet.sent()).toHaveLength(1)
  await soon(() => page.evaluate(() => localStorage.getItem('blockdraw:purchases'))).toBe(null)
})

test('the page keeps reporting a purchase while the API is down', async () => {
  const { page, wallet } = await story.visit({ account: 6, allow: apiAway })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await story.stack.api.kill()
  await pressBuy(page, 2)
  await page.getByText('Our server cannot be reached just now.').waitFor()
  await story.stack.api.start()
  expect(await ownTickets(page)).toMatch(/^#\d+–#\d+$/)
  expect(wallet.sent()).toHaveLength(1)
  const told = await story.stack.db.select().from(claims)
  expect(told.filter(({ walletAddress }) => walletAddress === wallet.sent()[0]?.from)).toMatchObject([
    { quantity: 2, amount: 600 },
  ])
})

test('a payment made while API and worker were down is credited when they are back', async () => {
  const { chain, api, worker, db } = story.stack
  await Promise.all([api.kill(), worker.kill()])
  const hash = await payByHand(chain.url, await story.account(7), 30)
  await waitBlocks(chain.url, 4)
  await Promise.all([api.start(), worker.start()])
  const credited = () => db.select().from(payments).where(eq(payments.transactionHash, hash))
  await until(async () => (await credited()).length > 0, 'the payment')

  const { page } = await story.visit({ withWallet: false, path: '/#recent' })
  await recentRows(page)
    .filter({ hasText: hash.slice(0, 12) })
    .waitFor()
  expect((await newestRow(page)).at(-1)).toBe('10 tickets')
})

// Last, as the chain's clock does not recover after it.
test('the buyer sees each state: approve, sent, in a block, tickets', async () => {
  const { chain } = story.stack
  const { page, wallet } = await story.visit({ account: 8 })
  await connectWallet(page)
  await stopBlocks(chain.url)
  const approve = wallet.hold('eth_sendTransaction')
  const first = (await sold()) + 1
  const card = purchaseCard(page)
  const step = card.locator('[aria-current=step]')

  await pressBuy(page, 33)
  expect(await toastText(page, 'Transaction in Progress')).toBe('Please approve the transaction in MetaMask.')
  expect(await step.innerText()).toContain('Approve in MetaMask')
  expect(await step.innerText()).toContain('Your wallet asks you to send 99 USDT.')
  expect([await buyButton(page).innerText(), await buyButton(page).isDisabled()]).toEqual([
    'Processing...',
    true,
  ])
  expect(await page.getByRole('button', { name: 'Increase quantity' }).isDisabled()).toBe(true)

  approve()
  await card.getByText('Received', { exact: true }).waitFor()
  const hash = (await story.stack.db.select().from(claims).orderBy(desc(claims.createdAt)))[0]
    ?.transactionHash
  expect(await card.getByRole('link').getAttribute('href')).toBe(`https://bscscan.com/tx/${hash}`)
  expect(await step.innerText()).toContain('Waiting for finality')
  await soon(() => buyButton(page).isEnabled()).toBe(true)

  await mine(chain.url, 1)
  await card.getByText('Your payment is in a block.').waitFor()
  await mine(chain.url, 2)
  expect(await ownTickets(page)).toBe(`#${first}–#${first + 32}`)
  expect(await card.getByText('33 tickets yours.').isVisible()).toBe(true)
  expect(await card.locator('.badge').innerText()).toBe('Credited')
  expect(await toastText(page, 'Ticket Purchase Complete!')).toBe(
    'Transaction has been processed successfully.',
  )
})
