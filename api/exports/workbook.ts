import type { Writable } from 'node:stream'
import WorkbookWriter from 'exceljs/lib/stream/xlsx/workbook-writer.js'

export type Cell = string | number | Date | null
export type Column<T> = {
  header: string
  cell: (row: T) => Cell
  /** In characters. */
  width: number
  /** Number format; left out for text. */
  format?: string
}
/** Passes some rows at a time to the callback and waits until they are written. */
export type EachRows<T> = (take: (rows: readonly T[]) => Promise<void>) => Promise<void>
export type Sheet<T> = {
  name: string
  columns: readonly Column<T>[]
  rows: EachRows<T>
}

// biome-ignore lint/suspicious/noExplicitAny: each sheet makes cells of its own rows alone
type AnySheet = Sheet<any>
type Book = InstanceType<typeof WorkbookWriter>

/** Makes columns that hold the same kind of value, as wide as those are. */
const kind =
  (usual: number, format?: string) =>
  <T>(header: string, cell: (row: T) => Cell, width = usual): Column<T> => ({
    ...{ header, cell, width },
    ...(format && { format }),
  })
export const wallet = kind(46)
export const hash = kind(70)
/** Units of 10^-18, as text: a spreadsheet would round the number. */
export const units = kind(26)
export const word = kind(14)
export const count = kind(12, '#,##0')
/** A number that is a name: without commas. */
export const plain = kind(14, '0')
export const money = kind(18, '#,##0.00')
export const time = kind(20, 'yyyy-mm-dd hh:mm:ss')

/** Rows that a sheet of Excel can have, the header left out. */
const mostRows = 2 ** 20 - 1
/** exceljs writes a row in some microseconds; after this many rows the event loop gets a turn. */
const rowsAtOnce = 100

/** Writes an xlsx file row by row, as fast as `sink` takes it; what a sheet cannot hold goes on in another
 * one. Ends `sink`, or destroys it with the error. */
export async function writeWorkbook(
  sink: Writable,
  sheets: readonly AnySheet[],
  most = mostRows,
): Promise<void> {
  try {
    const book = new WorkbookWriter({ stream: sink, useStyles: true, useSharedStrings: false })
    for (const sheet of sheets) await addSheet(book, sink, sheet, most)
    await book.commit()
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

async function addSheet(book: Book, sink: Writable, wanted: AnySheet, most: number): Promise<void> {
  let number = 1
  let left = most
  let sheet = begin(book, wanted, wanted.name)
  await wanted.rows(async (some) => {
    for (let i = 0; i < some.length; i += rowsAtOnce) {
      for (const row of some.slice(i, i + rowsAtOnce)) {
        if (left-- === 0) {
          sheet.commit()
          sheet = begin(book, wanted, `${wanted.name} (${++number})`)
          left = most - 1
        }
        sheet.addRow(wanted.columns.map(({ cell }) => safeCell(cell(row)))).commit()
      }
      await turn(sink)
    }
  })
  sheet.commit()
}

function begin(book: Book, { columns }: AnySheet, name: string) {
  const sheet = book.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = columns.map(({ width, format }) => ({
    width,
    ...(format && { style: { numFmt: format } }),
  }))
  const header = sheet.addRow(columns.map((column) => column.header))
  header.eachCell((cell) => {
    cell.style = {
      font: { bold: true, color: { argb: 'FFFFFFFF' } },
      fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F3A34' } },
      alignment: { vertical: 'middle' },
    }
  })
  header.height = 22
  header.commit()
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } }
  return sheet
}

/** An apostrophe before what a spreadsheet could read as a formula, also after characters that some skip. No
 * control characters. @internal */
export function safeCell(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  const text = cell.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, '')
  return /^[=+\-@\t\r\0＝＋－＠]/.test(cell) ? `'${text}` : text
}

/** Gives the event loop a turn and waits until `sink` has drained. */
async function turn(sink: Writable): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  while (sink.writableNeedDrain && !sink.destroyed)
    await new Promise<void>((resolve) => {
      const go = () => {
        sink.off('drain', go).off('close', go)
        resolve()
      }
      sink.once('drain', go).once('close', go)
    })
  if (sink.destroyed) throw sink.errored ?? new Error('the reader has left')
}
