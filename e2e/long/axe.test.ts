import { join } from 'node:path'
import axe from 'axe-core'
import { sql } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { admin, agree, arrive, authenticator, fillLogin, logOut, refusals } from '../lab/admin-verbs.ts'
import { switchRules } from '../lab/house.ts'
import { refusingOnce } from '../lab/manners.ts'
import { openStory, soon } from '../lab/story.ts'
import { testBeacon } from '../lab/test-beacon.ts'
import { unfitting } from '../lab/unfitting.ts'
import { connectWallet, openWalletDialog, ownTickets, pressBuy, toastText } from '../lab/verbs.ts'
import { fakeState } from './screens/fake-state.ts'
import { madeUp, openHouse, owners, ownReport, type Shown } from './screens/screen-states.ts'

const story = openStory({
  env: {
    ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
    // Elsewhere than in a trial on this machine, nothing is shown before a second factor is set up.
    LOCAL_BEACON_KEY: testBeacon.publicKey,
  },
})

/** WCAG 2.2 A and AA, and axe's best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const found: string[] = []
afterEach(() => {
  expect(found.splice(0)).toEqual([])
})

type Look = readonly [width: number, theme: 'light' | 'dark']
const wide: readonly Look[] = [[1440, 'light']]
const phone: readonly Look[] = [[390, 'dark']]
const two: readonly Look[] = [...wide, ...phone]

const nextFrames = () =>
  new Promise((resolve) => {
    const wait = (left: number) => (left ? requestAnimationFrame(() => wait(left - 1)) : resolve(undefined))
    wait(4)
  })

/** At rest, at 1440 px; and the Winner section on a phone, but for the winner, who is told what to do. */
const tallestTab = 1_800
const tallestWinner = 2_000

/** With it each state leaves a picture there, for review by people. */
const { PICTURES } = process.env

/** Checks the page as it is, then at 320 px, the width of 1280 px at 400 % zoom. */
async function look(page: Page, name: string, looks = two): Promise<void> {
  // Half a megabyte to be read and compiled: once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const [width, theme] of looks) {
    await page.setViewportSize({ width, height: 900 })
    const violations = await page.evaluate(
      async ({ theme, tags }) => {
        document.documentElement.dataset.theme = theme
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
        await Promise.allSettled(changing.map(({ finished }) => finished))
        const { axe } = window as never as { axe: typeof import('axe-core') }
        const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] })
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
        )
      },
      { theme, tags },
    )
    found.push(...violations.map((violation) => `${name} ${width} ${theme}: ${violation}`))
    if (PICTURES) {
      const path = join(PICTURES, `${name.replaceAll('/', '-')} ${width} ${theme}.png`)
      await page.screenshot({ path, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 320, height: 900 })
  await page.evaluate(nextFrames) // what measures itself has seen its new width
  found.push(...(await unfitting(page)).map((trouble) => `${name} 320: wider than the screen: ${trouble}`))
}

/** Resolves when everything in the section has been in view once and is loaded. */
async function settled(page: Page, section: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 20_000 })
  // What lies in a closed fold waits until that is opened.
  const busy = `#${section} [aria-busy=true]:not(details:not([open]) *)`
  await page.waitForFunction((one) => !document.querySelector(one), busy)
}

const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const

test.each(['/e/1/', '/ko/e/1/'])('axe finds nothing on the page of an event, %s', async (path) => {
  const { page } = await story.visit({ path, withWallet: false })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await look(page, path)
})

test.each(['/', '/ko/'])('axe finds nothing in any section of %s', async (path) => {
  const { page } = await story.visit({ path, withWallet: false })
  for (const section of sections) {
    await page.evaluate((name) => {
      location.hash = name
    }, section)
    await page.locator(`#${section}`).waitFor()
    await settled(page, section)
    await look(page, `${path}#${section}`)
  }
})

test.each(madeUp().map(([name]) => name))('axe finds nothing in the state %s', async (wanted) => {
  // Made anew: their moments are told from now.
  const [name, section, state] = madeUp().find(([name]) => name === wanted) as Shown
  const [, owner] = Object.entries(owners).find(([own]) => name.endsWith(own)) ?? []
  const report = owner && ownReport(await story.account(owner), name)
  const { page } = await story.visit({
    path: `/#${section}`,
    withWallet: owner !== undefined,
    ...(owner && { account: owner }),
    prepare: async (context) => {
      await fakeState(context, story.stack, state)
      if (report) await context.route('**/api/tickets/wallet/*', (route) => route.fulfill({ json: report }))
    },
    // An invented winner has no proof.
    allow: [/404/],
  })
  if (owner) {
    await connectWallet(page)
    await page.locator(`#${section} [data-moment]`).waitFor()
  }
  await settled(page, section)
  if (/^winner-(announced$|own-(?!won))/.test(name)) {
    await page.setViewportSize({ width: 390, height: 844 })
    const { height = 0 } = (await page.locator('#winner').boundingBox()) ?? {}
    if (height > tallestWinner) found.push(`Winner is ${height} px tall on a phone`)
  }
  if (name.startsWith('house')) await openHouse(page, name)
  // What is folded is read, too.
  if (/prize|several/.test(name)) {
    await page.evaluate((id) => {
      for (const each of document.querySelectorAll<HTMLDetailsElement>(`#${id} details`)) each.open = true
    }, section)
    await settled(page, section)
  }
  if (/drawing|overlay/.test(name)) await page.locator('#draw dialog[open]').waitFor()
  if (name.startsWith('overlay')) await moved(page.locator('#draw dialog :has(> #overlay-title)'))
  await look(page, name)
})

test('axe finds nothing in the pages of the texts, with a text and without', async () => {
  const { page } = await story.visit({ path: '/terms/', withWallet: false })
  await page.getByText('No text is published here.').waitFor()
  await look(page, 'no terms')
  const text = { en: `## One\n\n${'Word. '.repeat(90)}`, ko: `## 하나\n\n${'낱말. '.repeat(90)}` }
  await switchRules(story.stack.db, { terms: text, privacy: text })
  await soon(
    async () => (await (await fetch(`${story.stack.url}/api/raffle/rules`)).json()).privacy,
  ).not.toBeNull()
  for (const path of ['/terms/', '/ko/privacy/']) {
    await page.goto(story.stack.url + path)
    await page.locator('[data-text] h2').waitFor()
    await look(page, path)
  }
})

test('axe finds nothing in dialogs, toasts, the menu and the overlay', async () => {
  const { page } = await story.visit({ width: 390, withWallet: false })
  await page.getByRole('button', { name: 'Menu' }).click()
  await look(page, 'menu')
  await page.keyboard.press('Escape')
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Connect MetaMask' }).click()
  await toastText(page, 'Connection Failed')
  await look(page, 'wallet dialog and toast')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start Draw' }).click()
  await page.locator('#draw dialog[open]').waitFor()
  await look(page, 'overlay')
})

test('axe finds nothing on the 404 page', async () => {
  const { page } = await story.visit({ path: '/nowhere', withWallet: false, allow: [/404/] })
  await look(page, '404')
})

test('axe finds nothing in the login and in any tab of the administrator', async () => {
  const { page } = await story.visit({ path: '/admin-login', withWallet: false, allow: refusals })
  await page.getByText('접근이 허용된 IP').waitFor()
  await look(page, 'login')
  await page.setViewportSize({ width: 1440, height: 900 })
  await fillLogin(page)
  await arrive(page)
  await page.getByRole('tab').first().waitFor()
  const names = await page.getByRole('tab').allInnerTexts()
  expect(names.length).toBe(9)
  for (const [index, name] of names.entries()) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('tab').nth(index).click()
    await page.getByRole('tabpanel').waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    if (height > tallestTab) found.push(`tab ${name} is ${height} px tall`)
    await look(page, `tab ${name.split('\n')[0]}`)
  }
})

test('axe finds nothing where the administrator is asked, refused or locked out', async () => {
  const { db } = story.stack
  const { page } = await story.visit({ path: '/admin-login', withWallet: false, allow: refusals })
  await page.getByText('접근이 허용된 IP').waitFor()
  await page.getByRole('button', { name: '로그인' }).click()
  await look(page, 'login without a word', phone)
  await fillLogin(page)
  await arrive(page)
  const minimum = page.getByLabel('최소 참여 인원')
  await minimum.fill('0')
  await look(page, 'wrong settings')
  await minimum.fill('12')
  await page.locator('[data-save-bar] button[type=submit]').click()
  await page.getByRole('dialog').waitFor()
  await look(page, 'question', wide)
  await agree(page, '변경 저장')
  await page.locator('#toasts li').waitFor()
  await look(page, 'toast with undo', phone)
  // It covers the tabs and stays while the pointer is on it.
  await page.locator('#toasts button[aria-label]').click()
  await page.locator('[aria-controls=tab-list]').click()
  await look(page, 'folded tabs', phone)
  await page.getByRole('tab', { name: '시스템 설정' }).click()
  await page.getByRole('button', { name: 'OTP 설정', exact: true }).click()
  const secret = await page.locator('[data-secret]').getAttribute('data-secret')
  await look(page, 'code to scan', phone)
  await page.getByLabel('인증 코드', { exact: true }).fill(await authenticator(secret ?? '')())
  await page.getByRole('button', { name: '코드 확인' }).click()
  await page.getByRole('list', { name: '복구 코드 목록' }).waitFor()
  await page.getByRole('heading', { name: '감사 기록' }).click()
  await page.getByRole('table', { name: '감사 기록' }).getByRole('button').first().click()
  await look(page, 'recovery codes and an open audit row')

  await page.locator('#toasts button[aria-label]').click()
  await logOut(page)
  await fillLogin(page)
  await page.getByText('2차 인증 코드를 입력하세요.').waitFor()
  await look(page, 'second factor', wide)
  await db.execute(sql`update settings set require_otp = false, allowed_ips = '{203.0.113.9}'`)
  await page.reload()
  await page.getByRole('heading', { name: '접근 차단' }).waitFor()
  await look(page, 'blocked', phone)
  await db.execute(sql`update settings set allowed_ips = '{}'`)
})

/** Waits until it has faded in. */
const moved = (part: Locator) =>
  part.evaluate(async (element) => {
    await Promise.all(element.getAnimations().map(({ finished }) => finished))
  })

// Last: it locks what others try to change.
test('axe finds nothing from the connected wallet to the credited ticket', async () => {
  const manner = refusingOnce({ code: 4001 })
  const { page, wallet } = await story.visit({ wallet: { manner } })
  await connectWallet(page)
  await pressBuy(page, 1)
  await toastText(page, 'Transaction Failed')
  await look(page, 'failed')
  await page.setViewportSize({ width: 1280, height: 900 })
  const approve = wallet.hold('eth_sendTransaction')
  await pressBuy(page, 33)
  await look(page, 'approving')
  approve()
  await ownTickets(page)
  await look(page, 'credited')
})
