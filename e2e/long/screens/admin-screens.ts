import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import { type Admin, createAdmin, findAdmin } from '../../../db/admin/admins.ts'
import { startPostgres } from '../../../infra/local/postgres.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { admin } from '../../lab/admin-verbs.ts'
import { openBrowser } from '../../lab/browser.ts'
import { startStack } from '../../lab/stack.ts'
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
import { beaconSteps } from './beacon-looks.ts'
import { contentSteps, correctionSteps } from './content-looks.ts'
import { notifySteps, tellThings } from './notify-looks.ts'
import { roleSteps } from './role-looks.ts'

/**
 * `bun e2e/long/screens/admin-screens.ts OUTDIR [widths] [themes] [part] [language]`: every tab of the administrator area and every step of
 * the login, from the empty event to the refund, for people to look at. With `beacon` the draw tab of an event that waits for
 * its round of drand alone, with `content` the editor and the sales alone, with
 * `notify` who is told what, with `roles` administrators and what an auditor sees, with `second` questions under TWO_PERSON, with `tabs` the tabs alone, which are also there in English: `tabs en`.
 */
const [outDir, chosen = '1440,390', themes = 'light,dark', part, language = 'ko'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/long/screens/admin-screens.ts OUTDIR')
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
    ...(part === 'second' && { TWO_PERSON: 'true' }),
  },
})
const stage = createStage(stack, admin)
const browser = await openBrowser()
try {
  const takes = {
    beacon: takeBeacon,
    content: takeContent,
    notify: takeNotify,
    roles: takeRoles,
    second: takeSecond,
    tabs: takeTabs,
  }
  await (takes[part as keyof typeof takes] ?? takeAll)()
} finally {
  await browser.close()
  await stack.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** A draw that mixes drand in, frozen and waiting. */
async function takeBeacon(): Promise<void> {
  const token = await stage.login()
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 900 })
  await stage.sell()
  await stage.endSoon(900)
  await stage.freeze()
  await eachLook(token, beaconSteps)
}

async function takeContent(): Promise<void> {
  const token = await stage.login()
  await eachLook(token, (visit) => contentSteps(visit, stage))
  await tabs(token, 'unsold', ['data'])
  await stage.sell()
  await tabs(token, 'sold', ['data'])
  await eachLook(token, correctionSteps)
}

async function takeNotify(): Promise<void> {
  await tellThings(stack.db)
  await eachLook(await stage.login(), notifySteps)
}

/** Each tab before, during and after a sale, without the dialogs. */
async function takeTabs(): Promise<void> {
  await eachLook(undefined, ({ shot }) => shot('login'))
  const token = await stage.login()
  await tabs(token, 'empty', allTabs)
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 2_500 })
  await stage.sell()
  await tabs(token, 'sales', ['config', 'blockchain', 'winner', 'data'])
  await stage.draftNext()
  await tabs(token, 'drafted', ['event'])
  await stage.endSoon(2_500)
  await stage.freeze()
  await stage.enterRefundMode()
  await tabs(token, 'refunding', ['config', 'refund', 'security', 'account'])
}

async function takeRoles(): Promise<void> {
  const { passwordHash } = (await findAdmin(stack.db, admin.username)) as Admin
  for (const role of ['operator', 'auditor'] as const)
    await createAdmin(stack.db, { username: `${role}-kim`, passwordHash, role })
  const owner = await stage.login()
  await eachLook(owner, roleSteps)
  const reader = createAdminClient(() => stack.url, { ...admin, username: 'auditor-kim' })
  const auditor = await reader.login()
  await tabs(auditor, 'auditor', ['config', 'refund', 'security'])
}

/** One alone, then what waits for a word as its asker and as another one sees it, and what can be carried out. */
async function takeSecond(): Promise<void> {
  const { passwordHash } = (await findAdmin(stack.db, admin.username)) as Admin
  const asker = createAdminClient(() => stack.url, admin)
  const token = await asker.login()
  await tabs(token, 'second-alone', ['config'])
  await createAdmin(stack.db, { username: 'second-kim', passwordHash })
  const other = createAdminClient(() => stack.url, { ...admin, username: 'second-kim' })
  const otherToken = await other.login()
  await asker.call('POST', '/api/admin/administrators', { username: 'lee', role: 'operator' })
  const operatorWallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  const { body } = await asker.call('PATCH', '/api/admin/raffle/config', { operatorWallet })
  await tabs(token, 'second-asked', ['config'])
  await tabs(otherToken, 'second-other', ['config'])
  await other.call('POST', `/api/admin/approvals/${body.approvalId}/approve`)
  await tabs(token, 'second-approved', ['config'])
}

async function takeAll(): Promise<void> {
  await eachLook(undefined, loginSteps)
  await stack.db.execute(sql`update settings set allowed_ips = '{203.0.113.9}'`)
  await eachLook(undefined, ({ shot }) => shot('login-blocked'))
  await stack.db.execute(sql`update settings set allowed_ips = '{}'`)

  const token = await stage.login()
  await tabs(token, 'empty', allTabs)
  await eachLook(token, walletQuestion)
  await eachLook(token, (visit) => contentSteps(visit, stage))
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 900 })
  await stage.sell()
  await eachLook(token, correctionSteps)
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
  await tellThings(stack.db)
  await eachLook(token, notifySteps)
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
  await context.addInitScript((value) => localStorage.setItem('blockdraw:admin-language', value), language)
  if (token) await context.addInitScript((value) => localStorage.setItem('adminToken', value), token)
  return context
}

/** Waits until data and fonts are loaded and fade-ins are over. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone')).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
}
