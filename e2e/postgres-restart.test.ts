import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAll, ownPostgres } from '../api/processes/test.ts'
import { apiAway, openStory } from './story.ts'
import { connectWallet, ownTickets, pressBuy } from './verbs.ts'

let postgres: Awaited<ReturnType<typeof ownPostgres>>
const options: Parameters<typeof openStory>[0] = {}

afterAll(closeAll)
beforeAll(async () => {
  postgres = await ownPostgres()
  options.database = { url: postgres.url, close: async () => undefined }
}, 60_000)
const story = openStory(options)

test('Q4: Postgres crashes under an open page: the page keeps its state, and purchases go on', async () => {
  const { page, wallet } = await story.visit({ account: 1, allow: apiAway })
  await connectWallet(page)
  for (const round of [1, 2]) {
    postgres.restart()
    await pressBuy(page, round)
    const before = (round * (round - 1)) / 2
    const own = round === 1 ? '#1' : `#${before + 1}–#${before + round}`
    await expect.poll(() => ownTickets(page), { timeout: 15_000 }).toBe(own)
    await page.locator('[data-link-sign]', { hasText: 'Live' }).waitFor({ state: 'attached' })
  }
  expect(wallet.sent()).toHaveLength(2)
})
