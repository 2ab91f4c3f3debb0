import excel from 'exceljs'
import { expect, test } from 'vitest'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { disposition } from './download.ts'

const { adminApi, sell } = eachExport()

const hangul = /[가-힣]/
/** Names of the sheets and every text in them. */
async function textsOf(method: 'GET' | 'POST', path: string): Promise<string[]> {
  const book = new excel.Workbook()
  await book.xlsx.load(await (await adminApi.send(method, path, { token: adminApi.token })).arrayBuffer())
  return book.worksheets.flatMap((sheet) => [
    sheet.name,
    ...sheet.getSheetValues().flatMap((row) => (row as unknown[]).map(String)),
  ])
}

test('a file asked for in English has no Korean in its name, the public one neither', async () => {
  const nameOf = async (method: 'GET' | 'POST', path: string) => {
    const answer = await adminApi.send(method, `${path}?lang=en`, { token: adminApi.token })
    await answer.arrayBuffer() // the next one may begin
    return answer.headers.get('content-disposition')?.split("UTF-8''")[1]
  }
  expect(await nameOf('POST', '/api/admin/export/history')).toBe('draw-history.xlsx')
  expect(await nameOf('POST', '/api/admin/export/refund')).toBe('refund.xlsx')
  expect(await nameOf('GET', '/api/admin/export/excel/event/1')).toBe('event-1.xlsx')
  expect(await nameOf('GET', '/api/tickets/export/excel')).toBe('tickets-event-1.xlsx')
})

test('file names are Korean for every browser', async () => {
  const { headers } = await adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token })
  const name = headers.get('content-disposition') ?? ''
  expect(name).toBe(
    `attachment; filename="draw-history-.xlsx"; filename*=UTF-8''draw-history-${encodeURIComponent('추첨기록')}.xlsx`,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(disposition(`a"b\\c('*).xlsx`)).toBe(
    `attachment; filename="abc('*).xlsx"; filename*=UTF-8''a%22b%5Cc%28%27%2a%29.xlsx`,
  )
})

test('an English file has English headers and words, a Korean one is as before', async () => {
  await sell()
  const [, credited] = await rowsOf(
    await adminApi.send('GET', '/api/admin/export/excel/event/1?lang=en', { token: adminApi.token }),
  )
  expect(credited?.[2]).toBe('Issued')
  for (const [method, path] of [
    ['GET', '/api/admin/export/excel/event/1'],
    ['POST', '/api/admin/export/refund'],
    ['POST', '/api/admin/export/history'],
  ] as const) {
    const [plain, ko, en] = [
      await textsOf(method, path),
      await textsOf(method, `${path}?lang=ko`),
      await textsOf(method, `${path}?lang=en`),
    ]
    expect(ko).toEqual(plain)
    expect(plain.some((text) => hangul.test(text))).toBe(true)
    expect(en.filter((text) => hangul.test(text))).toEqual([])
    expect(en.length).toBe(ko.length)
  }
  const wrong = await adminApi.ask('POST', '/api/admin/export/history?lang=fr')
  expect(wrong.body).toMatchObject({ code: 'INVALID_VALUE', field: 'lang' })
})
