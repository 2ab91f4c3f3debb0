import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { changeContent } from '../../db/content/contents.ts'
import { openApi } from '../../e2e/lab/api.ts'
import { builtPages } from '../../e2e/lab/built-pages.ts'
import { aContent } from '../../e2e/lab/content.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { until } from '../../e2e/lab/until.ts'

const uploads = mkdtempSync(join(tmpdir(), 'blockdraw-pages-'))
afterAll(() => rmSync(uploads, { recursive: true }))
const clock = handClock()
const opened = forEachTest(async () =>
  openApi(
    { siteDir: await builtPages({ demoWallet: false }), clock },
    { storageUrl: pathToFileURL(uploads).href },
  ),
)
const get = (path: string, headers: Record<string, string> = {}) => opened.call('GET', path, { headers })
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
const save = async (title: string) => {
  const content = aContent({ title: { en: title, ko: title } })
  await opened.db.transaction((tx) => changeContent(tx, content, { revision: opened.event.revision }))
  await opened.state.refresh()
}

test('a page says what its event says, before any script, with the headers of the built page', async () => {
  await save('A </script><b>title</b>')
  for (const path of ['/', '/ko/', '/e/1/', '/ko/e/1/', '/e/1']) {
    const response = await get(path)
    const html = await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect(html).toContain('A &lt;/script&gt;&lt;b&gt;title&lt;/b&gt;')
    expect(html.replace(/="[^"]*"/g, '')).not.toContain('<b>title')
    expect(metaOf(html, 'event-number')).toBe('1')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${createHash('sha256').update(html).digest('hex')}"`,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'max-age=0, s-maxage=5, stale-while-revalidate=60, stale-if-error=86400',
      'content-security-policy': "frame-ancestors 'none'",
      'integrity-policy': 'blocked-destinations=(script)',
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
    const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  expect((await get('/', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br')
})

test('what no event had is not found, and a page is made at most once a second', async () => {
  for (const path of ['/e/2/', '/e/0/', '/ko/e/999999999/', '/e/01/', '/e/x/']) {
    const response = await get(path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      ...[path, 404, 'text/html; charset=utf-8'],
    ])
  }
  const addresses = (await (await get('/sitemap.xml')).text()).match(/(?<=<loc>)[^<]+/g)
  expect(addresses).toEqual(['/', '/ko/', '/e/1/', '/ko/e/1/'].map((path) => `https://raffle.example${path}`))
  const first = await (await get('/')).text()
  await save('Second')
  expect(await (await get('/')).text()).toBe(first)
  clock.advance(1_000)
  expect(await (await get('/')).text()).toContain('<span>Second </span>')
})

test('while the database is gone the last page is served, and one that nobody had asked for as it was built', async () => {
  await save('Kept')
  const kept = await (await get('/e/1/')).text()
  await opened.db.execute(sql`alter table draws rename to gone`)
  try {
    await opened.change()
    await opened.state.refresh()
    clock.advance(1_000)
    expect(await (await get('/e/1/')).text()).toBe(kept)
    const built = await get('/ko/e/1/')
    expect([built.status, built.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(metaOf(await built.text(), 'event-number')).toBe('')
  } finally {
    await opened.db.execute(sql`alter table gone rename to draws`)
  }
})

test('the picture for shared links is printed once and stored under a hash of what is on it', async () => {
  await save('On a card')
  const shown = async () => {
    clock.advance(1_000)
    return metaOf(await (await get('/e/1/')).text(), 'og:image')
  }
  await shown()
  let stored = 0
  const isShown = async () => {
    const before = stored
    stored = readdirSync(uploads).length
    return stored > before && (await shown()) !== undefined
  }
  await until(isShown, 'the page names a picture', 90_000)
  const path = (await shown()) ?? ''
  expect(path).toMatch(/^https:\/\/raffle.example\/api\/uploads\/[0-9a-f]{32}\.png$/)
  const image = Buffer.from(await (await get(new URL(path).pathname)).arrayBuffer())
  expect([image.toString('latin1', 1, 4), image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([
    ...['PNG', 1200, 630],
  ])
  expect(metaOf(await (await get('/ko/e/1/')).text(), 'og:image')).not.toBe(path)
}, 120_000)
