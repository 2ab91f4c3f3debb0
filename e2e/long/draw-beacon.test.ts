import { beforeAll, expect, test } from 'vitest'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { mine, setNextTime } from '../lab/chain-verbs.ts'
import { promiseCopies } from '../lab/content.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { goTo } from '../lab/verbs.ts'

const admin = { username: 'lead', password: 'a-long-enough-password-9' }
const story = openStory({
  demoWallet: true,
  env: { SALE_LEAD_SECONDS: '10', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
const get = async (path: string) => (await call('GET', path)).body

beforeAll(async () => {
  await login()
})

test('a draw that mixes a round of drand in: promised, waited for, found, two winners, checked, certified', async () => {
  const { chain } = story.stack
  expect(await promiseCopies(call, 2)).toBe(200)
  expect((await call('PATCH', '/api/admin/raffle/config', { entropy: 'blocks+drand' })).status).toBe(200)
  // From then on every transfer is part of the file of the money, so that all of it can be checked.
  const money = () => fetch(`${story.stack.url}/api/raffle/flows/1`).then((answer) => answer.text())
  await soon(money).toMatch(/^0x[0-9a-f]{40},\d+,0x[0-9a-f]{64},\d+$/m)
  for (const buyer of [1, 2, 3]) await payByHand(chain.url, await story.account(buyer), 30 + 3 * buyer)
  await soon(async () => (await get('/api/raffle/stats')).ticketsSold).toBe(36)
  const drawAt = Math.ceil(Date.now() / 1000) + 15
  const drawDate = new Date(drawAt * 1000).toISOString()
  await call('PATCH', '/api/admin/raffle/config', { drawDate, minTicketsForDraw: 10 })
  await soon(async () => (await get('/api/raffle/draw-status')).beacon).toBe('sealed')
  const { beaconRound } = await get('/api/raffle/config')

  // The five hashes are shown first; nobody knows the winner before the round.
  const { page } = await story.visit({
    withWallet: false,
    allow: [/request to a stranger: http:\/\/127\.0\.0\.1/],
  })
  await goTo(page, 'Winner')
  const waiting = page.locator('#winner')
  await waiting
    .getByText(`${beaconRound.toLocaleString('en-US')}`)
    .first()
    .waitFor({ timeout: 60_000 })
  await soon(async () => (await get('/api/raffle/draw-status')).blockSeed).not.toBe(null)
  const { blockSeed } = await get('/api/raffle/draw-status')
  await waiting.locator(`[title="${blockSeed}"]`).waitFor()
  expect(await get('/api/raffle/winner')).toBe(null)
  expect((await call('GET', '/api/raffle/proof/1')).status).toBe(404)
  expect((await call('POST', '/api/admin/blockchain/draw')).body.code).toBe('BEACON_PENDING')

  // Blocks with times behind the round's: its signature is fetched, checked and mixed in.
  await expect.poll(() => Date.now(), { timeout: 60_000 }).toBeGreaterThan((drawAt + 10) * 1000)
  await mine(chain.url, 33, 0)
  await setNextTime(chain.url, drawAt + 62)
  await mine(chain.url, 4, 1)
  await page.locator('#draw dialog').getByText('Drawing in progress...').first().waitFor({ timeout: 60_000 })
  expect(await get('/api/raffle/draw-status')).toMatchObject({ beacon: 'found', blockSeed })
  await soon(async () => (await get('/api/raffle/winners')).length).toBe(3)
  const drawn: PublicDrawnTicket[] = await get('/api/raffle/winners')
  expect(drawn.map(({ kind, place }) => `${kind} ${place}`)).toEqual(['winner 1', 'winner 2', 'reserve 1'])
  expect(new Set(drawn.map(({ walletAddress }) => walletAddress)).size).toBe(3)

  await page.locator('#draw dialog').waitFor({ state: 'hidden', timeout: 60_000 })
  await page.getByLabel('Event #1, checked with this node').fill(chain.url)
  await page.getByRole('button', { name: 'Check this draw' }).click()
  await page.locator('li[data-step=beacon][data-state=passed]').waitFor({ timeout: 60_000 })
  // This browser bought nothing and nobody anchored the list: all but that is proven.
  await page.locator('[data-verdict=incomplete]').waitFor({ timeout: 60_000 })
  const failed = await page
    .locator('li[data-step]')
    .evaluateAll((lines) =>
      lines.filter((line) => line.dataset.state !== 'passed').map((line) => line.dataset.step),
    )
  expect(failed).toEqual(['terms', 'anchor'])
  const certificate = page.getByRole('article', { name: 'Certificate of event 1' })
  const text = await certificate.innerText()
  expect(text).toContain(beaconRound.toLocaleString('en-US'))
  const [first, second] = drawn as [PublicDrawnTicket, PublicDrawnTicket]
  expect(text).toContain(first.walletAddress)
  expect(text.replace(/\s+/g, ' ')).toContain(`2. #${second.ticketNumber} ${second.walletAddress}`)
})
