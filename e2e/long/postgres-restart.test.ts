import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAll, ownPostgres } from '../lab/api-process.ts'
import { apiAway, openStory } from '../lab/story.ts'
import { connectWallet, ownTickets, pressBuy, purchaseCard } from '../lab/verbs.ts'

let postgres: Awaited<ReturnType<typeof ownPostgres>>
const options: Parameters<typeof openStory>[0] = {}

afterAll(closeAll)
beforeAll(async () => {
  postgres = await ownPostgres()
  options.database = { url: postgres.url, close: async () => undefined }
})
const story = openStory(options)
const soon = { timeout: 60_000 }

test('Q4: Postgres crashes under an open page: the page keeps its state, and purchases go on', async () => {
  const { page, wallet } = await story.visit({ account: 1, allow: apiAway })
  await connectWallet(page)
  for (const bought of [1, 2]) {
    postgres.restart()
    await pressBuy(page, bought)
    await expect.poll(() => purchaseCard(page).innerText(), soon).toMatch(`${bought} ticket`)
    await expect.poll(() => ownTickets(page), soon).toMatch(bought === 1 ? /^#\d+$/ : /^#\d+–#\d+$/)
    await page.locator('[data-link-sign]', { hasText: 'Live' }).waitFor({ state: 'attached' })
  }
  expect(wallet.sent()).toHaveLength(2)
})
