import { desc } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { register } from '../core/chain/register.ts'
import { encodeAnchor } from '../core/draw/anchor.ts'
import { commitmentOfEvent } from '../db/draw/anchors.ts'
import { mustHaveEvent } from '../db/event/events.ts'
import { draws } from '../db/schema/index.ts'
import { operatorAccount } from '../infra/local/chain.ts'
import { createAdminClient } from './lab/admin-client.ts'
import { sendMined } from './lab/chain-verbs.ts'
import { payByHand } from './lab/pay.ts'
import { openStory, soon } from './lab/story.ts'
import { usdtGas } from './lab/usdt.ts'
import { connectWallet, goTo, ownTickets, pressBuy } from './lab/verbs.ts'

const admin = { username: 'lead', password: 'a-long-enough-password-9' }
const story = openStory({
  env: { SALE_LEAD_SECONDS: '10', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
const get = async (path: string) => (await call('GET', path)).body
const heading = (page: Page) => page.locator('#winner-title')
const overlay = (page: Page) => page.locator('#draw dialog')
/** The check talks to the test's own chain, which is another origin. */
const ownNode = [/request to a stranger: http:\/\/127\.0\.0\.1/, /ERR_CONNECTION_REFUSED/]

/** Both kinds of buyers, then a draw date so near that the sale ends at once. */
async function sell(page: Page, seconds: number): Promise<number> {
  await connectWallet(page)
  await pressBuy(page, 33)
  expect(await ownTickets(page)).toBe('#1–#33')
  await payByHand(story.stack.chain.url, await story.account(2), 9)
  await soon(async () => (await get('/api/raffle/stats')).ticketsSold).toBe(36)
  const drawAt = Math.ceil(Date.now() / 1000) + seconds
  const drawDate = new Date(drawAt * 1000).toISOString()
  expect(await call('PATCH', '/api/admin/raffle/config', { drawDate, minTicketsForDraw: 10 })).toMatchObject({
    status: 200,
  })
  return drawAt * 1000
}

/** The transaction of the dashboard's button. */
async function anchor(): Promise<void> {
  await soon(async () => (await call('GET', '/api/raffle/ledger/1')).status).toBe(200)
  const data = encodeAnchor(1, commitmentOfEvent(await mustHaveEvent(story.stack.db)) as Hex)
  await sendMined(story.stack.chain.url, { from: operatorAccount, to: register.address, data, gas: usdtGas })
}

const publicCalls = [
  ...[
    'config',
    'stats',
    'winner',
    'draw-status',
    'history',
    'changes',
    'proof/1',
    'claim/1',
    'ledger/1',
    'prizes',
  ].map((name) => `/api/raffle/${name}`),
  ...['/api/tickets/recent', '/api/event/settings', '/api/health'],
]

type Seen = { at: number; from: string; text: string }

/** All public answers while the draw runs, until the reveal. */
async function watchForLeaks(): Promise<() => Promise<Seen[]>> {
  const seen: Seen[] = []
  const note = (from: string, text: string) => void seen.push({ at: Date.now(), from, text })
  const stop = new AbortController()
  const stream = await fetch(`${story.stack.url}/api/live`, { signal: stop.signal })
  const reading = (async () => {
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>)
      note('/api/live', new TextDecoder().decode(piece))
  })().catch(() => undefined)
  const polling = (async () => {
    while (!stop.signal.aborted) {
      for (const path of publicCalls)
        note(path, await fetch(story.stack.url + path).then((answer) => answer.text()))
      await Bun.sleep(200) // not so often that this address is refused
    }
  })()
  return async () => {
    stop.abort()
    await Promise.all([reading, polling])
    return seen
  }
}

test('a whole event: sold, anchored, drawn by itself, shown, checked, cleared, drawn again, archived', async () => {
  const token = await login()
  expect(token).toBeTruthy()
  // A date to rely on: what the browser keeps at the purchase settles the terms, also when the draw comes earlier.
  const announced = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString()
  await call('PATCH', '/api/admin/raffle/config', { drawDate: announced })
  const { page, wallet } = await story.visit({ account: 1, allow: ownNode })
  const { page: phone } = await story.visit({ withWallet: false, width: 390 })
  // From then on every transfer is part of the file of the money, so that all of it can be checked.
  const money = () => fetch(`${story.stack.url}/api/raffle/flows/1`).then((answer) => answer.text())
  await soon(money).toMatch(/^0x[0-9a-f]{40},\d+,0x[0-9a-f]{64},\d+$/m)
  const drawAt = await sell(page, 16)
  await goTo(page, 'Winner')
  await page.getByRole('heading', { name: 'Draw Scheduled' }).waitFor()
  await anchor()

  // The draw begins by itself, and the page opens by itself.
  await overlay(phone).getByText('Drawing in progress...').first().waitFor({ timeout: 60_000 })
  const stopWatching = await watchForLeaks()
  await overlay(page).getByRole('heading', { name: 'Prize Draw' }).waitFor()
  expect(Date.now()).toBeGreaterThanOrEqual(drawAt)
  const [row] = await story.stack.db.select().from(draws).orderBy(desc(draws.eventNumber))
  expect(await get('/api/raffle/winner')).toBe(null)
  await soon(async () => (await get('/api/raffle/draw-status')).isDrawing).toBe(false)
  const revealAt = (row?.drawnAt.getTime() ?? 0) + 10_000
  const before = (await stopWatching()).filter(({ at }) => at < revealAt)
  expect(new Set(before.map(({ from }) => from))).toEqual(new Set(['/api/live', ...publicCalls]))
  // The list of tickets names every buyer, so only facts of the draw itself would be a leak.
  const facts = [String(row?.randomNumber), '"announcedAt"', '"winningTicket"', '"winnerWallet"', 'My wallet']
  expect(before.filter(({ text }) => facts.some((fact) => text.includes(fact)))).toEqual([])

  await overlay(phone).getByText('The drawn number ends in').waitFor()
  const winner = await get('/api/raffle/winner')
  const shown = `${winner.walletAddress.slice(0, 6)}…${winner.walletAddress.slice(-4)}`
  await overlay(phone)
    .getByRole('heading', { name: `Winner: ${shown}` })
    .waitFor()
  expect(await overlay(phone).locator('[data-digit]').allInnerTexts()).toEqual([
    ...winner.randomNumber.slice(-3),
  ])
  await overlay(phone).waitFor({ state: 'hidden' })
  expect(new URL(phone.url()).hash).toBe('#winner')
  await phone.locator('[data-winner]', { hasText: shown }).waitFor()

  // Every check passes, against a node of the visitor's choice.
  await overlay(page).waitFor({ state: 'hidden' })
  await page.getByLabel('Event #1, checked with this node').fill('http://127.0.0.1:65531')
  await page.getByRole('button', { name: 'Check this draw' }).click()
  await page.getByText('This node does not answer.').waitFor()
  await page.locator('[data-verdict=incomplete]').getByText('Nothing contradicts this draw, but').waitFor()
  await page.getByLabel('Event #1, checked with this node').fill(story.stack.chain.url)
  await page.getByRole('button', { name: /Check again|Checking/ }).click()
  await page.getByText('15 of 15 checks passed').waitFor()
  await page.locator('[data-verdict=verified] .badge.ok').getByText('Verified').waitFor()
  const states = await page
    .locator('li[data-step]')
    .evaluateAll((lines) => lines.map((line) => line.dataset.state))
  expect(states).toEqual(Array(15).fill('passed'))
  const certificate = page.getByRole('article', { name: 'Certificate of event 1' })
  expect(await certificate.innerText()).toContain(`/?event=1#winner`)
  expect((await certificate.innerText()).toLowerCase()).toContain(winner.walletAddress.toLowerCase())

  // Only the winner can sign.
  const others = [await story.account(1), await story.account(2)].filter(
    (address) => address.toLowerCase() !== winner.walletAddress.toLowerCase(),
  )
  await wallet.setAccounts(others)
  await page.getByText(`only ${shown} can sign`).waitFor()
  expect(await page.getByRole('button', { name: 'Sign claim' }).isDisabled()).toBe(true)
  await wallet.setAccounts([winner.walletAddress])
  await page.getByRole('button', { name: 'Sign claim' }).click()
  const code = await page.locator('[data-code]').innerText()
  expect((await call('POST', '/api/admin/raffle/claim-code', { eventNumber: 1, code })).body).toMatchObject({
    isValid: true,
  })
  expect(await page.getByRole('link', { name: 'Submit Shipping Information' }).count()).toBe(0)
  await call('PATCH', '/api/admin/raffle/config', { googleFormUrl: 'https://forms.gle/claim' })
  await page.getByRole('link', { name: 'Submit Shipping Information' }).waitFor()

  // Cleared in public, and drawn again: the same winner.
  expect((await call('DELETE', '/api/admin/raffle/winner')).status).toBe(200)
  await page.getByRole('heading', { name: 'Awaiting Draw' }).waitFor()
  expect((await call('POST', '/api/admin/blockchain/draw')).status).toBe(200)
  await overlay(page).getByText('Drawing in progress...').first().waitFor()
  await page.keyboard.press('Escape')
  await overlay(page).waitFor({ state: 'hidden' })
  await page.locator('[data-winner]', { hasText: shown }).waitFor({ timeout: 60_000 })
  expect(await get('/api/raffle/winner')).toMatchObject({
    randomNumber: winner.randomNumber,
    ticketNumber: winner.ticketNumber,
  })
  await page.getByRole('list', { name: 'Changes to event 1' }).getByText('announced → cleared').waitFor()

  // The next date opens event 2, and event 1 stays to be checked.
  const next = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString()
  expect((await call('PATCH', '/api/admin/raffle/config', { drawDate: next })).body).toMatchObject({
    eventNumber: 2,
    archiveMessage: expect.stringContaining('2'),
  })
  await page.getByRole('heading', { name: 'Draw Scheduled' }).waitFor()
  await page.getByRole('heading', { name: 'Event #1' }).waitFor()
  await page.getByRole('button', { name: 'Check event 1' }).click()
  await page.getByLabel('Event #1, checked with this node').waitFor()
  expect(await heading(page).innerText()).toBe('Winner Announcement')
})

test('below the minimum the page turns to refunds: title, panel, no form; the operator turns the notice on and off', async () => {
  await login()
  const { page } = await story.visit({ account: 3 })
  // What is paid before the sale begins gets no ticket.
  await soon(async () => (await get('/api/raffle/config')).isSoon).toBe(false)
  await payByHand(story.stack.chain.url, await story.account(3), 6)
  await soon(async () => (await get('/api/raffle/stats')).ticketsSold).toBe(2)
  const drawDate = new Date(Math.ceil(Date.now() / 1000) * 1000 + 12_000).toISOString()
  await call('PATCH', '/api/admin/raffle/config', { drawDate, minTicketsForDraw: 10 })
  await goTo(page, 'Winner')
  await expect.poll(() => heading(page).innerText(), { timeout: 60_000 }).toBe('Refund Announcement!')
  const panel = page.locator('#winner [role=status]', {
    has: page.getByRole('heading', { name: 'Refund Notice' }),
  })
  expect(await panel.innerText()).toMatch(
    /Refund processing due to insufficient minimum ticket quantity[\s\S]*sending address[\s\S]*3-5 business days/,
  )
  expect(await page.getByRole('link', { name: 'Submit Shipping Information' }).count()).toBe(0)

  // Persistent in refund mode: it does not close by itself and opens again only for a new notice.
  const notify = (active: boolean) => call('POST', '/api/admin/raffle/refund-notification', { active })
  expect((await notify(true)).status).toBe(200)
  await overlay(page).getByRole('heading', { name: 'Refund Notice' }).waitFor()
  await overlay(page)
    .locator('.lead', { hasText: 'Refund processing due to insufficient minimum ticket quantity' })
    .waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await overlay(page).waitFor({ state: 'hidden' })
  await notify(false)
  await soon(async () => (await get('/api/raffle/draw-status')).refundNotice).toBe(false)
  expect((await notify(true)).status).toBe(200)
  await overlay(page).getByRole('heading', { name: 'Refund Notice' }).waitFor()
})
