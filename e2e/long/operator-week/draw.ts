import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { admin, agree, fieldDate, openTab } from '../../lab/admin-verbs.ts'
import { soon } from '../../lab/story.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

export async function anchorAndDraw(
  { page, story, known }: Week,
  nextCode: () => Promise<string>,
): Promise<void> {
  await openTab(page, '기본 설정')
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill(fieldDate(Date.now() + 1_000))
  await page.getByText('판매 종료 시각이 이미 지났습니다').waitFor()
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill(fieldDate(Date.now() + 17_000))
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')

  await openTab(page, '블록체인 추첨')
  const draw = page.getByRole('button', { name: '추첨 시작' })
  expect(await draw.isDisabled()).toBe(true)
  await page.getByRole('button', { name: '지갑으로 지문 고정' }).click({ timeout: 60_000 })
  await toastText(page, '명단 지문을 고정했습니다')
  await page.getByText('고정됨', { exact: true }).waitFor()

  // The password was entered some minutes ago: the call waits for a fresh one and then continues by itself.
  await story.stack.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  await page
    .getByRole('region', { name: '위험 구역' })
    .locator('button:not([disabled])', { hasText: '추첨 시작' })
    .click({ timeout: 60_000 })
  await agree(page, '추첨 시작', '1')
  const again = page.getByRole('dialog', { name: '본인 확인' })
  await again.getByLabel('비밀번호').fill(admin.password)
  await again.getByRole('button', { name: '확인' }).click()
  await again.getByLabel('2차 인증 코드').fill(await nextCode())
  await again.getByRole('button', { name: '확인' }).click()
  expect(await toastText(page, '완료했습니다')).toBe('추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.')
  await page.getByRole('region', { name: '이벤트 1 당첨자' }).waitFor({ timeout: 60_000 })

  await page.getByRole('button', { name: '발표 지우기' }).click()
  await agree(page, '발표 지우기', '1')
  await page.locator('[data-toast-text]', { hasText: '당첨자 발표를 지웠습니다.' }).waitFor()
  await soon(() => known('/raffle/winner')).toBeNull()
}
