import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { locked } from './lock.ts'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser at CHROME_PATH, else the pinned shell from npm, with its libraries where the system has none, else the system's. */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return launch(args, CHROME_PATH)
  const failures: string[] = []
  const ways = [
    async () => launch(args, join(await unpacked(), 'chromium')),
    async () => launch(args, join(await unpacked(), 'chromium'), join(await unpacked(), 'al2023', 'lib')),
    ...installed.filter((place) => existsSync(place)).map((place) => () => launch(args, place)),
  ]
  for (const open of ways)
    try {
      return await open()
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  throw new Error(
    `No Chromium could be started: install one (apt install chromium), name one in CHROME_PATH, or install libnss3 and libexpat1 for the one from npm.\n${failures.join('\n')}`,
  )
}

/** Changes of the machine's network interfaces must not reach a test's browser. */
const withoutNetlink = join(import.meta.dirname, 'without-netlink.py')

function launch(args: readonly string[], program: string, libraries?: string): Promise<Browser> {
  const { LD_LIBRARY_PATH, ...rest } = process.env as Record<string, string>
  const env = {
    ...rest,
    ...((libraries ?? LD_LIBRARY_PATH) && { LD_LIBRARY_PATH: libraries ?? LD_LIBRARY_PATH }),
    PROGRAM: program,
  }
  const isWrapped = process.platform === 'linux' && Bun.which('python3') !== null
  const executablePath = isWrapped ? withoutNetlink : program
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args], env })
}

/** Unpacked by version, whole or not at all; the package's own arguments would put everything into one process. */
async function unpacked(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const place = join(tmpdir(), `blockdraw-chromium-${version}`)
  return locked(`${place}.lock`, async () => {
    if (existsSync(place)) return place
    const half = `${place}.new`
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half)
    const before = process.env.TMPDIR
    process.env.TMPDIR = half
    try {
      const { default: packed, inflate } = await import('@sparticuz/chromium')
      await packed.executablePath()
      await inflate(join(home, 'bin', 'al2023.tar.br'))
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    renameSync(half, place)
    return place
  })
}

/** What went wrong in a page, as it goes: errors, error lines of the console, requests to other origins. */
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
