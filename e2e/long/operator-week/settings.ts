import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { agree, openTab } from '../../lab/admin-verbs.ts'
import { soon } from '../../lab/story.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

export async function setEvent(week: Week): Promise<void> {
  const { page, known } = week
  await openTab(page, '기본 설정')
  await mistypeWallet(week)
  await page.getByRole('button', { name: '지갑으로 서명' }).click()
  await toastText(page, '지갑을 확인했습니다')
  await page.getByLabel('Google Form URL').fill('http://forms.gle')
  await page.getByText('https:// 로 시작하는 주소를 입력하세요.').waitFor()
  await page.getByRole('button', { name: '설정 저장' }).click()
  await soon(() => focusedLabel(page)).toBe('Google Form URL')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('Google Form URL').fill('https://forms.gle/prize')
  await page.getByLabel('최소 참여 인원').fill('11')
  // What there is to win is said in the event's content.
  await page.getByText('이벤트 내용의 경품과 수량을 따릅니다').first().waitFor()
  expect(await page.getByLabel('당첨자 수').getAttribute('readonly')).not.toBeNull()
  await page.getByRole('radio', { name: /drand/ }).check()
  await page.getByText('저장하지 않은 변경 3개').waitFor()
  // Typed values are kept while another tab is open.
  await openTab(page, '추첨 기록')
  await openTab(page, '기본 설정')
  expect(await page.getByLabel('최소 참여 인원').inputValue()).toBe('11')
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ minTicketsForDraw: 11, entropy: 'blocks+drand', winners: 1 },
    googleFormUrl: 'https://forms.gle/prize',
  })
  await page.getByRole('button', { name: '변경 취소' }).click()
  await toastText(page, '변경을 취소했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({
    ...{ minTicketsForDraw: 100, googleFormUrl: null, entropy: 'blocks', winners: 1 },
  })
  await meetAnotherAdministrator(week)
}

/** Typing its last characters confirms a wallet; a wrong one can be undone at once. */
async function mistypeWallet({ page, known }: Week): Promise<void> {
  const field = page.getByLabel('지갑 주소', { exact: true })
  const own = await field.inputValue()
  await field.fill('0x70997970C51812dc3A010C7d01b50e0d17dc79c8')
  await page.getByText('체크섬이 맞지 않는 주소입니다.').waitFor()
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await field.fill(other)
  await page.getByRole('button', { name: '설정 저장' }).click()
  const dialog = page.getByRole('dialog', { name: '운영자 지갑 변경' })
  expect((await dialog.getByTitle(other).innerText()).replaceAll(/\s/g, '')).toBe(other)
  await dialog.getByRole('textbox').fill('0000')
  expect(await dialog.getByRole('button', { name: '지갑 변경' }).isDisabled()).toBe(true)
  await agree(page, '지갑 변경', '79C8')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ operatorWallet: other })
  await page.getByText('아직 서명으로 확인되지 않은 지갑입니다.').waitFor()
  await page.getByRole('button', { name: '변경 취소' }).click()
  await toastText(page, '변경을 취소했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ operatorWallet: own })
  await soon(() => field.inputValue()).toBe(own)
}

/** Another administrator saves a field that is being edited here: that change is shown, not lost. */
async function meetAnotherAdministrator({ page, story, known }: Week): Promise<void> {
  await soon(() => page.getByLabel('최소 참여 인원').inputValue()).toBe('100')
  await page.getByLabel('최소 참여 인원').fill('11')
  const token = await page.evaluate(() => localStorage.getItem('adminToken'))
  const theirs = await fetch(`${story.stack.url}/api/admin/raffle/config`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ minTicketsForDraw: 50 }),
  })
  expect(theirs.status).toBe(200)
  const note = page.getByRole('alert').filter({ hasText: '다른 관리자가 방금 설정을 바꿨습니다.' })
  await note.waitFor()
  expect(await note.getByRole('listitem').innerText()).toMatch(/최소 참여 인원\s+100\s+→\s+50/)
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  expect(await toastText(page, '설정 업데이트에 실패했습니다')).toContain('다른 관리자가 먼저')
  await soon(() => known('/raffle/config')).toMatchObject({ minTicketsForDraw: 50 })
  await note.getByRole('button', { name: '내 입력 유지' }).click()
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await toastText(page, '설정을 저장했습니다')
  await soon(() => known('/raffle/config')).toMatchObject({ minTicketsForDraw: 11 })
}

/** Label of the field that has the focus. */
const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.innerText ?? '')
