import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { AdminStory } from '../lab/admin-story.ts'
import { fillLogin, panel } from '../lab/admin-verbs.ts'
import { soon } from '../lab/story.ts'

const tabs = ['config', 'blockchain', 'winner', 'refund', 'data', 'history', 'account', 'event', 'security']
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const loaded = (page: Page) => page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone'))

/** The dashboard by keyboard, on a phone, and in English. */
export function dashboardJourney({ story, atLogin, atDashboard }: AdminStory): void {
  test('arrow keys move between tabs, and a phone collapses them into one button', async () => {
    const { page } = await atDashboard('config', 390)
    const button = page.getByRole('button', { name: /^기본 설정/ })
    await button.click()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('tab', { name: '기본 설정' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
    for (const [key, tab] of [
      ['Home', 'config'],
      ['ArrowDown', 'blockchain'],
    ] as const) {
      await page.keyboard.press(key)
      await soon(() => panel(page).getAttribute('aria-labelledby')).toBe(`tab-${tab}`)
    }
  })

  test('English is chosen once: on every tab without a word of Korean, on a phone, in another browser, and until it is left', async () => {
    onTestFinished(async () => void (await story.stack.db.execute(sql`update admins set language = null`)))
    const { page } = await atDashboard('security')
    // It counts also before the page knows who is there.
    await page.route('**/api/admin/settings', () => undefined, { times: 1 })
    await page.reload()
    await page.getByRole('button', { name: 'English', exact: true }).click()
    // The tab stays, and so does the session.
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
    // A phone folds the names of the tabs.
    expect(await hangulOn(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    const headings = new Set<string>()
    for (const tab of tabs) {
      await page.evaluate((name) => location.assign(`#${name}`), tab)
      await soon(() => panel(page).getAttribute('aria-labelledby')).toBe(`tab-${tab}`)
      await loaded(page)
      expect([tab, await hangulOn(page)]).toEqual([tab, []])
      headings.add(await page.getByRole('heading', { level: 1 }).innerText())
      await unfold(page)
      await soon(async () => [tab, await widthOf(page)]).toEqual([tab, 390])
    }
    expect(headings.size).toBe(tabs.length)
    await page.goto(`${story.stack.url}/admin-login`)
    await page.getByText('Access allowed from IP').waitFor()
    expect(await hangulOn(page)).toEqual([])

    const { page: elsewhere } = await atLogin()
    await fillLogin(elsewhere)
    await elsewhere.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(await elsewhere.locator('html').getAttribute('lang')).toBe('en')

    // What is typed is not lost by the switch unless that is agreed to.
    const minimum = panel(elsewhere).getByLabel('Minimum tickets')
    await minimum.fill('321')
    const toKorean = elsewhere.getByRole('button', { name: '한국어', exact: true })
    await toKorean.click()
    const dialog = elsewhere.getByRole('dialog', { name: 'There are unsaved changes.' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await minimum.inputValue()).toBe('321')
    await toKorean.click()
    await dialog.getByRole('button', { name: 'Change language' }).click()
    await elsewhere.getByRole('heading', { name: '기본 설정', level: 1 }).waitFor()
  })
}

/** Opens what the tab folds, until that is there. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('#panel details')) details.open = true
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
  })
  await loaded(page)
}

/** Every text and label with Hangul that the page shows, save the switch and what is written in Korean on purpose. */
const hangulOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const closed = [...document.querySelectorAll('details:not([open])')] as HTMLDetailsElement[]
    for (const details of closed) details.open = true
    const isOf = (text: string | null) => /\p{Script=Hangul}/u.test(text ?? '')
    const found = [document.title].filter(isOf)
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('body [lang="ko"], textarea, script, noscript') || !element.checkVisibility())
        continue
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      found.push(...own.map(({ textContent }) => textContent ?? '').filter(isOf))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
        if (isOf(element.getAttribute(name))) found.push(`${name}: ${element.getAttribute(name)}`)
    }
    for (const details of closed) details.open = false
    return found
  })
