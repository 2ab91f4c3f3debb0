import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveSite } from '../../infra/local/site-server.ts'
import { openBrowser } from '../lab/browser.ts'
import { builtPages } from '../lab/built-pages.ts'

let dir: string
let site: ReturnType<typeof serveSite>
let browser: Browser
beforeAll(async () => {
  dir = await builtPages({ demoWallet: false, otherWallets: true })
  site = serveSite({ dir, port: 0, apiUrl: 'http://127.0.0.1:1', token: 'none' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.stop(true)
})

async function open() {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route(/^https:/, (route) => route.abort())
  return page
}

test('a script that a page has no hash for is not run, also of our own server', async () => {
  const page = await open()
  await page.goto(`http://127.0.0.1:${site.port}/`, { waitUntil: 'load' })
  // As a text: the test runner would rewrite an import.
  const load = (href: string) =>
    page.evaluate(`import(${JSON.stringify(href)}).then(() => 'ran', () => 'refused')`)
  const script = `/_astro/${readdirSync(join(dir, '_astro')).find((name) => /^qr\..*js$/.test(name))}`
  expect([await load(script), await load(`${script}?again`)]).toEqual(['ran', 'refused'])
})

test('the skip link leads to the content where no script comes, pressed before that is known or after', async () => {
  const page = await open()
  const isPressed = Promise.withResolvers<void>()
  await page.route(/\/_astro\/.*\.js$/, async (route) => {
    await isPressed.promise
    await route.abort()
  })
  await page.goto(`http://127.0.0.1:${site.port}/`, { waitUntil: 'domcontentloaded' })
  const press = () => page.locator('[href="#main"]').press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await press()
  expect(await focused()).toBe('')
  isPressed.resolve()
  await page.locator('#broken').waitFor()
  await expect.poll(focused).toBe('main')
  await page.evaluate(() => document.getElementById('main')?.blur())
  await press()
  expect(await focused()).toBe('main')
})
