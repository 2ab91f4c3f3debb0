import { writeFileSync } from 'node:fs'
import type { EventPage } from '../../../core/content/event-content.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { admin } from '../../lab/admin-verbs.ts'
import { accountsOf, waitBlockTime } from '../../lab/chain-verbs.ts'
import { colourPicture } from '../../lab/colour-picture.ts'
import { aContent, aPrize } from '../../lab/content.ts'
import { drawSoon } from '../../lab/draw-soon.ts'
import { longestContent } from '../../lab/longest-content.ts'
import { payByHand } from '../../lab/pay.ts'
import { testBeacon } from '../../lab/test-beacon.ts'
import { threePrizes, threePrizesTitle } from '../../lab/three-prizes.ts'
import { until } from '../../lab/until.ts'
import { uploadPicture } from '../../lab/upload-picture.ts'
import { openStudio } from './studio.ts'

/**
 * `bun e2e/long/screens/event-screens.ts OUTDIR …`: the published pages of an event with three prizes and pictures, on sale,
 * drawn and archived, and of one with the longest texts, on sale and being refunded; with the pictures for shared links.
 */
const studio = await openStudio({
  env: {
    ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
    LOCAL_BEACON_KEY: testBeacon.publicKey,
  },
})
const { stack } = studio
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
} finally {
  await studio.close()
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
  await call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 10 })
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

/** Event 2, whose texts are as long as may be. */
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
  const content = longestContent(keys)
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
  writeFileSync(studio.fileOf(name), new Uint8Array(await answer.arrayBuffer()))
}

async function takeAll(state: string, paths: readonly string[]): Promise<void> {
  for (const language of studio.languages)
    await takeCard(`${language === 'ko' ? 'ko/' : ''}${paths.at(-1)}`, `card-${language}-${state}`)
  for (const look of studio.looks)
    for (const path of paths) {
      const page = await studio.open(look)
      await page.goto(`${stack.url}/${look.language === 'ko' ? 'ko/' : ''}${path}`)
      await studio.shot(page, look, `${path === '' ? 'home' : 'event'}-${state}`)
      await page.context().close()
    }
}
