import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../infra/cli/admin.ts'
import type { AdminStory } from '../lab/admin-story.ts'
import {
  arrive,
  authenticator,
  fillLogin,
  logOut,
  refusals,
  refuseBeforeAnswer,
  tabFilled,
} from '../lab/admin-verbs.ts'
import { soon } from '../lab/story.ts'
import { toastText } from '../lab/verbs.ts'

const newPassword = 'a longer horse 17'
const token = (page: Page) => page.evaluate(() => localStorage.getItem('adminToken'))

/** Looks from now on and at each frame, as the welcome is shown for a second and a half only. */
const welcomeOn = (page: Page): Promise<unknown> => {
  const seen = page.waitForFunction(() =>
    [...document.querySelectorAll('h1')].some((title) => title.textContent === '로그인 성공'),
  )
  seen.catch(() => undefined) // awaited where the story expects it
  return seen
}

/** Who may come in, and how a session ends. */
export function loginJourney({ story, atLogin }: AdminStory): void {
  /** Settings of the whole area, for as long as the test runs. */
  const set = async (now: string, before: string) => {
    onTestFinished(async () => void (await story.stack.db.execute(sql.raw(`update settings set ${before}`))))
    await story.stack.db.execute(sql.raw(`update settings set ${now}`))
  }

  test('the dashboard leads to the login, and the right password back; whoever logs out is told so alone, an ended session with a word', async () => {
    const { page } = await atLogin({ path: '/admin' })
    await page.getByLabel('비밀번호').waitFor()
    expect(await page.getByText('다시 로그인해주세요').count()).toBe(0)
    await fillLogin(page, 'wrong-password')
    await page.getByText('사용자명 또는 비밀번호가 올바르지 않습니다.').waitFor()
    const welcomed = welcomeOn(page)
    await fillLogin(page)
    await welcomed
    await arrive(page)
    // Also if a call is refused before the logout is answered.
    await refuseBeforeAnswer(page, '/api/admin/logout')
    await logOut(page)
    expect(await page.getByText('인증이 만료되었습니다').count()).toBe(0)
    await fillLogin(page)
    await arrive(page)
    await story.stack.db.execute(sql`update sessions set revoked_at = now()`)
    // Whatever the page asks for next is refused.
    await page.getByText('인증이 만료되었습니다').waitFor()
    expect(await token(page)).toBeNull()
  })

  test('an address outside the list sees the blocked page alone; a check that failed can be repeated', async () => {
    await set(`allowed_ips = '{203.0.113.9}'`, `allowed_ips = '{}'`)
    const { page } = await atLogin({ allow: [...refusals, /check-access/] })
    await page.getByRole('heading', { name: '접근 차단' }).waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/^접근이 차단되었습니다\. 현재 IP: \S+$/)
    expect(await page.getByLabel('비밀번호').count()).toBe(0)
    await story.stack.db.execute(sql`update settings set allowed_ips = '{}'`)
    await page.getByRole('button', { name: '다시 확인' }).click()
    // The form is there before the answer is, and the check that is to fail is the next one.
    await page.getByText('접근이 허용된 IP').waitFor()
    await page.route('**/api/admin/check-access', (route) => route.abort(), { times: 1 })
    await page.reload()
    await page.getByText('접근 확인 중 오류가 발생했습니다.').waitFor()
    expect(await page.getByRole('button', { name: '로그인' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: '다시 시도' }).click()
    await page.getByText('접근이 허용된 IP').waitFor()
  })

  test('what is missing is marked by the press itself, so no later letter lands in another field', async () => {
    const { page } = await atLogin()
    await page.getByText('접근이 허용된 IP').waitFor()
    // No frame is drawn within one evaluation: whatever waits for one comes too late for the next key.
    const focused = await page.getByRole('button', { name: '로그인' }).evaluate(async (button) => {
      ;(button as HTMLButtonElement).click()
      await Promise.resolve()
      await Promise.resolve()
      return (document.activeElement as HTMLInputElement).name
    })
    expect(focused).toBe('username')
    const password = page.getByLabel('비밀번호')
    const help = page.locator(`#${await password.getAttribute('aria-describedby')}`)
    expect([await password.getAttribute('aria-invalid'), await help.innerText()]).toEqual([
      'true',
      '비밀번호를 입력하세요',
    ])
    await password.fill('x')
    expect([await help.innerText(), await page.getByLabel('사용자명').inputValue()]).toEqual(['', ''])
  })

  test('a printed password leads to a new one and a second factor, which the next login asks for', async () => {
    await set('require_otp = false', 'require_otp = false')
    const told = await runAdmin(story.stack.db, ['create', 'operations'])
    const printed = /password (\S+)$/.exec(told)?.[1] ?? ''
    const { page } = await atLogin({ width: 390 })
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await fillLogin(page, printed, 'operations')
    await arrive(page)
    await page.getByRole('heading', { name: '새 비밀번호 설정' }).waitFor()
    await fill('일회용 비밀번호', printed)
    await fill('새 비밀번호', 'password1')
    await fill('새 비밀번호 확인', 'password1')
    await press('비밀번호 변경')
    await page.locator('form').getByText('너무 흔한 비밀번호입니다').waitFor()
    // Whoever leaves the form open for a while is asked for the printed one once more.
    await story.stack.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
    await fill('새 비밀번호', newPassword)
    await fill('새 비밀번호 확인', newPassword)
    await press('비밀번호 변경')
    const dialog = page.getByRole('dialog', { name: '본인 확인' })
    await dialog.getByLabel('비밀번호').fill(printed)
    await dialog.getByRole('button', { name: '확인' }).click()
    await toastText(page, '비밀번호를 바꿨습니다')

    await press('지금 설정')
    await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
    await tabFilled(page)
    await press('OTP 설정')
    const nextCode = authenticator((await page.locator('[data-secret]').getAttribute('data-secret')) ?? '')
    await fill('인증 코드', '000000')
    await press('코드 확인')
    expect(await toastText(page, 'OTP 설정에 실패했습니다')).toBe('잘못된 인증 코드입니다. 다시 시도하세요.')
    await fill('인증 코드', await nextCode())
    await press('코드 확인')
    await page.getByRole('list', { name: '복구 코드 목록' }).getByRole('listitem').nth(9).waitFor()
    await toastText(page, '2단계 인증을 켰습니다')
    expect(await page.getByText('OTP 설정에 실패했습니다').count()).toBe(0)
    await press('적어 두었습니다')

    await logOut(page)
    await fillLogin(page, newPassword, 'operations')
    await page.getByText('2차 인증 코드를 입력하세요.').waitFor()
    await fill('2차 인증 코드', '000000')
    await press('로그인')
    await page.getByText('잘못된 인증 코드입니다. 다시 시도하세요.').waitFor()
    await fill('2차 인증 코드', await nextCode())
    await press('로그인')
    await arrive(page)
    await page.getByText('operations').waitFor()
    await soon(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await logOut(page)
  })
}
