import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { serveSite } from '../../../infra/local/site-server.ts'
import { openBrowser } from '../../lab/browser.ts'
import { builtPages } from '../../lab/built-pages.ts'

/**
 * `bun e2e/long/screens/pictures.ts`: renders the pictures that other sites and devices show, from the page
 * itself: a card for each language, and the icons. Run it when the hero or the mark has changed; the files
 * are committed.
 */
const out = join(resolve(import.meta.dirname, '../../..'), 'site/public')
const site = serveSite({
  dir: await builtPages({ demoWallet: false }),
  port: 0,
  apiUrl: 'http://127.0.0.1:1',
  token: '',
})
/** The hero alone, as on a wide screen. */
const cardStyle = `
  body > header, .skip, footer, .hero .actions, #home > :not(.hero) { display: none !important }
  html, body { overflow: hidden }
  .hero { position: relative; box-sizing: border-box; width: 1200px; height: 630px; padding: 128px 64px 0 !important }
  .hero .title { margin-top: 20px }
  .hero > .mark { position: absolute; top: 48px; left: 64px; transform: scale(1.5); transform-origin: 0 0 }
`
const url = `http://127.0.0.1:${site.port}`
const browser = await openBrowser()
try {
  for (const [path, name] of [
    ['/', 'social.png'],
    ['/ko/', 'social-ko.png'],
  ] as const) {
    const page = await openPage(1200, 630)
    await page.goto(url + path)
    await page.addStyleTag({ content: cardStyle })
    await page.evaluate(() => document.fonts.ready)
    await page.evaluate(() => {
      const mark = document.querySelector('.mark')
      if (mark) document.querySelector('.hero')?.prepend(mark.cloneNode(true))
      for (const place of document.querySelectorAll('[data-slot=stub-number]')) place.textContent = '#1'
    })
    await page.screenshot({ path: join(out, name) })
  }
  writeFileSync(join(out, 'apple-touch-icon.png'), await icon(180, 24))
  writeFileSync(join(out, 'favicon.ico'), ico(await icon(32, 0), 32))
} finally {
  await browser.close()
  await site.stop(true)
}

async function openPage(width: number, height: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, bypassCSP: true })
  return context.newPage()
}

/** The mark on a square; with a margin it gets a paper background, as phones round the corners. */
async function icon(size: number, margin: number): Promise<Buffer> {
  const page = await openPage(size, size)
  const mark = readFileSync(join(out, 'favicon.svg')).toString('base64')
  const inside = size - 2 * margin
  await page.setContent(
    `<body style="margin:0;background:${margin ? '#f3ede0' : 'transparent'}"><img style="display:block;width:${inside}px;height:${inside}px;margin:${margin}px" src="data:image/svg+xml;base64,${mark}">`,
  )
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
  return page.screenshot({ omitBackground: true })
}

/** An .ico is a list of images; ours holds one PNG. */
function ico(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}
