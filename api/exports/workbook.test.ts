import excel from 'exceljs'
import { expect, test } from 'vitest'
import { tempFile } from './temp-file.ts'
import { safeCell, writeWorkbook } from './workbook.ts'

test('no cell is ever a formula (U3, I28)', async () => {
  const hostile = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\0=1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    '=HYPERLINK("http://evil")',
    "='a'!A1",
  ]
  const file = await tempFile()
  const rows = hostile.map((text) => [text])
  await writeWorkbook(file.sink, {
    name: 'x',
    columns: [{ header: '=A1', width: 9 }],
    rows: (take) => take(rows),
    toCells: (row: string[]) => row,
  })
  const bytes = await new Response(file.read()).arrayBuffer()
  const book = new excel.Workbook()
  await book.xlsx.load(bytes)
  const cells: excel.Cell[] = []
  book.worksheets[0]?.eachRow((row, number) => number > 1 && cells.push(row.getCell(1)))
  expect(cells).toHaveLength(hostile.length)
  for (const cell of cells) {
    expect(cell.formula).toBeUndefined()
    expect(String(cell.value)).toMatch(/^'/)
  }
  file.release()
  expect(safeCell('0xabc')).toBe('0xabc')
  expect(safeCell(-5)).toBe(-5)
})

test('a file that cannot be made is an error, not half a file', async () => {
  const file = await tempFile()
  const writing = writeWorkbook(file.sink, {
    name: 'x',
    columns: [{ header: 'a', width: 9 }],
    rows: async () => {
      throw new Error('the database is gone')
    },
    toCells: () => [],
  })
  await expect(writing).rejects.toThrow('gone')
  await expect(new Response(file.read()).arrayBuffer()).rejects.toThrow()
  file.release()
})
