import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hash, type Hex, numberToHex } from 'viem'
import type { EventContent } from '../../../core/content/event-content.ts'
import type { EventPage } from '../../../core/content/event-page.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { startPostgres } from '../../../infra/local/postgres.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { admin } from '../../lab/admin-verbs.ts'
import { openBrowser } from '../../lab/browser.ts'
import { accountsOf, waitBlockTime } from '../../lab/chain-verbs.ts'
import { colourPicture } from '../../lab/colour-picture.ts'
import { aContent, aPrize } from '../../lab/content.ts'
import { drawSoon } from '../../lab/draw-soon.ts'
import { longestContent } from '../../lab/longest-content.ts'
import { payByHand } from '../../lab/pay.ts'
import { startStack } from '../../lab/stack.ts'
import { threePrizes, threePrizesTitle } from '../../lab/three-prizes.ts'
import { until } from '../../lab/until.ts'
import { uploadPicture } from '../../lab/upload-picture.ts'
import { transferData, usdt, usdtGas } from '../../lab/usdt.ts'

/**
 * `bun e2e/long/screens/event-screens.ts OUTDIR [widths] [languages] [themes]`: the published pages of an event with three prizes
 * and pictures, on sale, drawn and archived, and of one with the longest texts, on sale and refunded; with the pictures for
 * shared links. For review by people.
 */
const [outDir, widths = '1440,390', languages = 'en,ko', themes = 'light,dark'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/long/screens/event-screens.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
const postgres = await startPostgres({ dataDir, durable: false })
const stack = await startStack({
  database: { url: postgres.url, close: async () => undefined },
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
  shareCards: true,
})
const browser = await openBrowser()
const { call, login } = createAdminClient(() => stack.url, admin)
try {
  await login()
  await writeEvent()
  await takeAll('sale', ['', 'e/1/'])
  await draw()
  await takeAll('drawn', ['', 'e/1/'])
  await openLongest()
  await takeAll('archived', ['e/1/'])
  await takeAll('long', ['', 'e/2/'])
  await missMinimum()
  await takeAll('refunding', ['', 'e/2/'])
  await payBack()
  await takeAll('refunded', ['e/2/'])
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

/** Event 2, whose texts are as long as may be; in Korean without a space. */
async function openLongest(): Promise<void> {
  // The pictures before took longer than a password is fresh.
  await login()
  const shapes = [
    [600, 1_200],
    [1_600, 500],
    [700, 700],
  ] as const
  const keys = []
  for (let at = 0; at < 11; at++) {
    const [width, height] = shapes[at % 3] as readonly [number, number]
    keys.push(await uploadPicture(call, colourPicture(width, height, [60 + 15 * at, 110, 220 - 15 * at])))
  }
  const [words, unbroken] = [longestContent('words', keys), longestContent('unbroken', keys)]
  const content = mixed(words, unbroken) as EventContent
  const { version } = (await call('GET', '/api/admin/raffle/next-content')).body
  const saved = await call('PUT', '/api/admin/raffle/next-content', { content, version })
  const terms = (await call('GET', '/api/admin/raffle/next-terms')).body
  const drawDate = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const draft = { drawDate, minTicketsForDraw: 1_000, version: terms.version }
  const drafted = await call('PUT', '/api/admin/raffle/next-terms', draft)
  const opened = await call('POST', '/api/admin/raffle/open-next', {
    ...{ version: drafted.body.version, contentVersion: saved.body.version },
  })
  if (opened.status !== 200) throw new Error(JSON.stringify([saved.body, drafted.body, opened.body]))
  await shown('A quiet box', 'e/2/')
  const about = longestContent('words').prizes[0]?.about
  const text = { en: `Corrected: ${about?.en}`, ko: `정정: ${about?.ko}` }
  await call('POST', '/api/admin/raffle/corrections', { text })
  await shown('Corrected: ', 'e/2/')
}

/** The English texts of one and the Korean ones of the other. */
function mixed(english: unknown, korean: unknown): unknown {
  if (Array.isArray(english)) return english.map((each, at) => mixed(each, (korean as unknown[])[at]))
  if (typeof english !== 'object' || english === null) return english
  const of = (fields: object, name: string) => (fields as Record<string, unknown>)[name]
  return Object.fromEntries(
    Object.entries(english).map(([name, value]) => [
      name,
      name === 'ko' ? of(korean as object, name) : mixed(value, of(korean as object, name)),
    ]),
  )
}

/** A few tickets, and a draw date that comes soon. */
async function missMinimum(): Promise<void> {
  const { saleStart } = (await call('GET', '/api/raffle/config')).body
  await waitBlockTime(stack.chain.url, Date.parse(saleStart))
  const accounts = (await accountsOf(stack.chain.url)).slice(1, 4)
  for (const account of accounts) await payByHand(stack.chain.url, account, 9)
  await until(async () => (await call('GET', '/api/raffle/stats')).body.ticketsSold === 9, 'Nine tickets')
  await drawSoon(call)
  await until(async () => (await call('GET', '/api/raffle/config')).body.isRefundMode, 'Refund mode')
  await shown('name="event-running" content=""', 'e/2/')
}

async function payBack(): Promise<void> {
  await login()
  const summary = async () => (await call('GET', '/api/admin/refunds?event=2&kind=event')).body.summary.event
  await until(async () => (await summary()).totalAmount === 2_700, 'What is owed')
  const { totalTickets, totalAmount } = await summary()
  const request = { refundInfo: { totalTickets, totalAmount }, kind: 'event', eventNumber: 2 }
  let rows: { id: number }[] = []
  await until(async () => {
    const { status, body } = await call('POST', '/api/admin/raffle/execute-refund', request)
    rows = body.refundTransactions ?? []
    return status === 200
  }, 'Refunds')
  const count = await rpc<Hex>(stack.chain.url, 'eth_getTransactionCount', [operatorAccount, 'pending'])
  const ids = rows.map(({ id }) => id)
  const offer = { ids, wallet: operatorAccount, nonce: Number(count), relayed: false }
  const offered = (await call('POST', '/api/admin/refunds/offer', offer)).body.rows
  for (const [index, { id, revision, to, units }] of offered.entries()) {
    const data = transferData(to, BigInt(units))
    const nonce = numberToHex(Number(count) + index)
    const transaction = { from: operatorAccount, to: usdt, data, gas: usdtGas, nonce }
    const transactionHash = await rpc<Hash>(stack.chain.url, 'eth_sendTransaction', [transaction])
    const claims = [{ id, revision }]
    await call('POST', '/api/admin/refunds/sent', { ids: [id], claims, transactionHash })
  }
  const state = async () => ((await call('GET', '/api/raffle/event/2')).body as EventPage).state
  await until(async () => (await state()) === 'refunded', 'All is paid back')
  await until(async () => !(await source('e/2/')).includes('Being refunded'), 'The page says so')
}

async function source(path: string): Promise<string> {
  const answer = await fetch(`${stack.url}/${path}`)
  return answer.text()
}

async function shown(text: string, path = 'e/1/'): Promise<void> {
  await until(async () => (await source(path)).includes(text), `The page with ${text}`)
}

/** The picture for shared links of a page, as a file beside the others. */
async function takeCard(path: string, name: string): Promise<void> {
  const address = async () =>
    /property="og:image" content="[^"]*(\/share\/[^"]+)"/.exec(await source(path))?.[1]
  await until(address, 'The picture for shared links')
  const answer = await fetch(stack.url + (await address()))
  writeFileSync(join(outDir as string, name), new Uint8Array(await answer.arrayBuffer()))
}

async function takeAll(state: string, paths: readonly string[]): Promise<void> {
  for (const language of languages.split(','))
    await takeCard(`${language === 'ko' ? 'ko/' : ''}${paths.at(-1)}`, `card-${language}-${state}.png`)
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
