import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveSite } from '../../infra/local/site-server.ts'
import { openBrowser } from '../lab/browser.ts'
import { builtPages } from '../lab/built-pages.ts'

const pages = ['index.html', 'ko/index.html', 'admin/index.html', 'admin-login/index.html', '404.html']

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

const imports = new Map<string, string[]>()

/** What a script imports, at once or later, by Bun's parser. */
function importsOf(name: string): string[] {
  const known = imports.get(name)
  if (known) return known
  const code = readFileSync(join(dir, '_astro', name), 'utf8')
  const found = new Bun.Transpiler({ loader: 'js' }).scanImports(code)
  const names = found.map(({ path }) => path.replace('./', ''))
  imports.set(name, names)
  return names
}

function reachedBy(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) if (!found.has(name)) reachedBy(importsOf(name), found.add(name))
  return found
}

test.each(pages)('S3: every script and style sheet that %s reaches has its hash in the page', (name) => {
  const html = readFileSync(join(dir, name), 'utf8')
  const [, text = '{"integrity":{}}'] = /<script type="importmap">(.+?)<\/script>/.exec(html) ?? []
  const map = JSON.parse(text).integrity as Record<string, string>
  const hashOf = (href: string) =>
    `sha256-${createHash('sha256')
      .update(readFileSync(join(dir, href)))
      .digest('base64')}`
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*"(\/_astro\/[^"]+\.(?:js|css))"[^>]*>/g)]
  for (const [tag, href = ''] of tags)
    expect([href, tag]).toEqual([href, expect.stringContaining(hashOf(href))])
  const named = [...html.matchAll(/\/_astro\/([\w.-]+\.js)/g)].map(([, script = '']) => script)
  const reached = reachedBy(named)
  expect(reached.size > 0).toBe(name !== '404.html')
  for (const script of reached)
    expect([script, map[`/_astro/${script}`]]).toEqual([script, hashOf(`/_astro/${script}`)])
  for (const [href, hash] of Object.entries(map)) expect([href, hash]).toEqual([href, hashOf(href)])
})

type Change = { file?: RegExp; header?: boolean; prepare?: (page: Page) => Promise<void> }

/** A page whose host answers a `file` with more than was built. Without `header` the page's own hashes are alone. */
async function visit(path: string, { file, header = true }: Change) {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const url = `http://127.0.0.1:${site.port}`
  const asked: string[] = []
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/integrity|import ?map/i.test(message.text())) complaints.push(message.text())
  })
  await page.route(/^https:/, (route) => route.abort())
  await page.route(`${url}/_astro/**`, async (route) => {
    const address = route.request().url()
    if (!file?.test(address)) return route.continue()
    asked.push(address)
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${await answer.text()}\n;globalThis.ran=1;` })
  })
  if (!header)
    await page.route(
      (address) => address.origin === url && !/^\/(_astro|api)\//.test(address.pathname),
      async (route) => {
        const answer = await route.fetch()
        const { 'integrity-policy': policy, ...headers } = answer.headers()
        expect(policy).toBe('blocked-destinations=(script)')
        await route.fulfill({ response: answer, headers })
      },
    )
  await page.goto(url + path, { waitUntil: 'load' })
  const ran = () => page.evaluate(() => (globalThis as { ran?: number }).ran)
  return { page, asked, complaints, ran, word: page.locator('#broken') }
}

const pressF8 = async (page: Page) => {
  await page.locator('html[data-awake]').waitFor()
  await page.keyboard.press('F8')
}
const press = (name: string) => (page: Page) =>
  page.locator('astro-island:not([ssr]) button, button').filter({ hasText: name }).first().click()

test.each([
  ['/#recent', /RecentList\./, undefined],
  ['/#recent', /react\./, undefined],
  ['/', /Toaster\..*css/, pressF8],
  ['/admin-login/', /react\./, undefined],
])('S3: %s does not run a changed %s, and says so', async (path, file, act) => {
  const { page, word, ran, asked } = await visit(path, { file, header: false })
  await act?.(page)
  await word.waitFor()
  expect(asked.length).toBeGreaterThan(0)
  expect(await ran()).toBeUndefined()
  const text =
    path.startsWith('/ko') || path.startsWith('/admin') ? /다릅니다/ : /not the file that was published/
  expect(await word.innerText()).toMatch(text)
})

test('S3: AppKit, which loads at a press, is not run when changed', async () => {
  const { page, word, ran, asked } = await visit('/', { file: /appkit\./, header: false })
  await press('Connect Wallet')(page)
  await page.getByRole('button', { name: 'Other wallets' }).click()
  await word.waitFor()
  expect([asked.length > 0, await ran()]).toEqual([true, undefined])
})

test('a script that a page has no hash for is not run, also of our own server', async () => {
  const { page } = await visit('/', {})
  // As a text: the test runner would rewrite an import.
  const load = (href: string) =>
    page.evaluate(`import(${JSON.stringify(href)}).then(() => 'ran', () => 'refused')`)
  const script = `/_astro/${readdirSync(join(dir, '_astro')).find((name) => /^qr\..*js$/.test(name))}`
  expect([await load(script), await load(`${script}?again`)]).toEqual(['ran', 'refused'])
})

test.each(['/#recent', '/ko/#winner', '/admin/', '/admin-login/'])(
  '%s as it was built has no complaint',
  async (path) => {
    const { page, word, complaints } = await visit(path, {})
    await page.locator('astro-island:not([ssr]), #admin > *').first().waitFor()
    expect([await word.isVisible(), complaints]).toEqual([false, []])
  },
)

test('the skip link leads to the content where no script comes, pressed before that is known or after', async () => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const isPressed = Promise.withResolvers<void>()
  await page.route(/^https:/, (route) => route.abort())
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
