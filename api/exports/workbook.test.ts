import { PassThrough } from 'node:stream'
import { arrayBuffer } from 'node:stream/consumers'
import excel from 'exceljs'
import { expect, test } from 'vitest'
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
  const book = await written(hostile, '=A1')
  const cells: excel.Cell[] = []
  book.worksheets[0]?.eachRow((row, number) => number > 1 && cells.push(row.getCell(1)))
  expect(cells).toHaveLength(hostile.length)
  for (const cell of cells) {
    expect(cell.formula).toBeUndefined()
    expect(String(cell.value)).toMatch(/^'/)
  }
  expect(safeCell('0xabc')).toBe('0xabc')
  expect(safeCell(-5)).toBe(-5)
})

test('more rows than a sheet has go on in the next one', async () => {
  const book = await written(['a', 'b', 'c', 'd', 'e'], 'text', 2)
  expect(book.worksheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
    ...[['x', 3]],
    ...[['x (2)', 3]],
    ...[['x (3)', 2]],
  ])
  expect(book.worksheets.map((sheet) => sheet.getCell('A2').value)).toEqual(['a', 'c', 'e'])
  expect((await written(['a', 'b'], 'text', 2)).worksheets).toHaveLength(1)
})

test('a file that cannot be made is an error, not half a file', async () => {
  const sink = new PassThrough()
  const writing = writeWorkbook(sink, [
    {
      name: 'x',
      columns: [{ header: 'a', width: 9, cell: () => null }],
      rows: async () => {
        throw new Error('the database is gone')
      },
    },
  ])
  const reading = arrayBuffer(sink)
  await expect(writing).rejects.toThrow('gone')
  await expect(reading).rejects.toThrow()
})

async function written(texts: string[], header: string, most?: number): Promise<excel.Workbook> {
  const sink = new PassThrough()
  const columns = [{ header, width: 9, cell: (text: string) => text }]
  const sheet = {
    name: 'x',
    columns,
    rows: (take: (rows: string[]) => Promise<void>) => take(texts),
  }
  const [bytes] = await Promise.all([arrayBuffer(sink), writeWorkbook(sink, [sheet], most)])
  const book = new excel.Workbook()
  await book.xlsx.load(bytes)
  return book
}
