import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../infra/cli/admin.ts'
import {
  admin,
  arrive,
  fillLogin,
  logOut,
  openTab,
  panel,
  refusals,
  refuseBeforeAnswer,
} from './lab/admin-verbs.ts'
import { openStory, soon } from './lab/story.ts'
import { toastText } from './lab/verbs.ts'

const newPassword = 'a longer horse 17'
const story = openStory({
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const visit = (path: string, more = {}) => story.visit({ path, allow: refusals, withWallet: false, ...more })

test('the dashboard redirects to the login without a token and with an unknown one', async () => {
  const { page } = await visit('/admin')
  await page.getByText('인증 토큰이 없습니다').waitFor()
  await page.evaluate(() => localStorage.setItem('adminToken', 'nonsense'))
  await page.goto(`${story.stack.url}/admin`)
  await page.getByText('인증이 만료되었습니다').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
})

test('an address outside the list sees only the blocked page', async () => {
  await story.stack.db.execute(sql`update settings set allowed_ips = '{203.0.113.9}'`)
  const { page } = await visit('/admin-login', { allow: [...refusals, /check-access/] })
  await page.getByRole('heading', { name: '접근 차단' }).waitFor()
  expect(await page.getByRole('alert').innerText()).toMatch(/^접근이 차단되었습니다\. 현재 IP: \S+$/)
  expect(await page.getByLabel('비밀번호').count()).toBe(0)
  await story.stack.db.execute(sql`update settings set allowed_ips = '{}'`)
  await page.getByRole('button', { name: '다시 확인' }).click()
  await page.getByLabel('비밀번호').waitFor()
  await page.route('**/api/admin/check-access', (route) => route.abort(), { times: 1 })
  await page.reload()
  await page.getByText('접근 확인 중 오류가 발생했습니다.').waitFor()
  expect(await page.getByRole('button', { name: '로그인' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: '다시 시도' }).click()
  await page.getByText('접근이 허용된 IP').waitFor()
})

test('the login reports missing fields, wrong ones, and success', async () => {
  const { page } = await visit('/admin-login')
  await page.getByText('접근이 허용된 IP').waitFor()
  await page.getByRole('button', { name: '로그인' }).click()
  await page.getByText('사용자명을 입력하세요').waitFor()
  const password = page.getByLabel('비밀번호')
  expect(await password.getAttribute('aria-invalid')).toBe('true')
  const help = page.locator(`#${await password.getAttribute('aria-describedby')}`)
  expect(await help.innerText()).toBe('비밀번호를 입력하세요')
  await password.fill('x')
  await soon(() => help.innerText()).toBe('')
  await fillLogin(page, 'wrong-password')
  await page.getByText('사용자명 또는 비밀번호가 올바르지 않습니다.').waitFor()
  const letGo = await hold(page, '**/api/admin/login')
  await fillLogin(page)
  expect(await page.getByRole('button', { name: '로그인 중...' }).isDisabled()).toBe(true)
  letGo()
  await page.getByRole('heading', { name: '로그인 성공' }).waitFor()
  const began = performance.now()
  await page.getByText('어드민 대시보드로 이동 중...').waitFor()
  await arrive(page)
  expect(performance.now() - began).toBeGreaterThan(1_200)
  await endedMeanwhile(page)
})

test('A4: an administrator whom the server sees as a proxy is warned', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  const asProxy = { allowed: true, ip: '172.18.0.1' }
  await page.route('**/api/admin/check-access', (route) => route.fulfill({ json: asProxy }))
  await arrive(page)
  await page.getByText('내부 주소 172.18.0.1').waitFor()
})

/** Holds requests to `url` until they are released. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** A session ended elsewhere leads back to the login and removes the token. */
async function endedMeanwhile(page: Page): Promise<void> {
  await openTab(page, '다음 이벤트')
  await page.getByLabel('상품 가치').fill('$9')
  await story.stack.db.execute(sql`update sessions set revoked_at = now()`)
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  await page.getByText('인증이 만료되었습니다').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
}

test('whoever logs out is told so, also if a call is refused before the logout is answered', async () => {
  const { page } = await visit('/admin-login')
  await fillLogin(page)
  await arrive(page)
  await refuseBeforeAnswer(page, '/api/admin/logout')
  await logOut(page)
  expect(await page.getByText('인증이 만료되었습니다').count()).toBe(0)
})

test('arrow keys move between tabs, and a phone collapses them into one button', async () => {
  const { page } = await visit('/admin-login', { width: 390 })
  await fillLogin(page)
  await arrive(page)
  const button = page.getByRole('button', { name: /^기본 설정/ })
  await button.click()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await page.getByRole('tab', { name: '기본 설정' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { level: 1, name: '블록체인 관리' }).waitFor()
  expect(page.url()).toContain('#blockchain')
  for (let tab = 0; tab < 9; tab++) {
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([await panel(page).getAttribute('aria-labelledby'), width]).toEqual([expect.any(String), 390])
    await page.keyboard.press('ArrowDown')
  }
})

test('a login that is refused without a word has failed; it was reached', async () => {
  const { page } = await visit('/admin-login', { allow: [...refusals, /502/] })
  for (const status of [502, 403]) {
    await page.route('**/api/admin/login', (route) => route.fulfill({ status, body: '' }), { times: 1 })
    await fillLogin(page)
    await page.getByRole('alert').filter({ hasText: '로그인에 실패했습니다.' }).waitFor()
    await page.reload()
  }
})

test.each([390, 320])('a long username leaves the dashboard as wide as a phone of %i px', async (width) => {
  const rename = (name: string, now: string) =>
    story.stack.db.execute(sql`update admins set username = ${now} where username = ${name}`)
  await rename(admin.username, 'operations')
  onTestFinished(async () => {
    await rename('operations', admin.username)
  })
  const { page } = await visit('/admin-login', { width })
  await fillLogin(page, admin.password, 'operations')
  await arrive(page)
  await page.getByText('operations').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
})

test('a printed password leads to a new one, and each login without a second factor asks for one', async () => {
  const told = await runAdmin(story.stack.db, ['create', 'second'])
  const printed = /password (\S+)$/.exec(told)?.[1] ?? ''
  const { page } = await visit('/admin-login', { width: 390 })
  await fillLogin(page, printed, 'second')
  await arrive(page)
  await page.getByRole('heading', { name: '새 비밀번호 설정' }).waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
  await page.reload()
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  const press = () => page.getByRole('button', { name: '비밀번호 변경' }).click()
  await fill('일회용 비밀번호', printed)
  await fill('새 비밀번호', printed)
  await fill('새 비밀번호 확인', printed)
  await press()
  await page.getByText('일회용 비밀번호와 다른 비밀번호를 입력해주세요').waitFor()
  await fill('새 비밀번호', 'password1')
  await fill('새 비밀번호 확인', 'password1')
  await press()
  await page.locator('form').getByText('너무 흔한 비밀번호입니다').waitFor()
  // Whoever leaves the form open for a while is asked for the printed one once more.
  await story.stack.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  await fill('새 비밀번호', newPassword)
  await fill('새 비밀번호 확인', newPassword)
  await press()
  const dialog = page.getByRole('dialog', { name: '본인 확인' })
  await dialog.getByLabel('비밀번호').fill(printed)
  await dialog.getByRole('button', { name: '확인' }).click()
  await toastText(page, '비밀번호를 바꿨습니다')
  await page.getByText('2단계 인증(OTP)이 없습니다.').waitFor()
  await page.getByRole('button', { name: '나중에' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '기본 설정' }).waitFor()
  expect(await page.getByText('2단계 인증(OTP)이 없습니다.').count()).toBe(0)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await fillLogin(page, newPassword, 'second')
  await arrive(page)
  await page.getByRole('button', { name: '지금 설정' }).click()
  await page.getByRole('heading', { level: 1, name: '시스템 설정' }).waitFor()
  expect(await page.getByText('2단계 인증(OTP)이 없습니다.').count()).toBe(0)
  await logOut(page)
})
