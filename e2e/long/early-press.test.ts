import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { openStory, soon } from '../lab/story.ts'

const story = openStory()

test.each(['sections', 'skip link'] as const)(
  'what is pressed before any script is there happens when they are: the %s',
  async (what) => {
    const letGo = Promise.withResolvers<void>()
    const prepare = (context: BrowserContext) =>
      context.route(/\/_astro\/.*\.js$/, async (route) => {
        await letGo.promise
        await route.continue()
      })
    const { page } = await story.visit({
      path: '/#buy',
      width: 1440,
      prepare,
      withWallet: false,
      isEarly: true,
    })
    if (what === 'skip link') {
      await page.locator('[href="#main"]').press('Enter')
      letGo.resolve()
      await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
      await page.locator('#buy').waitFor()
    } else {
      await page.locator('nav [data-open-section=winner]').click()
      expect(await page.evaluate(() => document.documentElement.dataset.section)).not.toBe('winner')
      letGo.resolve()
      await soon(() => page.evaluate(() => document.documentElement.dataset.section)).toBe('winner')
    }
    // Once, and not again.
    await soon(() => page.locator('[data-early]').count()).toBe(0)
  },
)

test('what is unfolded before its script is there shows what it holds when it is', async () => {
  const letGo = Promise.withResolvers<void>()
  const prepare = (context: BrowserContext) =>
    context.route(/\/_astro\/BuyCounter\..*\.js$/, async (route) => {
      await letGo.promise
      await route.continue()
    })
  const { page } = await story.visit({ path: '/#buy', prepare, withWallet: false, isEarly: true })
  const phone = page.locator('#buy details', { hasText: 'Pay from a phone' })
  await phone.locator('summary').click()
  expect(await phone.getByRole('img').count()).toBe(0)
  letGo.resolve()
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
