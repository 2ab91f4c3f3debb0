import { expect, test } from 'vitest'
import type { AdminStory } from '../lab/admin-story.ts'
import { agree, openTab, panel } from '../lab/admin-verbs.ts'
import { toastText } from '../lab/verbs.ts'

/** Two administrators at the settings, and what the first ticket locks. */
export function settingsJourney({ get, patch, event, pay, selling, atDashboard }: AdminStory): void {
  test('what another administrator saved meanwhile is shown before it is overwritten', async () => {
    await selling({ untouched: true })
    await patch({ minTicketsForDraw: 100 })
    const { page } = await atDashboard('config')
    const minimum = page.getByLabel('최소 참여 인원')
    const conflict = page.getByRole('alert').filter({ hasText: '다른 관리자가 방금 설정을 바꿨습니다.' })
    await minimum.fill('12')
    await page.getByText('저장하지 않은 변경 1개').waitFor()
    await patch({ minTicketsForDraw: 60 })
    await conflict.waitFor()
    expect(await conflict.getByRole('listitem').innerText()).toMatch(/최소 참여 인원\s+100\s+→\s+60/)
    await conflict.getByRole('button', { name: '내 입력 유지' }).click()
    await conflict.waitFor({ state: 'hidden' })
    expect(await minimum.inputValue()).toBe('12')
    await page.getByRole('button', { name: '설정 저장' }).click()
    await agree(page, '변경 저장')
    await toastText(page, '설정을 저장했습니다')
    expect(await get('/api/admin/raffle/config')).toMatchObject({ minTicketsForDraw: 12 })
  })

  test('a channel that cannot be reached says so on its row, and goes with its message about that', async () => {
    const { page } = await atDashboard('security')
    await page.getByRole('button', { name: '채널 추가' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('종류').selectOption('webhook')
    await form.getByLabel('이름').fill('운영 봇')
    await form.getByLabel('받는 주소 (URL)').fill('http://127.0.0.1:1/bot1:token/sendMessage')
    await form.getByRole('button', { name: '저장' }).click()
    await form.getByText('https:// 로 시작하는 올바른 주소가 아닙니다.').waitFor()
    await form.getByLabel('받는 주소 (URL)').fill('https://127.0.0.1:1/bot1:token/sendMessage')
    await form.getByRole('button', { name: '저장' }).click()
    await toastText(page, '알림 채널을 저장했습니다')
    const row = page.getByRole('table', { name: '알림 채널' }).getByRole('row').filter({ hasText: '운영 봇' })
    await row.getByRole('button', { name: '시험 전송' }).click()
    await row.getByText('서버에 연결할 수 없습니다.').waitFor()
    expect(await row.innerText()).not.toContain('token')
    await row.getByRole('button', { name: '삭제' }).click()
    await agree(page, '삭제')
    await toastText(page, '알림 채널을 삭제했습니다')
  })

  test('a payment that nobody reported becomes tickets once, and its ticket locks what buyers were told', async () => {
    await selling()
    const hash = await pay(3, 33)
    const { page } = await atDashboard('blockchain')
    const process = async (transactionHash: string) => {
      await panel(page).getByLabel('거래 해시').fill(transactionHash)
      await panel(page).getByRole('button', { name: '거래 처리' }).click()
    }
    await process(`  ${hash.toUpperCase()} `)
    expect(await toastText(page, '거래를 처리했습니다')).toBe('티켓 11장이 발급되었습니다.')
    const refused = () => toastText(page, '거래 처리에 실패했습니다')
    await process(hash)
    expect(await refused()).toContain('이미 처리된 거래입니다')
    await process(`0x${'ab'.repeat(32)}`)
    expect(await refused()).toContain('거래를 찾을 수 없습니다 (transaction not found).')
    // The field is marked and says nothing a second time.
    expect(await panel(page).getByLabel('거래 해시').getAttribute('aria-invalid')).toBe('true')
    expect(await panel(page).getByText('거래를 찾을 수 없습니다').count()).toBe(0)
    expect((await event()).ticketsSold).toBeGreaterThanOrEqual(11)

    await openTab(page, '기본 설정')
    await page.getByText('구매자에게 약속한 조건이 모두 잠겼습니다.').waitFor()
    expect(await page.getByLabel('당첨자 수').getAttribute('readonly')).not.toBeNull()
    await panel(page).getByText('구매자에게 약속한 내용이라 잠겼습니다.').waitFor()
  })
}
