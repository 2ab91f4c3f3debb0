import { readFileSync } from 'node:fs'
import excel from 'exceljs'
import type { Locator } from 'playwright-core'
import type { Korean } from '../../../../site/src/admin/language/t.ts'
import type { Operator } from './operator.ts'

/** Files for the books, the records, other people's accounts, the notifications, and the other language. */
export async function account(day: Operator): Promise<void> {
  const { shot, panel, page, say } = day
  await files(day)
  await day.open('추첨 기록')
  await panel().getByRole('listitem').first().waitFor()
  await shot('history')
  await day.open('계정 관리')
  await shot('account')
  await administrators(day)
  await panel().getByText(say('보기'), { exact: true }).first().click()
  await shot('audit')
  await day.open('기본 설정')
  await panel()
    .getByRole('table', { name: say('알림 전달 기록') })
    .scrollIntoViewIfNeeded()
  await shot('notifications')
  const other = day.language === 'en' ? '한국어' : 'English'
  await page.getByRole('button', { name: other, exact: true }).click()
  await page.getByRole('button', { name: day.language === 'en' ? 'English' : '한국어', exact: true }).click()
  await page.getByRole('button', { name: other, exact: true }).waitFor()
  await page.getByRole('button', { name: say('로그아웃') }).click()
  await day.read('로그아웃되었습니다.')
  await shot('logged-out')
}

async function files(day: Operator): Promise<void> {
  await day.open('데이터 관리')
  for (const title of ['티켓 목록', '추첨 기록', '환불 대상', '환불 장부'] as const)
    await file(
      day,
      day.page.getByRole('button', { name: day.say('{title} 엑셀 받기', { title: day.say(title) }) }),
    )
  await file(day, day.button(day.panel(), '분개장 CSV 받기'))
  const name = day.say('이벤트 {chosen} 결제 엑셀 받기', { chosen: 2 })
  await file(day, day.page.getByRole('button', { name, exact: true }))
  await day.shot('files')
}

/** Takes the file; one for a person who reads no Korean has none in it. */
async function file(day: Operator, button: Locator): Promise<void> {
  const [download] = await Promise.all([
    Promise.race([day.page.waitForEvent('download'), refusal(day)]),
    button.click(),
  ])
  const path = await download.path()
  const name = download.suggestedFilename()
  const text = name.endsWith('.xlsx') ? await sheetText(path) : readFileSync(path, 'utf8')
  if (day.language === 'en' && /\p{Script=Hangul}/u.test(name)) day.faults.push(`file: Korean name ${name}`)
  // The public ticket list says each word in both languages.
  const isSaidInEnglish = (cell: string) => /[A-Za-z]{4}/.test(cell.replaceAll('USDT', ''))
  const korean = text
    .split(/[\n\t,]/)
    .filter((cell) => /\p{Script=Hangul}/u.test(cell) && !isSaidInEnglish(cell))
  if (day.language === 'en' && korean.length > 0)
    day.faults.push(`file ${name}: Korean ${[...new Set(korean)].slice(0, 12).join(' | ')}`)
}

/** Rejects with what the page says, should it refuse. */
async function refusal({ page }: Operator): Promise<never> {
  const said = page.locator('#toasts li[data-tone=bad]').first()
  await said.waitFor()
  throw new Error(`The file was refused: ${await said.innerText()}`)
}

async function sheetText(path: string): Promise<string> {
  const book = new excel.Workbook()
  await book.xlsx.readFile(path)
  const cells: string[] = []
  for (const sheet of book.worksheets) {
    cells.push(sheet.name)
    sheet.eachRow((row) => row.eachCell((cell) => cells.push(String(cell.text))))
  }
  return cells.join('\n')
}

async function administrators(day: Operator): Promise<void> {
  const { shot, dialog, field, button, panel, say } = day
  const word = (korean: Korean) => say(korean)
  await day.open('시스템 설정')
  await shot('system')
  await day.press('관리자 추가')
  await button(dialog(), '추가').click()
  await shot('add-administrator')
  await field(dialog(), '사용자명').fill('auditor-kim')
  await field(dialog(), '권한').selectOption('auditor')
  await button(dialog(), '추가').click()
  await dialog().getByText(word('전달했습니다'), { exact: true }).waitFor()
  await shot('one-time-password')
  await day.agree('전달했습니다')
  await panel()
    .getByLabel(say('{name}의 권한', { name: 'auditor-kim' }))
    .selectOption('operator')
  await shot('role-question')
  await day.agree('권한 변경')
  await day.read('권한을 바꿨습니다')
  const row = panel().getByRole('row', { name: /auditor-kim/ })
  await button(row, '삭제').click()
  await shot('remove-question')
  await day.agree('삭제', 'auditor-kim')
  await day.read('관리자를 삭제했습니다')
  await shot('administrators')
}
