import { expect } from 'vitest'
import {
  admin,
  agree,
  arrive,
  authenticator,
  fillLogin,
  logOut,
  openTab,
  panel,
  refuseBeforeAnswer,
} from '../../lab/admin-verbs.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

const newPassword = 'a longer horse 17'

export async function enrol({ page }: Week): Promise<() => Promise<string>> {
  await openTab(page, '시스템 설정')
  await page.getByRole('button', { name: 'OTP 설정' }).click()
  const secret = await page.locator('[data-secret]').getAttribute('data-secret')
  expect(await page.getByAltText(/QR/).getAttribute('src')).toMatch(/^data:image\/svg/)
  const nextCode = authenticator(secret ?? '')
  await page.getByLabel('인증 코드', { exact: true }).fill('12345')
  await page.getByRole('button', { name: '코드 확인' }).click()
  await page.getByText('6자리 인증 코드를 입력하세요.').waitFor()
  await page.getByLabel('인증 코드', { exact: true }).fill(await nextCode())
  await page.getByRole('button', { name: '코드 확인' }).click()
  const codes = page.getByRole('list', { name: '복구 코드 목록' })
  await codes.waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await page.getByRole('button', { name: '적어 두었습니다' }).click()
  await page.getByRole('switch').click()
  await agree(page, '켜기')
  await toastText(page, '2단계 인증을 켰습니다')
  expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  return nextCode
}

export async function changePassword({ page }: Week): Promise<void> {
  await openTab(page, '계정 관리')
  const save = page.getByRole('button', { name: '정보 변경' })
  await save.click()
  await page.getByText('현재 비밀번호를 입력해주세요').waitFor()
  await page.getByLabel('현재 비밀번호').fill(admin.password)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(newPassword)
  await page.getByLabel('새 비밀번호 확인').fill('something else')
  await page.getByText('새 비밀번호가 일치하지 않습니다').waitFor()
  await page.getByLabel('새 비밀번호 확인').fill(newPassword)
  // The old token is void while the new one is on its way: nothing of the tab comes before it.
  await refuseBeforeAnswer(page, '/api/admin/credentials')
  await save.click()
  await toastText(page, '관리자 정보를 변경했습니다')
  await panel(page).getByRole('cell', { name: '계정 변경' }).first().waitFor()
}

export async function leaveAndReturn({ page, story }: Week, nextCode: () => Promise<string>): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('adminToken'))
  await logOut(page)
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${story.stack.url}/api/admin/me`, { headers })).status).toBe(401)
  await fillLogin(page, newPassword)
  await page.getByText('2차 인증 코드를 입력하세요.').waitFor()
  await page.getByLabel('2차 인증 코드').fill('000000')
  await page.getByRole('button', { name: '로그인' }).click()
  await page.getByText('잘못된 인증 코드입니다. 다시 시도하세요.').waitFor()
  await page.getByLabel('2차 인증 코드').fill(await nextCode())
  await page.getByRole('button', { name: '로그인' }).click()
  await arrive(page)
  await logOut(page)
}
