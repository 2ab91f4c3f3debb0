import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import { startPostgres } from '../../infra/local/postgres.ts'
import { admin } from '../lab/admin-verbs.ts'
import { openBrowser } from '../lab/browser.ts'
import { startStack } from '../lab/stack.ts'
import {
  addressSteps,
  codeStep,
  conflict,
  dialogs,
  drafts,
  drawQuestion,
  endQuestions,
  loginSteps,
  otpSteps,
  outage,
  securityQuestions,
  type Visit,
  walletQuestion,
} from './admin-looks.ts'
import { createStage } from './admin-stage.ts'

/**
 * `bun e2e/screens/admin-screens.ts OUTDIR [widths] [themes]`: every tab of the administrator area and every step of
 * the login, from the empty event to the refund, for people to look at.
 */
const [outDir, chosen = '1440,390', themes = 'light,dark'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/screens/admin-screens.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })

type Look = { width: number; theme: 'light' | 'dark' }
const looks: Look[] = chosen
  .split(',')
  .flatMap((width) =>
    (themes.split(',') as Look['theme'][]).map((theme) => ({ width: Number(width), theme })),
  )
const allTabs = [
  'config',
  'blockchain',
  'winner',
  'refund',
  'data',
  'history',
  'account',
  'event',
  'security',
]

const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
const postgres = await startPostgres({ dataDir, durable: false })
const stack = await startStack({
  database: { url: postgres.url, close: async () => undefined },
  env: {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SALE_LEAD_SECONDS: '10',
    AUTO_DRAW: 'false',
  },
})
const stage = createStage(stack, admin)
const browser = await openBrowser()
try {
  await takeAll()
} finally {
  await browser.close()
  await stack.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function takeAll(): Promise<void> {
  await eachLook(undefined, loginSteps)
  await stack.db.execute(sql`update settings set allowed_ips = '{203.0.113.9}'`)
  await eachLook(undefined, ({ shot }) => shot('login-blocked'))
  await stack.db.execute(sql`update settings set allowed_ips = '{}'`)

  const token = await stage.login()
  await tabs(token, 'empty', allTabs)
  await eachLook(token, walletQuestion)
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 900 })
  await stage.sell()
  await tabs(token, 'sales', ['config', 'blockchain', 'winner', 'data', 'account'])
  await eachLook(token, drafts)
  await stage.draftNext()
  await tabs(token, 'drafted', ['event'])
  await eachLook(token, dialogs)
  await eachLook(token, (visit) => conflict(visit, stage))
  await eachLook(token, outage)
  await stage.endSoon(100)
  await stage.freeze()
  await stage.anchor()
  await tabs(token, 'frozen', ['config', 'winner'])
  await stage.reachDate()
  await eachLook(token, drawQuestion)
  await stage.draw()
  await tabs(token, 'winner', ['winner', 'history', 'config'])
  await eachLook(token, endQuestions)
  await stage.openNext()
  await stage.endSoon(100)
  await stage.freeze()
  await stage.enterRefundMode()
  await tabs(token, 'refunding', ['config', 'winner', 'refund', 'history'])
  await eachLook(token, addressSteps)
  await tabs(token, 'busy', ['security', 'event'])
  await eachLook(token, securityQuestions)
  await eachLook(token, otpSteps)
  await stack.db.execute(sql`update settings set require_otp = true`)
  await eachLook(undefined, codeStep)
}

/** Runs the steps at every width in both themes; with a token from the dashboard on, else from the login. */
async function eachLook(token: string | undefined, steps: (visit: Visit) => Promise<void>): Promise<void> {
  for (const look of looks) {
    const context = await openContext(look, token)
    const page = await context.newPage()
    const settled = () => settle(page)
    await page.goto(`${stack.url}${token ? '/admin' : '/admin-login'}`)
    await settled()
    await steps({
      page,
      url: stack.url,
      shot: async (name, fullPage = true) => {
        await settled()
        await page.screenshot({
          path: join(outDir as string, `${look.width}-${look.theme}-${name}.png`),
          fullPage,
        })
      },
      open: async (tab) => {
        await page.goto(`${stack.url}/admin#${tab}`)
        await settled()
      },
    })
    await context.close()
  }
}

function tabs(token: string, name: string, list: readonly string[]): Promise<void> {
  return eachLook(token, async ({ shot, open }) => {
    for (const tab of list) {
      await open(tab)
      await shot(`${tab}-${name}`)
    }
  })
}

async function openContext({ width, theme }: Look, token: string | undefined): Promise<BrowserContext> {
  const viewport = { width, height: width < 700 ? 800 : 900 }
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  if (token) await context.addInitScript((value) => localStorage.setItem('adminToken', value), token)
  return context
}

/** Waits until data and fonts are loaded and fade-ins are over. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone')).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
}
