import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, agree, arrive, fillLogin, panel, refusals } from '../lab/admin-verbs.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { buyButton, connectWallet, goTo, ownTickets, pressBuy, wordsOf } from '../lab/verbs.ts'

const story = openStory({
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
beforeAll(() => login())

const quantity = (page: Page) => page.locator('#quantity')
const reason = (page: Page) => page.locator('#buy-reason')
const report = (hash: string) =>
  fetch(`${story.stack.url}/api/tickets/purchase/${hash}`).then((answer) => answer.json())

test('an administrator limits the tickets before the first is sold, within reach of the minimum', async () => {
  const { page } = await story.visit({ path: '/admin-login', withWallet: false, allow: refusals })
  await fillLogin(page)
  await arrive(page)
  const field = (label: string) => panel(page).getByLabel(label, { exact: true })
  await field('최대 티켓 수').fill('12')
  await field('지갑당 최대 티켓 수').fill('5')
  await panel(page).getByText('최소 티켓 수(100)보다 적을 수 없습니다').waitFor()
  await field('최소 참여 인원').fill('10')
  await panel(page).getByRole('button', { name: '설정 저장' }).click()
  await page.getByRole('dialog').getByText('지갑당 최대 티켓 수: 5장').waitFor()
  await agree(page, '변경 저장')
  await soon(async () => (await call('GET', '/api/raffle/config')).body).toMatchObject({
    ...{ maxTickets: 12, maxPerWallet: 5, minTicketsForDraw: 10 },
  })
})

test('a wallet buys what its limit leaves, the page says so before anything is signed, and then none is left', async () => {
  const { page } = await story.visit({ account: 1 })
  await page
    .getByText('At most 5 tickets per wallet, 12 tickets in all. Full refund below 10 tickets.')
    .waitFor()
  const rule = 'At most 5 tickets per wallet, 12 tickets in all: a payment beyond that gets no ticket'
  await page.locator('.rules').getByText(rule).waitFor()
  await page.getByText('15 USDT in one transaction', { exact: true }).waitFor()
  await page.getByText('The same limit for everyone').waitFor()
  expect(await page.getByText('No purchase limit').count()).toBe(0)
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByText('tickets sold. At most 5 tickets per wallet, 12 tickets in all.').waitFor()
  await page.getByText('Minimum of 10 tickets, 12 at most').waitFor()
  await page.getByText('Up to 5 tickets per wallet; you have 0. 12 tickets are left.').waitFor()
  await quantity(page).fill('33')
  expect(await quantity(page).inputValue()).toBe('5')
  expect(await page.getByRole('button', { name: '10', exact: true }).isDisabled()).toBe(true)
  await page.getByText('With these, 5 of the 10 tickets that a draw needs are sold.').waitFor()
  await pressBuy(page, 5)
  expect(await ownTickets(page)).toBe('#1–#5')
  await soon(() => reason(page).innerText()).toBe(
    'Up to 5 tickets per wallet; you have 5. 7 tickets are left. None left for this wallet.',
  )
  expect(await buyButton(page).isDisabled()).toBe(true)
})

test('a payment by hand beyond the limit gets no ticket, and its payer sees the refund of all of it', async () => {
  const { chain } = story.stack
  const hash = await payByHand(chain.url, await story.account(2), 18)
  await soon(() => report(hash)).toMatchObject({
    ...{ status: 'rejected', reason: 'over_cap', payments: [{ ticketCount: 0, amount: 1_800 }] },
  })
  const { page } = await story.visit({ account: 2, path: '/#recent' })
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page
    .getByText('beyond the limit of this raffle or of a wallet, so it got none. It is listed')
    .waitFor()

  const { summary } = (await call('GET', '/api/admin/refunds?event=1')).body
  expect(summary.leftover).toMatchObject({ totalRefunds: 1, totalAmount: 1_800 })
  const refundInfo = { totalTickets: 0, totalAmount: 1_800 }
  const prepared = await call('POST', '/api/admin/raffle/execute-refund', { refundInfo, kind: 'leftover' })
  expect(prepared.status).toBe(200)
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  const mine = page.getByRole('region', { name: 'My tickets' })
  await mine.getByText('Rejected, above the ticket limit').waitFor()
  await mine.getByText('Refund planned').waitFor()
  // It counts towards nothing.
  await page.getByText('Up to 5 tickets per wallet; you have 0. 7 tickets are left.').waitFor()
})

test('with the last ticket the page is sold out: no button, no code, and a warning beside the address', async () => {
  const { chain } = story.stack
  const { page } = await story.visit({ account: 4 })
  const { page: korean } = await story.visit({ account: 4, path: '/ko/#buy', width: 390 })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByText('Up to 5 tickets per wallet; you have 0. 7 tickets are left.').waitFor()
  await page.getByText('Pay from a phone').click()
  await page.getByRole('img', { name: 'QR code of this payment' }).waitFor()
  await payByHand(chain.url, await story.account(2), 15)
  await soon(() => page.locator('#buy').innerText()).toContain('2 tickets are left.')
  expect(await quantity(page).getAttribute('max')).toBe('2')
  // Three are too many by one, the two behind them fit.
  const over = await payByHand(chain.url, await story.account(3), 9)
  await payByHand(chain.url, await story.account(3), 6)
  await soon(() => report(over)).toMatchObject({ reason: 'over_cap' })
  await page.getByRole('button', { name: 'Sold out' }).waitFor()
  expect(await buyButton(page).isDisabled()).toBe(true)
  expect(await reason(page).innerText()).toBe(
    'All 12 tickets are sold. A payment now gets no ticket and is refunded in full.',
  )
  expect(await page.getByRole('img', { name: 'QR code of this payment' }).count()).toBe(0)
  const warning = page.locator('#buy').getByText('Every ticket of this event is sold.')
  expect(await warning.isVisible()).toBe(true)

  const { t } = wordsOf(korean)
  await korean.getByRole('button', { name: t.limits.soldOutButton }).waitFor()
  const instead = korean.locator('#buy').getByText(t.rest.soldOut.text)
  expect(await instead.isVisible()).toBe(true)
  expect(await korean.locator('#buy [data-copy]').isVisible()).toBe(false)
  expect(await korean.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('from the first ticket on no form changes a limit', async () => {
  expect(await call('PATCH', '/api/admin/raffle/config', { maxTickets: 20 })).toMatchObject({
    ...{ status: 409, body: { code: 'EVENT_LOCKED', field: 'maxTickets' } },
  })
})
