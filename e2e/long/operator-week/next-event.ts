import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { agree, openTab, panel, png } from '../../lab/admin-verbs.ts'
import { soon } from '../../lab/story.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

export async function tellPrize({ page, known }: Week): Promise<void> {
  await openTab(page, '다음 이벤트')
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  expect(await toastText(page, '이벤트 설정 업데이트에 실패했습니다')).toBe('최소 하나의 설정을 변경해주세요')
  const file = page.getByLabel('상품 이미지')
  await file.setInputFiles({ name: 'prize.gif', mimeType: 'image/gif', buffer: png })
  await page.getByText('JPG 또는 PNG 이미지만 올릴 수 있습니다.').waitFor()
  await file.setInputFiles({ name: 'prize.png', mimeType: 'image/png', buffer: png })
  await page.getByAltText('상품 미리보기').waitFor()
  await page.getByLabel('상품 가치').fill('$3,000')
  await page.getByLabel('상품 설명').fill('두 번째 채굴기')
  await page.getByLabel('이벤트 시작 (UTC)', { exact: true }).fill('2030-01-02 03:04')
  await page.getByText('한국 시각 2030년 1월 2일 12:04').waitFor()
  await page.getByRole('button', { name: '이벤트 저장' }).click()
  await toastText(page, '이벤트 설정을 저장했습니다')
  await soon(() => known('/event/settings')).toMatchObject({
    prizeValue: '$3,000',
    prizeDescription: '두 번째 채굴기',
    eventStartDate: '2030-01-02T03:04:00.000Z',
    isActive: true,
  })
  const settings = await known('/event/settings')
  expect((await fetch(settings.prizeImageUrl)).headers.get('content-type')).toBe('image/png')
}

export async function openNextEvent(week: Week): Promise<void> {
  const { page, known } = week
  await openTab(page, '기본 설정')
  await page.getByText('이벤트 1의 진행이 끝났습니다.').waitFor()
  await draftTerms(week)
  await openByDate(week)
  await openTab(page, '다음 이벤트')
  await page.getByRole('button', { name: '이벤트 2 시작' }).click()
  await page.getByRole('dialog').getByText('당첨자 3명').waitFor()
  const asked = page.waitForRequest('**/open-next')
  await agree(page, '보관하고 시작')
  // Another content than the one that was named would be a conflict.
  expect((await asked).postDataJSON()).toEqual({
    version: expect.any(Number),
    contentVersion: expect.any(Number),
  })
  expect(await toastText(page, '다음 이벤트를 시작했습니다')).toContain('이벤트 #2')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ eventNumber: 2, minTicketsForDraw: 250, entropy: 'blocks+drand', winners: 3 },
  })
  await page.getByText('이벤트 2 진행 중').waitFor()
  await openTab(page, '추첨 기록')
  await panel(page).getByRole('heading', { name: '이벤트 1' }).waitFor()
}

/** A content that somebody saved after the question is not what was agreed to. */
async function openByDate({ page, story, known }: Week): Promise<void> {
  await openTab(page, '기본 설정')
  await page.getByLabel('추첨 일시 (UTC)', { exact: true }).fill('2035-01-02 12:00')
  await page.locator('[data-save-bar] button[type=submit]').click()
  await page.getByRole('dialog').getByText('당첨자 3명').waitFor()
  await story.stack.db.execute(sql`update content_draft set revision = revision + 1`)
  await agree(page, '보관하고 시작')
  expect(await toastText(page, '설정 업데이트에 실패했습니다')).toContain('다른 관리자가 먼저')
  expect(await known('/raffle/config')).toMatchObject({ eventNumber: 1 })
  await page.locator('[data-save-bar]').getByRole('button', { name: '되돌리기' }).click()
}

/** What the next event promises is saved as a draft, shown beside what the open one promises, and opened with. */
async function draftTerms({ page }: Week): Promise<void> {
  await openTab(page, '다음 이벤트')
  const content = page.getByRole('form', { name: '다음 이벤트 내용' })
  await content.getByLabel('수량').fill('3')
  await content.getByRole('button', { name: '내용 초안 저장' }).click()
  await content.getByText('초안이 저장되어 있습니다.').waitFor()
  const card = page.getByRole('region', { name: '다음 이벤트 조건' })
  await card.getByLabel('최소 참여 인원').fill('0')
  await card.getByText('1에서 10,000,000 사이의 정수를 입력하세요.').waitFor()
  await card.getByLabel('최소 참여 인원').fill('250')
  await card.getByLabel('추첨 일시 (UTC)', { exact: true }).fill('2035-01-01 12:00')
  await card.getByRole('radio', { name: /drand.*권장/ }).check()
  await card.getByText('저장하지 않은 변경 3개').waitFor()
  await card.getByRole('button', { name: '초안 저장' }).click()
  await toastText(page, '초안을 저장했습니다')
  await card.getByText('초안이 저장되어 있습니다.').waitFor()
  const promised = await card.locator('dl').first().innerText()
  for (const term of ['2035-01-01 12:00 UTC', '250장', '3명', '블록 해시와 drand'])
    expect(promised).toContain(term)
}
