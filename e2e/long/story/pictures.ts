import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../lab/browser.ts'
import type { Moment } from './world.ts'

const width = 1440
/** The overlay has one screen; pages show what comes next. */
const heightOf = (moment: Moment): number => (moment === 'draw' ? 900 : 1150)
const paths: Record<Moment, string> = {
  page: '/',
  sold: '/#recent',
  draw: '/',
  winner: '/#winner',
  refunds: '/admin#refund',
}

/** Takes pictures of the story's pages, as the README has them. */
export async function openCamera(site: string, out: string) {
  mkdirSync(out, { recursive: true })
  const browser = await openBrowser()
  return {
    take: async (moment: Moment, token: string): Promise<void> => {
      const page = await openPage(browser, moment, token)
      await page.goto(site + paths[moment])
      await settle(page, moment)
      await page.screenshot({ path: join(out, `${moment}.png`) })
      await page.context().close()
    },
    close: () => browser.close(),
  }
}

async function openPage(browser: Browser, moment: Moment, token: string): Promise<Page> {
  // The drum of the draw moves: a picture of a moment in which it stands still says nothing.
  const viewport = { width, height: heightOf(moment) }
  const context = await browser.newContext({ viewport, colorScheme: 'light' })
  await context.addInitScript((token) => {
    localStorage.setItem('adminToken', token)
    localStorage.setItem('blockdraw:admin-language', 'en')
  }, token)
  return context.newPage()
}

async function settle(page: Page, moment: Moment): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  if (moment === 'draw') await page.locator('#draw dialog[open]').waitFor()
  if (moment === 'winner') await page.locator('#draw dialog').waitFor({ state: 'hidden', timeout: 30_000 })
  if (moment === 'refunds') await page.getByRole('tabpanel').locator('table, ul').first().waitFor()
  await page.waitForTimeout(1_200)
}
