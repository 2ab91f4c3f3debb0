import { expect, test } from 'vitest'
import { noBranding } from '../../../../core/house/branding.ts'
import { knows, linesOf, markupOf, now, tell } from '../../../../e2e/lab/islands.ts'
import { recentAt } from '../../../../e2e/lab/told.ts'
import { Summary } from './Dashboard.tsx'
import { Frame } from './Frame.tsx'

const lines = () => linesOf(markupOf(<Summary />))

test('the strip above every tab: tickets, revenue at the price, minimum, draw date in UTC', () => {
  tell({ stats: { ticketsSold: 1_794 }, config: { minTicketsForDraw: 2_000 } })
  expect(lines()).toEqual([
    ...['판매된 티켓', '1,794', '구매 없음', '총 수익 (USDT)', '5,382', '티켓당 3 USDT'],
    ...['최소 참여 인원', '2,000', '206장 남음', '추첨 일시 (UTC)', '설정 안 됨', 'Not set · 판매 중'],
  ])
  tell({
    ...{ stats: { ticketsSold: 12_377 }, recent: recentAt(now) },
    config: { drawDate: '2055-09-30T12:00:00Z' },
  })
  expect(lines().slice(2, 9)).toEqual([
    ...['마지막 구매 7초 전', '총 수익 (USDT)', '37,131', '티켓당 3 USDT'],
    ...['최소 참여 인원', '100', '최소 수량을 넘었습니다'],
  ])
  expect(lines()[10]).toBe('2055- 09-30 12:00')
})

test('before anything is known it has names and no figures', () => {
  knows({})
  expect(lines().filter((line) => /\d/.test(line))).toEqual(['티켓당 3 USDT'])
})

test('the bar has the saved name of the site, and the built one where none is saved', () => {
  const shown = () => linesOf(markupOf(<Frame>{null}</Frame>))
  tell({})
  expect(shown()).toContain('Blockdraw')
  tell({ config: { branding: { ...noBranding, name: 'Lucky Desk' } } })
  expect(shown()).toContain('Lucky Desk')
  expect(shown()).not.toContain('Blockdraw')
})
