import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'

export const admin = { username: 'admin', password: 'correct-horse-9' }

/** What a browser writes to its console when a call is refused, as some of these stories want it to be. */
export const refusals = [/Failed to load resource: .* (401|403|404|409|422|503)/]

export async function fillLogin(
  page: Page,
  password = admin.password,
  username = admin.username,
): Promise<void> {
  await page.getByText('접근이 허용된 IP').waitFor()
  await page.getByLabel('사용자명').fill(username)
  await page.getByLabel('비밀번호').fill(password)
  await page.getByRole('button', { name: '로그인' }).click()
}

/** Until the dashboard knows who is logged in; a printed password has its form there. */
export async function arrive(page: Page): Promise<void> {
  await page.waitForURL(/\/admin(#.*)?$/)
  await page.locator('[role=tabpanel], #main form').first().waitFor()
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: '로그아웃' }).click()
  await page.getByText('로그아웃되었습니다.').waitFor()
}

/** The server has answered a call to `path`, and the page hears of it only after another call was refused meanwhile. */
export async function refuseBeforeAnswer(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    const refused = page.waitForResponse((answer) => answer.status() === 401)
    await page.getByRole('tab', { name: /^시스템 설정/ }).click()
    await refused
    await route.fulfill({ response })
  })
}

/** Until all of the open tab is there: a button under a list that is still loading moves away from a pointer. */
export const tabFilled = (page: Page): Promise<void> =>
  page.locator('[role=tabpanel]:not(:has([data-skeleton]))').waitFor()

export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
  await tabFilled(page)
}

/** Confirms the open dialog; `typed` is the text that it requires first. */
export async function agree(page: Page, action: string, typed?: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  if (typed !== undefined) await dialog.getByRole('textbox').fill(typed)
  await dialog.getByRole('button', { name: action }).click()
}

export const panel = (page: Page): Locator => page.getByRole('tabpanel')

/** "2026-11-21 12:00:30" of a moment, as the fields take it. */
export const fieldDate = (moment: number): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Codes as an authenticator app makes them, each step once; the server takes the step before and after, so two need no wait. */
export function authenticator(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  const current = () => Math.floor(Date.now() / 30_000)
  let last = 0
  return async (): Promise<string> => {
    last = Math.max(last + 1, current())
    while (last > current() + 1) await Bun.sleep(250)
    return totp.generate({ timestamp: last * 30_000 })
  }
}

/** A whole PNG of one colour, as small as they get. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
