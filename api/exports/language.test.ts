import { expect, test } from 'vitest'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { disposition } from './download.ts'

const { adminApi, sell, made } = eachExport()
const send = (method: string, path: string) => adminApi.send(method, path, { token: adminApi.token })

test('a file asked for in English has no Korean in its name, the public one neither', async () => {
  const nameOf = async (method: string, path: string) => {
    const answer = await send(method, `${path}?lang=en`)
    // Its words are those of the name; and the next one may begin.
    const [header] = await rowsOf(answer)
    const isEnglish = !/[가-힣]/.test(`${header}`)
    return [answer.headers.get('content-disposition')?.split("UTF-8''")[1], isEnglish]
  }
  expect(await nameOf('POST', '/api/admin/export/history')).toEqual(['draw-history.xlsx', true])
  expect(await nameOf('POST', '/api/admin/export/refund')).toEqual(['refund.xlsx', true])
  expect(await nameOf('GET', '/api/admin/export/excel/event/1')).toEqual(['event-1.xlsx', true])
  // In both languages, so that one file does for all.
  expect(await nameOf('GET', '/api/tickets/export/excel')).toEqual(['tickets-event-1.xlsx', false])
  const wrong = await adminApi.ask('POST', '/api/admin/export/history?lang=fr')
  expect(wrong.body).toMatchObject({ code: 'INVALID_VALUE', field: 'lang' })
})

test('file names are Korean for every browser', async () => {
  const { headers } = await send('POST', '/api/admin/export/history')
  const name = headers.get('content-disposition') ?? ''
  expect(name).toBe(
    `attachment; filename="draw-history-.xlsx"; filename*=UTF-8''draw-history-${encodeURIComponent('추첨기록')}.xlsx`,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(disposition(`a"b\\c('*).xlsx`)).toBe(
    `attachment; filename="abc('*).xlsx"; filename*=UTF-8''a%22b%5Cc%28%27%2a%29.xlsx`,
  )
})

test('an English file has English headers and words, a Korean one Korean ones', async () => {
  await sell()
  const textsOf = async (...wanted: Parameters<typeof made>) =>
    (await made(...wanted)).worksheets.flatMap((sheet) => [
      sheet.name,
      ...sheet.getSheetValues().flatMap((row) => (row as unknown[]).map(String)),
    ])
  const [, credited] = await rowsOf(await made('event', 'en'))
  expect(credited?.[2]).toBe('Issued')
  for (const sheet of ['event', 'refund', 'history'] as const) {
    const [ko, en] = [await textsOf(sheet, 'ko'), await textsOf(sheet, 'en')]
    expect(ko.some((text) => /[가-힣]/.test(text))).toBe(true)
    expect(en.filter((text) => /[가-힣]/.test(text))).toEqual([])
    expect(en.length).toBe(ko.length)
  }
})
