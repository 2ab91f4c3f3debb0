import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../../core/server/password.ts'
import { createAdmin } from '../../db/admin/admins.ts'
import { admin, agree, arrive, fillLogin, openTab, panel, refusals } from '../lab/admin-verbs.ts'
import { openStory } from '../lab/story.ts'

const second = { username: 'second', password: 'another horse battery' }
const story = openStory({
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, TWO_PERSON: 'true' },
})

const enter = async (account = admin): Promise<Page> => {
  const { page } = await story.visit({ path: '/admin-login', allow: refusals, withWallet: false })
  await fillLogin(page, account.password, account.username)
  await arrive(page)
  return page
}
const card = (page: Page) => page.getByRole('region', { name: '두 번째 확인' })
async function askForAdmin(page: Page, username: string): Promise<void> {
  await openTab(page, '시스템 설정')
  await panel(page).getByRole('button', { name: '관리자 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '관리자 추가' })
  await dialog.getByLabel('사용자명').fill(username)
  await dialog.getByRole('button', { name: '추가' }).click()
}

test('one administrator asks, another reads and approves, and who asked carries it out', async () => {
  const alone = await enter()
  await alone.getByText('확인할 다른 관리자가 없어').waitFor()
  const passwordHash = await hashPassword(second.password)
  await createAdmin(story.stack.db, { username: second.username, passwordHash })
  // It goes by itself, and what stands below it moves up.
  await alone.getByText('확인할 다른 관리자가 없어').waitFor({ state: 'detached' })

  await askForAdmin(alone, 'kim')
  await alone.getByText('다른 관리자의 확인을 요청했습니다', { exact: true }).waitFor()
  await card(alone).getByText('확인 대기').waitFor()
  await card(alone).getByText('kim').waitFor()
  expect(await card(alone).getByRole('button', { name: '확인', exact: true }).count()).toBe(0)
  expect(await card(alone).getByRole('button', { name: '실행' }).count()).toBe(0)

  const other = await enter(second)
  await card(other).getByText('kim').waitFor()
  await card(other).getByText(`${admin.username} 요청`).waitFor()
  await card(other).getByRole('button', { name: '확인', exact: true }).click()
  await agree(other, '확인')
  await card(other).getByText(`${second.username} 확인`).waitFor()

  await card(alone).getByRole('button', { name: '실행' }).click()
  const told = alone.getByRole('dialog', { name: '일회용 비밀번호' })
  expect(await told.locator('[data-secret]').innerText()).toMatch(/\S{12}/)
  await told.getByRole('button', { name: '전달했습니다' }).click()
  await panel(alone).getByRole('table', { name: '관리자와 권한' }).getByText('kim').waitFor()
  await card(alone).waitFor({ state: 'detached' })
  await card(other).waitFor({ state: 'detached' })
})

test('what is refused is gone for both', async () => {
  const [page, other] = [await enter(), await enter(second)]
  await askForAdmin(page, 'park')
  await card(other).getByText('park').waitFor()
  await card(other).getByRole('button', { name: '거절' }).click()
  await card(other).waitFor({ state: 'detached' })
  await card(page).waitFor({ state: 'detached' })
  expect(await panel(page).getByText('park').count()).toBe(0)
})
