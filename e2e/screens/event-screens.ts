import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventPage } from '../../core/content/event-page.ts'
import { startPostgres } from '../../infra/local/postgres.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin } from '../lab/admin-verbs.ts'
import { openBrowser } from '../lab/browser.ts'
import { accountsOf } from '../lab/chain-verbs.ts'
import { aContent, aPrize } from '../lab/content.ts'
import { drawSoon } from '../lab/draw-soon.ts'
import { payByHand } from '../lab/pay.ts'
import { startStack } from '../lab/stack.ts'
import { threePrizes, threePrizesTitle } from '../lab/three-prizes.ts'
import { until } from '../lab/until.ts'
import { uploadPicture } from '../lab/upload-picture.ts'

/**
 * `bun e2e/screens/event-screens.ts OUTDIR [widths] [languages] [themes]`: the published pages of an event with three prizes
 * and pictures, on sale and drawn, for review by people.
 */
const [outDir, widths = '1440,390', languages = 'en,ko', themes = 'light,dark'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/screens/event-screens.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
const postgres = await startPostgres({ dataDir, durable: false })
const stack = await startStack({
  database: { url: postgres.url, close: async () => undefined },
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
})
const browser = await openBrowser()
const { call, login } = createAdminClient(() => stack.url, admin)
try {
  await login()
  await writeEvent()
  await takeAll('sale', ['', 'e/1/'])
  await draw()
  await takeAll('drawn', ['', 'e/1/'])
} finally {
  await browser.close()
  await stack.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function writeEvent(): Promise<void> {
  const prizes = []
  for (const { name, value, amount, picture } of threePrizes) {
    const key = await uploadPicture(call, picture.bytes)
    const kind = amount === undefined ? 'goods' : 'token'
    const cents = amount === undefined ? null : Number(amount) * 100
    const pictures = [{ key, alt: picture.alt }] as never
    prizes.push(aPrize({ name, value, kind, amount: cents, pictures }))
  }
  const { version } = (await call('GET', '/api/admin/raffle/content')).body
  const content = aContent({ title: threePrizesTitle, prizes })
  await call('PUT', '/api/admin/raffle/content', { content, version })
  await call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 10, maxTickets: 12, maxPerWallet: 4 })
  await shown('<h3>Prize money</h3>')
}

async function draw(): Promise<void> {
  const accounts = (await accountsOf(stack.chain.url)).slice(1, 5)
  for (const account of accounts) await payByHand(stack.chain.url, account, 9)
  const sold = async () => (await call('GET', '/api/raffle/stats')).body.ticketsSold === 12
  await until(sold, 'Twelve tickets')
  await drawSoon(call)
  const result = async () => ((await call('GET', '/api/raffle/event/1')).body as EventPage).result
  await until(result, 'The result', 60_000)
  await shown(`title="${(await result())?.winners[0]?.walletAddress}"`)
}

async function shown(text: string): Promise<void> {
  const isThere = async () =>
    (await fetch(`${stack.url}/e/1/`).then((answer) => answer.text())).includes(text)
  await until(isThere, `The page with ${text}`)
}

async function takeAll(state: string, paths: readonly string[]): Promise<void> {
  for (const width of widths.split(',').map(Number))
    for (const language of languages.split(','))
      for (const theme of themes.split(',') as ('light' | 'dark')[]) {
        const viewport = { width, height: width < 700 ? 800 : 900 }
        const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
        for (const path of paths) {
          const page = await context.newPage()
          await page.goto(`${stack.url}/${language === 'ko' ? 'ko/' : ''}${path}`)
          await page.evaluate(() => document.fonts.ready)
          await page.evaluate(() => {
            for (const image of document.images) image.loading = 'eager'
            return Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
          })
          const name = `${width}-${language}-${theme}-${path === '' ? 'home' : 'event'}-${state}`
          await page.screenshot({ path: join(outDir as string, `${name}.png`), fullPage: true })
          await page.close()
        }
        await context.close()
      }
}
