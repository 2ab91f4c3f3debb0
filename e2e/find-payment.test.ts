import { expect, test } from 'vitest'
import { claims } from '../db/schema/index.ts'
import { waitBlockTime } from './lab/chain-verbs.ts'
import { payBnb, payByHand, payWithFakeToken } from './lab/pay.ts'
import { openStory } from './lab/story.ts'
import { connectWallet, goTo } from './lab/verbs.ts'

const password = 'four tickets to a quiet draw'
const story = openStory({
  env: { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: password, SALE_LEAD_SECONDS: '10' },
})

test('a payment sent by hand is found by its hash, and shows its tickets', async () => {
  const { page } = await story.visit({ path: '/#recent' })
  const hash = await payByHand(story.stack.chain.url, await story.account(3), 9)
  await page.getByLabel('Transaction hash').fill(`  ${hash.toUpperCase().replace('0X', '0x')} `)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Tickets #1–#3, counted.').waitFor()
  // a hash not posted before became a claim
  expect(await story.stack.db.select().from(claims)).toMatchObject([{ transactionHash: hash }])
})

test('a hash submitted before the form has started is looked up after its start', async () => {
  const visitor = await story.visit({ withWallet: false })
  const scripts = Promise.withResolvers<void>()
  await visitor.context.route(/_astro\/FindPayment/, async (route) => {
    await scripts.promise
    await route.continue()
  })
  const page = await story.reopen(visitor, '/#recent')
  await page.getByLabel('Transaction hash').fill(`0x${'5e'.repeat(32)}`)
  await page.getByRole('button', { name: 'Find' }).click()
  scripts.resolve()
  await page.locator('[data-answer]').waitFor()
})

test('a hash submitted while React is still starting is looked up when it listens', async () => {
  const visitor = await story.visit({ withWallet: false })
  // React's work goes through messages of its own to itself.
  await visitor.context.addInitScript(() => {
    const held: (() => void)[] = []
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      held.push(() => postMessage.call(this, message))
    }
    Object.assign(window, {
      letGo: () => {
        MessagePort.prototype.postMessage = postMessage
        for (const send of held) send()
      },
    })
  })
  const page = await story.reopen(visitor, '/#recent')
  await page.locator('astro-island:not([ssr]) form #find-hash').waitFor({ state: 'attached' })
  await page.evaluate(
    (hash) => {
      const field = document.querySelector<HTMLInputElement>('#find-hash')
      if (field) field.value = hash
      field?.form?.requestSubmit()
    },
    `0x${'5f'.repeat(32)}`,
  )
  await page.evaluate(() => (window as unknown as { letGo: () => void }).letGo())
  await page.locator('[data-answer]').waitFor()
})

test('for an amount below one ticket the page says what happens to the money', async () => {
  const { page } = await story.visit({ path: '/#recent' })
  const hash = await payByHand(story.stack.chain.url, await story.account(4), 2.99)
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(/The amount is below one ticket. It is listed for a full refund/).waitFor()
})

test('the field refuses text that is not a transaction hash, and nothing is sent', async () => {
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

test.each([
  { what: 'another token', text: 'Only USDT (BEP-20) buys tickets.', pay: payWithFakeToken, waitBlockTime },
  { what: 'no token at all', text: 'This transaction sent no USDT to the operator wallet', pay: payBnb },
])('a payment with $what is told to be none', async ({ text, pay }) => {
  const hash = await pay(story.stack.chain.url, await story.account(4))
  const { page } = await story.visit({ withWallet: false, path: '/#recent' })
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(text).waitFor()
  expect(await page.locator('[data-answer] .badge').innerText()).toBe('Rejected')
})

test('an unknown hash is shown as being looked up, not as wrong', async () => {
  const { page } = await story.visit({ withWallet: false, path: '/#recent' })
  await page.getByLabel('Transaction hash').fill(`0x${'ab'.repeat(32)}`)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Looking for it on the chain.').waitFor()
  await page.locator('[data-answer] .badge', { hasText: 'Received' }).waitFor()
})

// Last, as it ends the sale.
test('for a payment after the end of the sale the page says that it was too late', async () => {
  const call = async (method: string, path: string, body: object, token = ''): Promise<Response> =>
    fetch(`${story.stack.url}/api/admin${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const login = await call('POST', '/login', { username: 'admin', password })
  const { token } = (await login.json()) as { token: string }
  const drawDate = new Date(Date.now() + 14_000).toISOString()
  const patched = await call('PATCH', '/raffle/config', { drawDate }, token)
  const { saleEndDate } = (await patched.json()) as { saleEndDate: string }
  expect(patched.status).toBe(200)

  const { page } = await story.visit({ account: 3, path: '/#buy' })
  await connectWallet(page)
  await page.getByRole('button', { name: 'Sales closed' }).waitFor()
  await waitBlockTime(story.stack.chain.url, Date.parse(saleEndDate))
  const hash = await payByHand(story.stack.chain.url, await story.account(3), 30)
  await goTo(page, 'Recent Purchases')
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('The payment came too late for a ticket.').waitFor()
})
