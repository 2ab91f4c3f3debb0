import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import type { PublicPrize } from '../core/flows/public-money.ts'
import type { PublicHistoryItem } from '../core/live/public.ts'
import { go, looks, shows, watchStates } from './lab/states.ts'
import { moneyTexts as texts } from './lab/states-money-texts.ts'
import { openStory, soon } from './lab/story.ts'
import { connectWallet } from './lab/verbs.ts'
import { covers, prizeStates, severalPrizes } from './long/screens/money-states.ts'
import { drawnTickets, madeUp } from './long/screens/screen-states.ts'

const story = openStory()
const announced = madeUp().find(([name]) => name === 'winner-announced')?.[2] ?? {}

test.each(looks)('what is held and owed, state by state, at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watchStates(story, look)
  const line = '[data-cover]'
  const word = () => page.locator(line).getAttribute('data-cover')
  await tell({})
  await go(page, 'Buy Tickets')
  await page.locator(line).scrollIntoViewIfNeeded()
  const states = covers()
  for (const name of ['unknown', 'covered', 'others', 'short', 'broken', 'stale'] as const) {
    await tell({ solvency: states[name] })
    await shows(page, line, texts[name][language])
    const shown = { others: 'covered', broken: 'unknown' }[name as string] ?? name
    await soon(word).toBe(shown)
  }
  await tell({ solvency: states.short })
  const gone = states.short?.others[0]?.transactionHash
  await soon(() => page.locator('[data-point] a').getAttribute('href')).toContain(gone)
  await tell({ solvency: states.others })
  await page.locator('[data-others] summary').click()
  await soon(() => page.locator('[data-others] li').count()).toBe(2)
  for (const { transactionHash } of states.others?.others ?? [])
    expect(await page.locator(`[data-others] a[href$="${transactionHash}"]`).count()).toBe(1)
  await page.locator(line).locator('details').last().locator('summary').click()
  await shows(page, line, texts.parts[language])
})

test.each(looks)('each state of a prize at $width px in $language', async (look) => {
  const { language } = look
  const { page, tell } = await watchStates(story, look)
  await tell({ ...announced, winners: drawnTickets(13, 1) })
  await go(page, 'Winner')
  for (const [name, prize] of Object.entries(prizeStates())) {
    await tell({ prizes: [prize] })
    await shows(page, '[data-prizes]', texts.prizes[name as keyof typeof texts.prizes][language])
  }
  await tell({ winners: drawnTickets(13, 3), prizes: severalPrizes() })
  await soon(() => page.locator('[data-prize]').count()).toBe(3)
  await shows(page, '[data-prizes]', texts.several[language])
  await page.locator('[data-claim-by-chain] summary').click()
  await shows(page, '[data-claim-by-chain]', texts.byChain[language])
})

test('the holder of a prize is told what to do in each of its states, and others that it is not theirs', async () => {
  const look = { width: 1440, language: 'en' } as const
  const { page, tell } = await watchStates(story, look, undefined, [], { account: 2 })
  await tell({ ...announced, winners: drawnTickets(13, 1) })
  await go(page, 'Winner')
  await connectWallet(page)
  const card = page.locator('[aria-labelledby=claim-title]')
  const { unclaimed, reserve, claimed, shipped, delivered } = prizeStates()
  await tell({ prizes: unclaimed && [unclaimed] })
  await shows(page, '[aria-labelledby=claim-title]', ['Is this your wallet?', 'is connected, and only'])
  expect(await card.getByRole('button', { name: 'Sign claim' }).isDisabled()).toBe(true)
  for (const [prize, words, button] of [
    [reserve, 'It is your turn', 'Sign claim'],
    [claimed, 'Your claim is recorded.', 'Show the code'],
    [shipped, 'Has your prize arrived?', 'Sign receipt'],
    [delivered, 'Nothing more is to be done.', undefined],
  ] as const) {
    await tell({ prizes: prize && [prize] })
    await shows(page, '[aria-labelledby=claim-title]', [words])
    if (button) expect(await card.getByRole('button', { name: button }).isEnabled()).toBe(true)
    else expect(await card.getByRole('button').count()).toBe(0)
  }
})

test('a prize of a past event that is not over is claimed in its record, on chain with the wallet of that event', async () => {
  const look = { width: 390, language: 'en' } as const
  const { page, tell } = await watchStates(story, look, undefined, [], { account: 2 })
  const { reserve, delivered } = prizeStates()
  const own = { ...(reserve as PublicPrize), eventNumber: 12 }
  const [past, ...earlier] = announced.history ?? []
  const standing = (prize: PublicPrize): PublicHistoryItem => ({
    ...(past as PublicHistoryItem),
    prizes: [{ ...prize, walletAddress: prize.holder?.walletAddress ?? null }],
  })
  let told = own
  const operatorWallet = getAddress(`0x${'12'.repeat(20)}`)
  await page.route('**/api/raffle/prizes/12', (route) => route.fulfill({ json: [told] }))
  await page.route('**/api/raffle/claim/12?place=1', (route) => route.fulfill({ json: { operatorWallet } }))
  await tell({ winner: null, prizes: [], history: [standing(own), ...earlier] })
  await go(page, 'Winner')
  await connectWallet(page)
  expect(await page.getByRole('button', { name: 'Sign claim' }).count()).toBe(0)
  await page.locator('[data-past-prizes="12"] > summary').click()
  const card = '[data-past-prizes="12"] > section[aria-label]'
  await shows(page, card, ['It is your turn', 'Claim it by'])
  expect(await page.locator(card).getByRole('button', { name: 'Sign claim' }).isEnabled()).toBe(true)
  await page.locator(`${card} [data-claim-by-chain] summary`).click()
  await shows(page, card, [operatorWallet, '0.000000000000000001'])
  // What becomes of it is told in the list; the record follows.
  told = { ...(delivered as PublicPrize), eventNumber: 12 }
  await tell({ history: [standing(told), ...earlier] })
  await shows(page, card, ['Nothing more is to be done.'])
})

test('whoever holds a prize claims it though the operator hid the winners, and nobody is told whose it is', async () => {
  const look = { width: 390, language: 'en' } as const
  const hidden = { winner: null, winners: [], prizes: [], drawStatus: { isWinnerHidden: true } }
  const { unclaimed, reserve } = prizeStates()
  let held = unclaimed as PublicPrize
  const { page, tell } = await watchStates(story, look, undefined, [], { account: 2 })
  await page.route('**/api/raffle/prizes/1', (route) =>
    route.fulfill({ json: [{ ...held, eventNumber: 1 }] }),
  )
  await tell({ ...hidden, config: announced.config })
  await go(page, 'Winner')
  const board = page.locator('[data-board]')
  await shows(page, '[data-hidden-winner]', ['An announced winner was hidden', 'Connect to sign'])
  await connectWallet(page)
  await shows(page, '[data-hidden-winner]', ['holds no prize of this event'])
  expect(await board.innerText()).not.toContain(held.holder?.walletAddress.slice(0, 6))
  held = reserve as PublicPrize
  await tell(hidden)
  await shows(page, '[aria-labelledby=claim-title]', ['It is your turn', 'Claim it by'])
  expect(await board.getByRole('button', { name: 'Sign claim' }).isEnabled()).toBe(true)
})
