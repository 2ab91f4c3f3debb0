import { PassThrough } from 'node:stream'
import { arrayBuffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import excel from 'exceljs'
import { expect } from 'vitest'
import { type SheetName, writeSheet } from '../../api/exports/sheets.ts'
import { openAdminSession } from './admin-api.ts'
import { alice, bob, foldTo, operator, paid } from './ledger-story.ts'
import { forEachTest } from './opened.ts'

async function workbookOf(bytes: ArrayBuffer): Promise<excel.Workbook> {
  const book = new excel.Workbook()
  await book.xlsx.load(bytes)
  return book
}

/** Rows of the first sheet, header included, as a spreadsheet reads them. */
export async function rowsOf(from: Response | excel.Workbook): Promise<unknown[][]> {
  if (from instanceof Response) expect(from.status).toBe(200)
  const book = from instanceof Response ? await workbookOf(await from.arrayBuffer()) : from
  const rows: unknown[][] = []
  book.worksheets[0]?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)))
  return rows
}

/** An administrator's session with event 1 open before each test, what is sold there, and files of it. */
export function eachExport() {
  const adminApi = forEachTest(() => openAdminSession())
  const publicExport = () => adminApi.send('GET', '/api/tickets/export/excel')
  const sell = () =>
    foldTo(adminApi.db, adminApi.event, 9, [
      paid(adminApi.event, { block: 3, cents: 9900, payer: alice }),
      paid(adminApi.event, { block: 4, cents: 350, payer: bob }),
      paid(adminApi.event, { block: 5, cents: 100, payer: bob }),
      paid(adminApi.event, { block: 6, cents: 500, payer: operator }),
    ])
  const payments = async () =>
    await adminApi.db.execute<{ transaction_hash: string; block_time: string }>(
      sql`select * from payments order by id`,
    )
  /** As its maker writes it, but in this process: a second less for each. */
  async function made(sheet: SheetName, language: 'ko' | 'en' = 'ko'): Promise<excel.Workbook> {
    const sink = new PassThrough()
    const { minUnits } = adminApi.deps.admin.refunds
    const eventNumber = sheet === 'history' || sheet === 'refund' ? 0 : 1
    const writing = writeSheet(sink, adminApi.dbOf('api'), { sheet, eventNumber, language, minUnits })
    const [bytes] = await Promise.all([arrayBuffer(sink), writing])
    return workbookOf(bytes)
  }
  return { adminApi, publicExport, sell, payments, made }
}
