import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const places = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The system's Chromium, else the one from npm. `close` leaves nothing behind. */
export async function openBrowser(): Promise<Browser> {
  const failures: string[] = []
  for (const find of [...new Set(places)].map((place) => () => place).concat(() => 'npm'))
    try {
      const place = find()
      if (!place || (place !== 'npm' && !existsSync(place))) continue
      return place === 'npm' ? await openPackaged() : await chromium.launch(options(place))
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }
  throw new Error(
    `No Chromium could be started: install one (apt install chromium), set CHROME_PATH, or install libnss3 and libexpat1 for the one from npm.\n${failures.join('\n')}`,
  )
}

const options = (executablePath: string) => ({ executablePath, args: ['--no-sandbox'] })

/**
 * @sparticuz/chromium unpacks to the directory for temporary files and takes whatever lies there already, so
 * it gets one of its own. Its own arguments are left out: they put everything into one process.
 */
async function openPackaged(): Promise<Browser> {
  const { default: packaged } = await import('@sparticuz/chromium')
  const place = mkdtempSync(join(tmpdir(), 'blockdraw-chromium-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = place
  try {
    const browser = await chromium.launch(options(await packaged.executablePath()))
    browser.on('disconnected', () => rmSync(place, { recursive: true, force: true }))
    return browser
  } catch (error) {
    rmSync(place, { recursive: true, force: true })
    throw error
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

/** What went wrong in a page, as it goes: errors, error lines of the console, requests to strangers. */
export function watchPage(page: Page, origin: string, allowed: readonly RegExp[]): string[] {
  const problems: string[] = []
  const note = (text: string) => {
    if (!allowed.some((pattern) => pattern.test(text))) problems.push(text)
  }
  page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && url.origin !== origin)
      note(`request to a stranger: ${request.url()}`)
  })
  return problems
}
