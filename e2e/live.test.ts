import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addChange } from '../db/event/changes.ts'
import { bumpVersion } from '../db/event/version.ts'
import { events } from '../db/schema/index.ts'
import { payByHand } from './lab/pay.ts'
import { apiAway, openStory, soon } from './lab/story.ts'

const story = openStory()

const sold = (page: Page) => page.locator('[data-fact="ticketsSold"]').first()
/** Streams that the browser has opened in this page. */
async function countStreams(page: Page): Promise<{ count: () => number }> {
  let count = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/live')) count++
  })
  await page.reload()
  return { count: () => count }
}

test('a change by another process appears on the page without a reload', async () => {
  const { page } = await story.visit()
  await soon(() => sold(page).innerText()).toBe('0')
  await setSold(41)
  await soon(() => sold(page).innerText()).toBe('41')
})

test('two tabs share one stream, and the second takes over when the first is closed', async () => {
  const visitor = await story.visit()
  await soon(() => sold(visitor.page).innerText()).toBe('41')
  const second = await story.reopen(visitor)
  const { count } = await countStreams(second)
  await soon(() => sold(second).innerText()).toBe('41')
  expect(count()).toBe(0)
  await visitor.page.close()
  await soon(async () => count()).toBe(1)
  await setSold(42)
  await soon(() => sold(second).innerText()).toBe('42')
})

test('a page recovers by itself after a restart of the API and shows the outage meanwhile', async () => {
  const { page } = await story.visit({ allow: apiAway, path: '/#recent' })
  await page.getByText('Live', { exact: true }).waitFor()
  await story.stack.api.kill()
  await page.locator('[data-link-sign]', { hasText: /Reconnecting|Offline/ }).waitFor()
  await story.stack.api.start()
  await page.locator('[data-link-sign]', { hasText: 'Live' }).waitFor()
  await payByHand(story.stack.chain.url, await story.account(2), 3)
  await page.getByRole('list', { name: 'Recently purchased tickets' }).getByRole('listitem').first().waitFor()
})

/** As another process would: a commit that bumps the version. */
async function setSold(ticketsSold: number): Promise<void> {
  await story.stack.db.transaction(async (tx) => {
    await tx.update(events).set({ ticketsSold })
    await addChange(tx, 1, 'sales', null, `${ticketsSold}`)
    await bumpVersion(tx)
  })
}
