import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { getHouseRules, type HouseRulesPatch } from '../../db/house/rules.ts'
import { claims } from '../../db/schema/index.ts'
import { admin } from '../lab/admin-verbs.ts'
import { noHouseRules, switchRules } from '../lab/house.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { buyButton, connectWallet, goTo, ownTickets, pressBuy } from '../lab/verbs.ts'

const header = 'cf-ipcountry'
const story = openStory({
  env: {
    ...{ COUNTRY_HEADER: header, TRUSTED_PROXIES: '127.0.0.1/32' },
    ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
  },
})
const set = (patch: HouseRulesPatch) => switchRules(story.stack.db, patch)
afterEach(() => set(noHouseRules))

/** As through a CDN that tells this country. */
const comesFrom = (country: string) => (context: BrowserContext) =>
  context.route('**/api/visitor', async (route) => {
    const answer = await fetch(`${story.stack.apiUrl}/api/visitor`, { headers: { [header]: country } })
    await route.fulfill({ contentType: 'application/json', body: await answer.text() })
  })
const terms = { en: '## What you buy\n\nA ticket.', ko: '## 무엇을 사나요\n\n티켓입니다.' }
const privacy = { en: 'We keep a wallet address.', ko: '지갑 주소를 보관합니다.' }
const gate = (page: Page) => page.locator('#buy [data-gate]')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Before your first purchase' })
const address = (page: Page) => page.locator('#buy [data-address]')

test('a buyer says his age and accepts the texts once; the versions are kept with his claim, and new ones are asked for', async () => {
  await set({ minAge: 19, terms, privacy, requireAcceptance: true })
  const { page, wallet, context } = await story.visit({ account: 1 })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByRole('heading', { name: 'Before your first purchase' }).waitFor()
  expect(await address(page).innerText()).toBe('Shown once you have confirmed the rules.')
  await pressBuy(page, 2)
  const confirm = dialog(page)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await confirm.getByText('Please tick each line first.').waitFor()
  await page.keyboard.press('Escape')
  expect(wallet.sent()).toEqual([])
  await pressBuy(page, 2)
  expect(await confirm.getByRole('checkbox', { checked: true }).count()).toBe(0)
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    confirm.getByRole('link', { name: 'terms' }).click(),
  ])
  await tab.getByRole('heading', { name: 'What you buy' }).waitFor()
  await tab.close()
  for (const line of [/I am 19 or older/, /accept the terms/, /read the privacy notice/])
    await confirm.getByRole('checkbox', { name: line }).check()
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await ownTickets(page)
  const { terms: named, privacy: told } = await getHouseRules(story.stack.db)
  const [claim] = await story.stack.db.select().from(claims)
  expect(claim?.accepted).toEqual({
    ...{ termsSha256: named?.sha256, privacySha256: told?.sha256, age: 19 },
    at: expect.any(String),
  })
  expect(await address(page).innerText()).toMatch(/^0x/)

  await page.reload()
  await page.locator('#buy [data-pay] button:enabled').waitFor()
  await pressBuy(page, 1)
  await soon(async () => wallet.sent().length).toBe(2)
  await set({ terms: { ...terms, en: 'Another text.' } })
  await page.getByRole('heading', { name: 'Before your first purchase' }).waitFor()
  await page.getByRole('button', { name: 'Read and confirm' }).click()
  expect(await confirm.getByRole('checkbox').count()).toBe(1)
  // What was ticked is no word on a version that came after it.
  await confirm.getByRole('checkbox').check()
  await set({ terms: { ...terms, en: 'Yet another text.' } })
  await confirm.getByRole('checkbox', { checked: false }).waitFor()
})

test('in a closed country nothing can be bought or copied from the page, and what comes all the same is credited', async () => {
  await set({ closedCountries: ['KR'] })
  const { page, wallet } = await story.visit({ account: 2, path: '/#buy', prepare: comesFrom('KR') })
  await gate(page).getByText('Not sold in your country').waitFor()
  expect(await buyButton(page).isVisible()).toBe(false)
  expect(await page.locator('#buy [data-copy]:visible').count()).toBe(0)
  expect(await address(page).innerText()).toBe('Not shown in your country.')
  await page.getByText('Pay from a phone').click()
  await page.locator('#buy details[open]').getByText('Not shown in your country.').waitFor()
  expect(await page.locator('#buy').getByText('Sending by hand?').isVisible()).toBe(false)
  await connectWallet(page)
  await payByHand(story.stack.chain.url, await story.account(2), 3)
  await page.getByRole('region', { name: 'My tickets' }).waitFor()
  expect(wallet.sent()).toEqual([])

  const { page: other } = await story.visit({ account: 2, path: '/#buy', prepare: comesFrom('US') })
  await connectWallet(other)
  await other.locator('#buy [data-pay] button:enabled').waitFor()
  await set({ closedCountries: ['KR', 'US'] })
  await gate(other).getByText('Not sold in your country').waitFor()
})
