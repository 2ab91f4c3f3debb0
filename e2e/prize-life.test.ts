import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { PublicDrawnTicket } from '../core/live/public.ts'
import type { PublicPrize } from '../core/prize/promise.ts'
import { rpc } from '../infra/local/rpc.ts'
import { openAdminStory } from './lab/admin-story.ts'
import { panel } from './lab/admin-verbs.ts'
import { mine, newestTime, waitBlocks } from './lab/chain-verbs.ts'
import { promiseCopies } from './lab/content.ts'
import { soon } from './lab/story.ts'
import { connectWallet } from './lab/verbs.ts'

const claimDays = 7
const { story, call, get, event, patch, pay, selling, endSale, atDashboard } = openAdminStory({
  CLAIM_DAYS: `${claimDays}`,
})
const prizesNow = (): Promise<PublicPrize[]> => get('/api/raffle/prizes')
const prizeAt = async (place: number) => (await prizesNow()).find((prize) => prize.place === place)

/** Five buyers, and a draw date so near that the sale ends at once. */
async function sellAndDraw(): Promise<PublicDrawnTicket[]> {
  for (const buyer of [1, 2, 3, 4, 5]) await pay(buyer, 3 * buyer)
  await soon(async () => (await event()).ticketsSold).toBe(15)
  await endSale()
  // A draw comes when it comes.
  await expect.poll(async () => (await prizesNow()).length, { timeout: 120_000 }).toBe(2)
  return get('/api/raffle/winners')
}

/** A visitor whose wallet is this one, in the Winner section. */
async function asHolder(wallet: Address): Promise<Page> {
  const { page } = await story.visit({ path: '/#winner', wallet: { accounts: [wallet] } })
  await connectWallet(page)
  return page
}

async function claim(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Sign claim' }).click()
  const code = await page.locator('[data-code]').innerText()
  expect(await page.getByRole('button', { name: /^(Sign claim|Show the code)/ }).count()).toBe(0)
  return code
}

/** As the administrator does it on the desk. */
async function ship(desk: Page, place: number): Promise<void> {
  const item = desk.locator(`[data-desk-prize="1 ${place}"]`)
  await item.getByLabel('운송장').fill(`CJ ${place}`)
  await item.getByRole('button', { name: '발송으로 표시' }).click()
  await item.getByRole('button', { name: '운송장 저장' }).waitFor()
}

async function deliver(desk: Page, place: number): Promise<void> {
  const item = desk.locator(`[data-desk-prize="1 ${place}"]`)
  await item.getByRole('button', { name: '받은 것으로 표시' }).click()
  await item.getByText('더 할 일이 없습니다.').waitFor()
}

test('a whole life with two winners, one of whom never claims, ends with the delivered prize of the reserve on the public page, and its record with the past event', async () => {
  await selling()
  await patch({ minTicketsForDraw: 10 })
  expect(await promiseCopies(call, 2)).toBe(200)
  const { page: stranger } = await story.visit({ withWallet: false, width: 390, path: '/#winner' })
  const drawn = await sellAndDraw()
  const walletOf = (kind: PublicDrawnTicket['kind'], place: number): Address =>
    drawn.find((ticket) => ticket.kind === kind && ticket.place === place)?.walletAddress ??
    expect.fail(`no ${kind} ${place}`)
  await stranger.locator('[data-prize="2"][data-standing=unclaimed] [data-holder=winner]').waitFor()

  // The first winner claims; the second one stays away.
  const first = await asHolder(walletOf('winner', 1))
  const code = await claim(first)
  expect((await call('POST', '/api/admin/raffle/claim-code', { eventNumber: 1, code })).body).toMatchObject({
    isValid: true,
    place: 1,
  })
  await stranger.locator('[data-prize="1"][data-standing=claimed]').waitFor()

  // The last moment passes by the chain's own time: by rule the first reserve's turn comes, and nobody chose.
  const { url } = story.stack.chain
  await rpc(url, 'evm_increaseTime', [claimDays * 86_400])
  await mine(url)
  await waitBlocks(url, 4)
  const reserve = walletOf('reserve', 1)
  await soon(async () => (await prizeAt(2))?.holder).toMatchObject({
    kind: 'reserve',
    walletAddress: reserve,
  })
  await stranger.locator('[data-prize="2"][data-standing=unclaimed] [data-holder=reserve]').waitFor()
  expect((await prizeAt(1))?.state).toBe('claimed')

  const late = await asHolder(walletOf('winner', 2))
  expect(await late.getByRole('button', { name: 'Sign claim' }).isDisabled()).toBe(true)
  const holder = await asHolder(reserve)
  await holder.getByRole('heading', { name: 'It is your turn' }).waitFor()
  await claim(holder)
  await stranger.locator('[data-prize="2"][data-standing=claimed]').waitFor()

  const { page: desk } = await atDashboard('winner')
  await panel(desk).getByRole('heading', { name: '경품 관리' }).waitFor()
  await ship(desk, 1)
  await ship(desk, 2)
  await stranger.locator('[data-prize="2"][data-standing=sent]').waitFor()
  expect(await stranger.locator('body').innerText()).not.toContain('CJ 2')

  await holder.getByRole('heading', { name: 'Your prize is on its way' }).waitFor()
  await deliver(desk, 2)
  const record = stranger.locator('[data-prize="2"][data-standing=delivered]')
  await record.locator('[data-holder=reserve]').waitFor()
  await record.locator('summary').click()
  expect(
    await record.locator('[data-taken]').evaluateAll((steps) => steps.map((step) => step.dataset.taken)),
  ).toEqual(['drawn', 'turn', 'claimed', 'sent', 'delivered'])
  expect(await record.innerText()).toContain('7 days later')

  // The next event opens, and the record stays with the past one.
  const next = new Date((await newestTime(url)) * 1000 + 2 * 86_400_000).toISOString()
  // Open pages tell of another event then, and are loaded anew.
  const renewed = Promise.all([stranger, first].map((page) => page.waitForEvent('load', { timeout: 60_000 })))
  await patch({ drawDate: next })
  await renewed
  await stranger.getByRole('heading', { name: 'Event #1' }).waitFor()
  const past = stranger.locator('[data-past-prizes="1"]')
  await past.locator('> summary').click()
  await past.locator('[data-prize="2"][data-standing=delivered] [data-holder=reserve]').waitFor()

  // A prize that is not over keeps its card there.
  await first.locator('[data-past-prizes="1"] > summary').click()
  await first.getByRole('heading', { name: 'Your prize is on its way' }).waitFor()
  await deliver(desk, 1)
  await past.locator('[data-prize="1"][data-standing=delivered]').waitFor()
})
