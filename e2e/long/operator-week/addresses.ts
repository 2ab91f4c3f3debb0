import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { admin, agree, openTab } from '../../lab/admin-verbs.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

export async function guardAddresses(week: Week): Promise<void> {
  const { page } = week
  await openTab(page, '시스템 설정')
  const add = page.getByRole('button', { name: '추가', exact: true })
  await add.click()
  await page.getByText('IP 주소를 입력해주세요').waitFor()
  await page.getByLabel('IP 추가', { exact: true }).fill('203.0.113.9')
  await add.click()
  await page.getByText('저장하면 접속이 차단됩니다').waitFor()
  await page.getByRole('button', { name: '현재 IP 추가' }).click()
  await agree(page, '제한 시작')
  await toastText(page, 'IP 목록을 저장했습니다')
  await page.getByLabel('IP 추가', { exact: true }).fill('203.0.113.9')
  await add.click()
  const list = page.getByRole('list', { name: '허용된 IP' })
  await list.getByText('203.0.113.9').waitFor()
  await endStranger(week)
  // One's own address cannot be removed from the list while another one is on it.
  await list.getByRole('listitem').filter({ hasText: '현재 IP' }).getByRole('button').click()
  await page.getByText('저장하면 접속이 차단됩니다').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
}

/** A login by another person shows in the list and is ended there; ours continues. */
async function endStranger({ page, story }: Week): Promise<void> {
  await story.stack.db.execute(
    sql`insert into sessions (token_hash, admin_id, client_address) select 'a stranger', id, '198.51.100.7' from admins where username = ${admin.username}`,
  )
  await openTab(page, '계정 관리')
  await openTab(page, '시스템 설정')
  const end = page.getByRole('button', { name: '198.51.100.7 세션 종료' })
  await end.click()
  await agree(page, '종료')
  await toastText(page, '세션을 종료했습니다')
  await end.waitFor({ state: 'detached' })
  const audit = page.getByRole('table', { name: '감사 기록' })
  await page.getByRole('button', { name: '새로 읽기' }).click()
  const row = audit.getByRole('row').filter({ hasText: '세션 종료' }).first()
  await row.getByText('보기').click()
  await row.getByText('198.51.100.7').waitFor()
}
