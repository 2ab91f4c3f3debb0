import excel from 'exceljs'
import { expect } from 'vitest'
import { openTab, panel } from '../../lab/admin-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import { soon } from '../../lab/story.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

export async function watchSales({ page, story }: Week): Promise<void> {
  await openTab(page, '블록체인 관리')
  await page.getByRole('button', { name: '거래 처리' }).click()
  await page.getByText('거래 해시를 입력해주세요').waitFor()
  const hash = await payByHand(story.stack.chain.url, await story.account(1), 33)
  await page.getByLabel('거래 해시').fill(`  ${hash} `)
  await page.getByRole('button', { name: '거래 처리' }).click()
  expect(await toastText(page, '거래를 처리했습니다')).toBe('티켓 11장이 발급되었습니다.')
  const summary = page.locator('dl[aria-label="요약"]')
  await soon(() => summary.innerText()).toMatch(/판매된 티켓\s+11\s[\s\S]*총 수익 \(USDT\)\s+33\s/)
  await page.getByLabel('거래 해시').fill(hash)
  await page.getByRole('button', { name: '거래 처리' }).click()
  expect(await toastText(page, '거래 처리에 실패했습니다')).toContain('이미 처리된 거래입니다')
  const pipeline = page.getByRole('region', { name: '처리 상태' })
  expect(await pipeline.innerText()).toMatch(
    /스캔한 블록\s+[\d,]+\s[\s\S]*스캔 지연\s+\d+초[\s\S]*작업 대기열\s+\d+건/,
  )
  await pipeline.getByRole('row').getByText('정상', { exact: true }).waitFor()
  await payByHand(story.stack.chain.url, await story.account(2), 1)
  await panel(page).getByText('금액 부족', { exact: true }).first().waitFor()

  await openTab(page, '데이터 관리')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '티켓 목록 엑셀 받기' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('tickets-event-1-티켓목록.xlsx')
  const book = new excel.Workbook()
  await book.xlsx.readFile(await download.path())
  const sheet = book.worksheets[0]
  expect(sheet?.rowCount).toBe(2)
  expect([1, 2, 3].map((cell) => sheet?.getRow(2).getCell(cell).value)).toEqual([1, hash, 33])

  await openTab(page, '기본 설정')
  await page.getByText('지갑, 티켓 가격, 추첨 방식, 티켓 한도, 경품은 잠겼습니다.').waitFor()
}
