import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { channelKinds } from '../core/notify/kinds.ts'
import { admin, arrive, fieldDate, fillLogin, panel, refusals } from './lab/admin-verbs.ts'
import { hangulOn } from './lab/hangul.ts'
import { openStory, soon } from './lab/story.ts'

const story = openStory({
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const visit = (path: string) => story.visit({ path, allow: refusals, withWallet: false })
const tabs = ['config', 'blockchain', 'winner', 'refund', 'data', 'history', 'account', 'event', 'security']
const openTab = (page: Page, id: string) => page.locator(`#tab-${id}`).click()
const toKorean = (page: Page) => page.getByRole('button', { name: '한국어', exact: true })
const toEnglish = (page: Page) => page.getByRole('button', { name: 'English', exact: true })

/** Opens every tab; each must be without Hangul, and its heading is told. */
async function walk(page: Page): Promise<string[]> {
  const headings: string[] = []
  for (const tab of tabs) {
    await openTab(page, tab)
    await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone'))
    expect([tab, await hangulOn(page)]).toEqual([tab, []])
    headings.push(await page.getByRole('heading', { level: 1 }).innerText())
  }
  return headings
}

test('the login page is in the language that its switch chose, without a word of Korean', async () => {
  const { page } = await visit('/admin-login')
  await page.getByRole('heading', { name: '관리자 로그인' }).waitFor()
  expect((await hangulOn(page)).length).toBeGreaterThan(3)
  await toEnglish(page).click()
  await page.getByRole('heading', { name: 'Administrator login' }).waitFor()
  await page.getByText('Access allowed from IP').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await hangulOn(page)).toEqual([])
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill('wrong-password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The username or password is wrong.').waitFor()
  await toKorean(page).click()
  await page.getByRole('heading', { name: '관리자 로그인' }).waitFor()
})

test('an administrator who chose English has it on every tab, after a reload, and in another browser', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  await arrive(page)
  await openTab(page, 'security')
  await toEnglish(page).click()
  // The tab stays, and so does the session.
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
  expect(new Set(await walk(page)).size).toBe(tabs.length)
  await page.setViewportSize({ width: 390, height: 800 })
  for (const tab of tabs) {
    await page.evaluate((id) => location.assign(`#${id}`), tab)
    await soon(() => page.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(`tab-${tab}`)
    await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone'))
    expect([tab, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([tab, 390])
  }
  await page.reload()
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')

  const { page: elsewhere } = await visit('/admin-login')
  await elsewhere.getByRole('heading', { name: '관리자 로그인' }).waitFor()
  await fillLogin(elsewhere)
  await elsewhere.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await hangulOn(elsewhere)).toEqual([])

  // One who came in by an old token in a browser of another language: the page loads once more, and only once.
  await elsewhere.evaluate(() => localStorage.removeItem('blockdraw:admin-language'))
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
})

test('what opens in the English area has no Korean: dialogs, what a field says of a wrong value, and toasts', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const dialog = page.getByRole('dialog')
  const looked: string[] = []
  const look = async (what: string) => {
    expect([what, await hangulOn(page)]).toEqual([what, []])
    looked.push(what)
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  const press = (name: string) => panel(page).getByRole('button', { name, exact: true }).click()

  await press('Sign elsewhere')
  await panel(page).getByLabel('Draw date (UTC)', { exact: true }).fill('in three days')
  await panel(page).getByLabel('Minimum tickets').fill('0')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await look('wrong settings')
  await panel(page)
    .getByLabel('Draw date (UTC)', { exact: true })
    .fill(fieldDate(Date.now() + 9 * 86_400_000))
  await panel(page).getByLabel('Minimum tickets').fill('44')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await dialog.getByText('Draw:').waitFor()
  await look('changed settings')
  await close()
  await panel(page).getByLabel('Draw date (UTC)', { exact: true }).fill('')
  await panel(page).getByLabel('Minimum tickets').fill('100')
  await press('Add channel')
  for (const kind of channelKinds) {
    await dialog.getByLabel('Kind', { exact: true }).selectOption(kind)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await look(`${kind} without values`)
  }
  await close()

  await openTab(page, 'blockchain')
  await panel(page).getByLabel('Transaction hash').fill('0x12')
  await press('Process')
  await page.locator('#toasts li').first().waitFor()
  await look('wrong transaction')

  await openTab(page, 'winner')
  await panel(page).getByLabel('Claim code', { exact: true }).fill('AAAA-BBBB')
  await press('Check code')
  await panel(page)
    .getByText("Not the winner's code")
    .or(panel(page).locator('[aria-invalid=true]'))
    .waitFor()
  await look('wrong code')

  await openTab(page, 'account')
  await panel(page).getByLabel('New password', { exact: true }).fill('password1')
  await panel(page).getByLabel('Repeat the new password').fill('password1')
  await panel(page).getByLabel('Current password').fill('not this one')
  await press('Save details')
  await page.locator('#toasts li').first().waitFor()
  await look('wrong password')

  await openTab(page, 'security')
  await panel(page).getByLabel('Add an IP').fill('999.1.1.1')
  await press('Add')
  await panel(page).getByText('This is not an IP address or a CIDR range.').waitFor()
  await look('wrong address')
  await press('Add current IP')
  await dialog.waitFor()
  await look('limit of addresses')
  await close()
  await press('Set up OTP')
  await panel(page).getByLabel('Code', { exact: true }).fill('000000')
  await press('Check code')
  await panel(page).locator('[aria-invalid=true]').waitFor()
  await look('wrong code of an app')
  await press('Add administrator')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await look('administrator without a name')
  await close()
  expect(looked.length).toBe(channelKinds.length + 9)
}, 120_000)

test('a change of language asks first where values are not saved, and a no keeps all as it was', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const field = panel(page).getByLabel('Minimum tickets')
  await field.fill('321')
  await toKorean(page).click()
  const dialog = page.getByRole('dialog', { name: 'There are unsaved changes.' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await field.inputValue()).toBe('321')
  expect(await page.evaluate(() => localStorage.getItem('blockdraw:admin-language'))).toBe('en')
  await toKorean(page).click()
  await dialog.getByRole('button', { name: 'Change language' }).click()
  await page.getByRole('heading', { name: '기본 설정', level: 1 }).waitFor()
  await soon(async () => (await hangulOn(page)).length > 10).toBe(true)
})
