import { expect, test } from 'vitest'
import { claims } from '../db/schema.ts'
import { payByHand } from './pay.ts'
import { openStory } from './story.ts'
import { connectWallet, goTo } from './verbs.ts'

const story = openStory()

test('a payment sent by hand is found by its hash, and shows its tickets', async () => {
  const { page } = await story.visit({ path: '/#recent' })
  const hash = await payByHand(story.stack.chain.url, await story.account(3), 9)
  await page.getByLabel('Transaction hash').fill(`  ${hash.toUpperCase().replace('0X', '0x')} `)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Tickets #1–#3, counted.').waitFor()
  // a hash nobody had posted became a claim
  expect(await story.stack.db.select().from(claims)).toMatchObject([{ transactionHash: hash }])
})

test('an amount below one ticket is told with what happens to the money', async () => {
  const { page } = await story.visit({ path: '/#recent' })
  const hash = await payByHand(story.stack.chain.url, await story.account(4), 2.99)
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(/The amount is below one ticket. It is listed for a full refund/).waitFor()
})

test('what is no transaction hash is refused at the field, and nothing is sent', async () => {
  const { page } = await story.visit({ path: '/#recent' })
  const before = await story.stack.db.select().from(claims)
  await page.getByLabel('Transaction hash').fill('0x12')
  await page.getByLabel('Transaction hash').press('Enter')
  await page.getByText('A transaction hash is 0x and 64 digits from 0 to f.').waitFor()
  expect(await page.getByLabel('Transaction hash').getAttribute('aria-invalid')).toBe('true')
  expect(await story.stack.db.select().from(claims)).toHaveLength(before.length)
})

test('a connected wallet sees its tickets, also those it paid for by hand', async () => {
  const { page } = await story.visit({ account: 3 })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  const mine = page.getByRole('region', { name: 'My tickets' })
  await mine.getByText('#1–#3').waitFor()
  await payByHand(story.stack.chain.url, await story.account(3), 3)
  await mine.getByText('#4', { exact: true }).waitFor()
})
