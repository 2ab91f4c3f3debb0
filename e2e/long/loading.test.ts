import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { apiAway, openStory, soon } from '../lab/story.ts'
import { winnerAt } from '../lab/told.ts'
import { holdBack } from '../lab/verbs.ts'
import { fakeState, tellPage } from './screens/fake-state.ts'

// The pages of this build name the operator's wallet.
const story = openStory({ otherWallets: true })
/** What a page complains of whose scripts do not come. */
const noScripts = [/ERR_FAILED|Failed to fetch|Error hydrating|^page error: $/]
const allScripts = /\/_astro\/.*\.js$/
const focused = () => document.activeElement?.id

test('what is unfolded before its script is there shows what it holds when it is', async () => {
  const { letGo, held } = holdBack(/\/_astro\/BuyCounter\..*\.js$/)
  const { page } = await story.visit({ ...held, path: '/#buy' })
  const phone = page.locator('#buy details', { hasText: 'Pay from a phone' })
  await phone.locator('summary').click()
  expect(await phone.getByRole('img').count()).toBe(0)
  letGo()
  await phone.getByRole('img', { name: 'QR code of this payment' }).waitFor()
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

test('a page that is loaded anew far down starts what is above the screen too, and hides nothing for it', async () => {
  const { page } = await story.visit({ path: '/#winner', width: 390, withWallet: false })
  await page.locator('#history-title').scrollIntoViewIfNeeded()
  await page.locator('#winner astro-island:not([ssr])').last().waitFor({ state: 'attached' })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await page.reload()
  // What lies in a closed fold waits until that is opened.
  const waiting = page.locator('#winner astro-island[ssr]:not(details:not([open]) *)')
  await soon(() => waiting.count()).toBe(0)
  await soon(() => page.locator('#history-title').isVisible()).toBe(true)
})

test('a script that a page has no hash for is not run, also of our own server', async () => {
  const { page } = await story.visit({ withWallet: false, allow: [/integrity/i] })
  const script = /\/_astro\/qr\.[\w-]+\.js/.exec(await page.content())?.[0]
  // As a text: the test runner would rewrite an import.
  const load = (href?: string) =>
    page.evaluate(`import(${JSON.stringify(href)}).then(() => 'ran', () => 'refused')`)
  expect([await load(script), await load(`${script}?again`)]).toEqual(['ran', 'refused'])
})

test('the skip link leads to the content where no script comes, pressed before that is known or after', async () => {
  const isPressed = Promise.withResolvers<void>()
  const prepare = (context: BrowserContext) =>
    context.route(allScripts, async (route) => {
      await isPressed.promise
      await route.abort()
    })
  const { page } = await story.visit({ withWallet: false, isEarly: true, allow: noScripts, prepare })
  const press = () => page.locator('[href="#main"]').press('Enter')
  await press()
  expect(await page.evaluate(focused)).toBe('')
  isPressed.resolve()
  await page.locator('#broken').waitFor()
  await soon(() => page.evaluate(focused)).toBe('main')
  await page.evaluate(() => document.getElementById('main')?.blur())
  await press()
  expect(await page.evaluate(focused)).toBe('main')
})

test('with the API away the page shows the wallet it was built with', async () => {
  const { page } = await story.visit({
    ...{ path: '/#buy', withWallet: false, allow: apiAway },
    prepare: (context) => context.route('**/api/**', (route) => route.abort()),
  })
  const address = () => page.locator('#buy [data-address]').innerText()
  await soon(async () => (await address()).toLowerCase()).toBe(operatorAccount.toLowerCase())
})

test('what shows the result is there before the overlay’s last moment', async () => {
  const config = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2025-09-29T12:00:00.000Z' }
  const drawing = { config, stats: { ticketsSold: 12_377 }, drawStatus: { isDrawing: true }, winner: null }
  const { page } = await story.visit({
    ...{ width: 1440, withWallet: false, allow: [...apiAway, /proof\/13/] },
    prepare: async (context) => {
      await context.clock.install()
      await fakeState(context, story.stack, drawing as never)
    },
  })
  await page.locator('#draw dialog').getByText('Drawing in progress...').first().waitFor()
  await page.waitForLoadState('networkidle')
  // From here on the scripts of the Winner section would never come.
  await page.route('**/_astro/*.js', () => {})
  await page.clock.fastForward(10_000)
  await tellPage(page, {
    ...{ winner: winnerAt(Date.parse('2055-10-01T12:00:00Z')), drawStatus: { isDrawing: false } },
  })
  await soon(() => page.locator('[data-board]').innerText()).toMatch(/winning ticket\s+#10331/i)
})
