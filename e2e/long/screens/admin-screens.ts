import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { admin } from '../../lab/admin-verbs.ts'
import { testBeacon } from '../../lab/test-beacon.ts'
import { createStage } from './admin-stage.ts'
import { type Look, openStudio } from './studio.ts'

/**
 * `bun e2e/long/screens/admin-screens.ts OUTDIR …`: every tab of the administrator area and the steps of the login, from the
 * empty event to refund mode, on the real chain.
 */
const studio = await openStudio({
  env: {
    ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
    ...{ SALE_LEAD_SECONDS: '10', AUTO_DRAW: 'false', LOCAL_BEACON_KEY: testBeacon.publicKey },
  },
})
const { stack } = studio
const stage = createStage(stack, admin)
const allTabs = [
  ...['config', 'blockchain', 'winner', 'refund', 'data'],
  ...['history', 'account', 'event', 'security'],
]
let token: string | undefined
try {
  await takeLogin()
  token = await stage.login()
  await takeTabs('empty', allTabs)
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 900 })
  await takeWrong()
  // After the first ticket a date has to leave time.
  await stage.drawIn(300)
  await stage.sell()
  await takeTabs('sales', ['config', 'blockchain', 'winner', 'data', 'account', 'event'])
  await takeOutage()
  await stage.draftNext()
  await takeTabs('drafted', ['event'])
  await stage.freeze()
  await stage.anchor()
  await takeTabs('frozen', ['config', 'winner'])
  await stage.reachDate()
  await stage.draw()
  await takeTabs('drawn', ['winner', 'history', 'config'])
  await stage.drawIn(45)
  await stage.sellFew()
  await stage.freeze()
  await stage.enterRefundMode()
  await takeTabs('refunding', ['config', 'winner', 'refund', 'history'])
} finally {
  await studio.close()
}

/** The dashboard, or the login before there is a token, in each look. */
async function eachLook(take: (page: Page, look: Look) => Promise<void>): Promise<void> {
  for (const look of studio.looks) {
    const kept = { 'blockdraw:admin-language': look.language, ...(token && { adminToken: token }) }
    const page = await studio.open(look, (context) =>
      context.addInitScript((items) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
      }, kept),
    )
    await page.goto(`${stack.url}${token ? '/admin' : '/admin-login'}`)
    await take(page, look)
    await page.context().close()
  }
}

function takeTabs(state: string, tabs: readonly string[]): Promise<void> {
  return eachLook(async (page, look) => {
    for (const tab of tabs.filter((tab) => studio.isWanted(`${tab}-${state}`))) {
      await page.goto(`${stack.url}/admin#${tab}`)
      await studio.shot(page, look, `${tab}-${state}`)
    }
  })
}

/** Empty, without a word, with a wrong password, blocked, and with the server away. */
async function takeLogin(): Promise<void> {
  await eachLook(async (page, look) => {
    const send = page.locator('form button[type=submit]')
    await send.waitFor()
    await studio.shot(page, look, 'login')
    await send.click()
    await studio.shot(page, look, 'login-empty')
    await page.locator('form input').nth(0).fill(admin.username)
    await page.locator('form input').nth(1).fill('not the password')
    await send.click()
    await page.getByRole('alert').first().waitFor()
    await studio.shot(page, look, 'login-wrong')
    await page.route('**/api/admin/check-access', (route) => route.abort())
    await page.reload()
    await studio.shot(page, look, 'login-unreachable')
  })
  await stack.db.execute(sql`update settings set allowed_ips = '{203.0.113.9}'`)
  await eachLook((page, look) => studio.shot(page, look, 'login-blocked'))
  await stack.db.execute(sql`update settings set allowed_ips = '{}'`)
}

/** Settings that cannot be saved, and the question before some that can. */
function takeWrong(): Promise<void> {
  return eachLook(async (page, look) => {
    await page.goto(`${stack.url}/admin#config`)
    const minimum = page.getByLabel(look.language === 'ko' ? '최소 참여 인원' : 'Minimum tickets')
    await minimum.fill('0')
    await studio.shot(page, look, 'config-wrong')
    await minimum.fill('899')
    await page.locator('[data-save-bar] button[type=submit]').click()
    await page.getByRole('dialog').waitFor()
    await studio.shot(page, look, 'config-question', false)
  })
}

/** The server is away: with the page open, and from the beginning. */
function takeOutage(): Promise<void> {
  return eachLook(async (page, look) => {
    await page.goto(`${stack.url}/admin#data`)
    await page.route('**/api/**', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'DB_UNAVAILABLE', values: { reason: 'away' }, error: 'x' },
      }),
    )
    for (const tab of ['blockchain', 'history', 'security', 'event']) {
      await page.goto(`${stack.url}/admin#${tab}`)
      await page.getByRole('alert').first().waitFor()
      await studio.shot(page, look, `${tab}-outage`)
    }
    await page.reload()
    await page.getByRole('alert').first().waitFor()
    await studio.shot(page, look, 'gate-outage')
  })
}
