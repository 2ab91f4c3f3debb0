import { sql } from 'drizzle-orm'
import excel from 'exceljs'
import { expect } from 'vitest'
import { openAdminSession } from './admin-api.ts'
import { alice, bob, foldTo, operator, paid } from './ledger-story.ts'
import { forEachTest } from './opened.ts'

/** Rows of the first sheet, header included, as a spreadsheet reads them. */
export async function rowsOf(response: Response): Promise<unknown[][]> {
  expect(response.status).toBe(200)
  const book = new excel.Workbook()
  await book.xlsx.load(await response.arrayBuffer())
  const rows: unknown[][] = []
  book.worksheets[0]?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)))
  return rows
}

/** An administrator's session with event 1 open before each test, what is sold there, and the public file. */
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
  return { adminApi, publicExport, sell, payments }
}
