import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { EventPage } from '../../core/content/event-content.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, png } from '../lab/admin-verbs.ts'
import { builtPages } from '../lab/built-pages.ts'
import { aContent, aPrize } from '../lab/content.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'

const story = openStory({
  // On this machine alone nobody needs a second factor to set a date.
  demoWallet: true,
  env: {
    ...{ SALE_LEAD_SECONDS: '10', CLAIM_DAYS: '7' },
    ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
  },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)
const get = async <T>(path: string): Promise<T> => (await call('GET', path)).body
const source = async (path: string): Promise<string> => (await fetch(story.stack.url + path)).text()
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]

/** Uploads a PNG as the desk does; answers its key. */
async function uploadPicture(png: Buffer): Promise<string> {
  const asked = await call('POST', '/api/admin/upload/image', { contentType: 'image/png', size: png.length })
  const put = await fetch(asked.body.uploadURL, {
    ...{ method: 'PUT', body: png as never },
    headers: { 'content-type': 'image/png' },
  })
  return new URL(((await put.json()) as { url: string }).url).pathname.split('/').at(-1) as string
}

async function drawFirstEvent(): Promise<EventPage> {
  for (const buyer of [1, 2, 3]) await payByHand(story.stack.chain.url, await story.account(buyer), 3 * buyer)
  await soon(async () => (await get<{ ticketsSold: number }>('/api/raffle/stats')).ticketsSold).toBe(6)
  // So near that the sale ends at once.
  const drawDate = new Date(Math.ceil(Date.now() / 1000) * 1000 + 16_000).toISOString()
  expect((await call('PATCH', '/api/admin/raffle/config', { drawDate })).status).toBe(200)
  await expect
    .poll(async () => (await get<EventPage>('/api/raffle/event/1')).result, { timeout: 60_000 })
    .not.toBeNull()
  return get('/api/raffle/event/1')
}

const titleOf = (page: Page) => page.locator('#home-title').innerText()

test('the source of a page says the prize as soon as it is saved, with its picture, and what is over keeps what it said', async () => {
  expect(await source('/')).toContain('<span>One miner, </span>')
  await login()

  const key = await uploadPicture(png)
  const { version } = await get<{ version: number }>('/api/admin/raffle/content')
  const picture = { key, alt: { en: 'A red bicycle', ko: '빨간 자전거' } }
  const first = aContent({ prizes: [aPrize({ pictures: [picture as never] })] })
  expect((await call('PUT', '/api/admin/raffle/content', { content: first, version })).body).toMatchObject({})
  await soon(() => source('/')).toContain('<span>One bicycle, </span>')
  const home = await source('/')
  expect(metaOf(home, 'description')).toBe('Tickets for a bicycle.')
  const path = /<img src="(\/api\/uploads\/[0-9a-f]{32}\.png)"/.exec(home)?.[1]
  const served = await fetch(story.stack.url + path)
  expect([Buffer.from(await served.arrayBuffer()), served.headers.get('cache-control')]).toEqual([
    expect.any(Buffer),
    'public, max-age=31536000, immutable',
  ])
  expect(await source('/ko/')).toContain('<span>자전거 한 대, </span>')

  const told = { minTicketsForDraw: 2 }
  expect((await call('PATCH', '/api/admin/raffle/config', told)).status).toBe(200)
  // The page of the event is open from before its draw to after it.
  const { page: watcher } = await story.visit({ path: '/e/1/', withWallet: false })
  const link = watcher.getByRole('link', { name: /calendar/i })
  const dates = async () => {
    const address = (await link.getAttribute('href')) ?? ''
    expect(address).toMatch(/^webcal:/)
    const file = await (await fetch(address.replace('webcal:', 'http:'))).text()
    return file.match(/^DTSTART:.+$/gm)?.map((line) => line.trim().slice('DTSTART:'.length))
  }
  const inCalendar = (at: Date) => at.toISOString().replace(/[-:]|\.000/g, '')
  for (const days of [30, 20]) {
    const drawDate = new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * 86_400_000)
    expect((await call('PATCH', '/api/admin/raffle/config', { drawDate })).status).toBe(200)
    // A date that is set shows the button on a page that is open, and the calendar's address follows one that is moved.
    await soon(() => link.isVisible()).toBe(true)
    await soon(dates).toContain(inCalendar(drawDate))
  }
  // With the first ticket a date could be moved no more.
  expect((await call('PATCH', '/api/admin/raffle/config', { drawDate: null })).status).toBe(200)
  await soon(() => link.isVisible()).toBe(false)
  const drawn = await drawFirstEvent()
  const wallet = drawn.result?.winners[0]?.walletAddress as string
  await soon(() => source('/e/1/')).toContain(`title="${wallet}"`)
  const result = watcher.locator('[data-slot=result]')
  await soon(() => result.innerText()).toContain(drawn.result?.randomNumber)
  expect(await watcher.getByRole('link', { name: 'Buy Tickets' }).isVisible()).toBe(false)

  // Without JavaScript the page of an event is whole.
  const { page: reader } = await story.visit({ path: '/e/1/', javaScript: false, withWallet: false })
  await reader.getByRole('heading', { name: 'One bicycle, drawn in public' }).waitFor()
  expect(await reader.locator('[data-slot=result]').innerText()).toContain(drawn.result?.randomNumber)
  expect(await reader.getByRole('img', { name: 'A red bicycle' }).isVisible()).toBe(true)
  expect(await reader.locator('[data-slot=terms-line]').innerText()).toBe(drawn.terms.trim())
  expect(await reader.getByRole('link', { name: 'Buy Tickets' }).count()).toBe(0)
  expect(await reader.getByRole('link', { name: 'Proof file' }).getAttribute('href')).toBe(
    '/api/raffle/proof/1',
  )

  // Somebody has the page of event 1 open while event 2 begins.
  const { page: visitor } = await story.visit({ withWallet: false })
  expect(await titleOf(visitor)).toContain('One bicycle')
  const second = aContent({ title: { en: 'A second <b>prize</b>', ko: '두 번째 <b>경품</b>' } })
  const draft = await get<{ version: number }>('/api/admin/raffle/next-content')
  const saved = await call('PUT', '/api/admin/raffle/next-content', {
    content: second,
    version: draft.version,
  })
  expect(saved.status).toBe(200)
  const terms = await get<{ version: number }>('/api/admin/raffle/next-terms')
  const drawDate = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const drafted = await call('PUT', '/api/admin/raffle/next-terms', { drawDate, version: terms.version })
  const opened = await call('POST', '/api/admin/raffle/open-next', {
    ...{ version: drafted.body.version, contentVersion: saved.body.version },
  })
  expect(opened.body).toMatchObject({ eventNumber: 2 })
  await soon(() => source('/')).toContain('<span>A second &lt;b&gt;prize&lt;/b&gt; </span>')
  await soon(() => titleOf(visitor)).toBe('A second <b>prize</b>')
  expect(await source('/e/2/')).toContain('A second &lt;b&gt;prize&lt;/b&gt;')
  const old = await source('/e/1/')
  expect(old).toContain('<span>One bicycle, </span>')
  expect(old).toContain(wallet)
})

test('the command writes a folder for a CDN that is pushed, and leaves it as it was while nobody answers', async () => {
  const place = mkdtempSync(join(tmpdir(), 'blockdraw-cdn-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const out = join(place, 'out')
  const site = await builtPages({ demoWallet: false })
  const command = join(import.meta.dirname, '../../infra/cli/pages.ts')
  const write = async (api: string) => {
    const child = Bun.spawn([process.execPath, command, out, '--site', site, '--api', api], {
      env: { PATH: process.env.PATH },
      stderr: 'pipe',
    })
    return { stderr: await new Response(child.stderr).text(), exitCode: await child.exited }
  }
  const paths = ['/', '/ko/', '/e/1/', '/ko/e/1/', '/e/2/', '/ko/e/2/']
  // A picture for shared links is printed after the page that names it was first asked for.
  for (const path of paths) await soon(async () => metaOf(await source(path), 'og:image')).toBeDefined()
  for (let time = 0; time < 2; time++)
    expect(await write(story.stack.url)).toEqual({ stderr: '', exitCode: 0 })
  expect(readFileSync(join(out, 'e/1/index.html'), 'utf8')).toContain('<span>One bicycle, </span>')
  for (const path of paths)
    expect(readFileSync(join(out, path, 'index.html'), 'utf8')).toBe(await source(path))
  // Whatever the build had is there as it was.
  const sums = await Bun.$`sha256sum -c --quiet sha256sums.txt`.cwd(out).nothrow()
  expect([sums.exitCode, `${sums.stderr}`]).toEqual([0, ''])
  expect(await write('http://127.0.0.1:1')).toEqual({
    ...{ stderr: expect.stringContaining('Nothing was written'), exitCode: 1 },
  })
  expect(readdirSync(place)).toEqual(['out'])
})
