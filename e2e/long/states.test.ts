import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { en } from '../../site/src/texts/en.ts'
import { go, shows, watchStates } from '../lab/states.ts'
import { apiAway, openStory, soon } from '../lab/story.ts'
import { winnerAt } from '../lab/told.ts'

// The pages of this build name the operator's wallet.
const story = openStory({ otherWallets: true })
const wide = { width: 1440, language: 'en' as const }
const passed = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2025-09-29T12:00:00.000Z' }
const winner = winnerAt(Date.parse('2055-10-01T12:00:00Z'))

test('with the API away the page says so, and shows the wallet it was built with', async () => {
  const { page } = await story.visit({
    ...{ path: '/#winner', withWallet: false, allow: apiAway },
    prepare: (context) => context.route('**/api/**', (route) => route.abort()),
  })
  await shows(page, '#winner', [en.away.title, en.away.text, en.away.list])
  await go(page, 'Buy Tickets')
  const address = () => page.locator('#buy [data-address]').innerText()
  await soon(async () => (await address()).toLowerCase()).toBe(operatorAccount.toLowerCase())
  await shows(page, '#buy', [en.rest.away])
})

test('the result is there with the overlay’s last moment: the board is never an empty box', async () => {
  const { page, tell } = await watchStates(story, wide)
  await page.route('**/api/raffle/winner', (route) => route.fulfill({ json: null }))
  await tell({ config: { ...passed, isRefundMode: false }, stats: { ticketsSold: 12_377 } })
  await go(page, 'Home')
  await tell({ drawStatus: { isDrawing: true }, winner: null })
  await shows(page, '#draw dialog', ['Drawing in progress...'])
  await page.locator('[data-board] astro-island:not([ssr])').waitFor({ state: 'attached' })
  // From here on the scripts of the Winner section would never come.
  await page.route('**/_astro/*.js', () => {})
  await page.clock.fastForward(10_000)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const board = document.querySelector('#winner [data-board]') as HTMLElement
      if (board.checkVisibility()) seen.push(board.innerText)
    }).observe(document.documentElement, { attributes: true, subtree: true, childList: true })
  })
  await tell({ winner, drawStatus: { isDrawing: false } })
  await shows(page, '[data-board]', ['winning ticket #10331'])
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen.filter((text) => !text.includes('10331'))).toEqual([])
})
