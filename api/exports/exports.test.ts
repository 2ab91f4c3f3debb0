import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import excel from 'exceljs'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { loadProof } from '../../db/draw/proof.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { openOffice } from '../../e2e/lab/admin-api.ts'
import { alice, bob, foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { agreedBlocks, drawnFrom, soldOut } from '../../e2e/lab/recorded-draw.ts'
import { disposition, exportQueue } from './queue.ts'
import { exportsDir } from './room.ts'
import { tempFile } from './temp-file.ts'
import { safeCell, writeWorkbook } from './workbook.ts'

const adminApi = forEachTest(openOffice)

const publicExport = () => adminApi.send('GET', '/api/tickets/export/excel')
/** Rows of the first sheet, header included, as a spreadsheet reads them. */
async function rowsOf(response: Response): Promise<unknown[][]> {
  expect(response.status).toBe(200)
  const book = new excel.Workbook()
  await book.xlsx.load(await response.arrayBuffer())
  const rows: unknown[][] = []
  book.worksheets[0]?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)))
  return rows
}
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

test('the public file holds the rows of the ledger with only their public columns (U5, I28)', async () => {
  await sell()
  const [first, second] = await payments()
  const [header, ...rows] = await rowsOf(await publicExport())
  expect(header).toEqual([
    '티켓 번호 / Ticket No.',
    '거래 해시 / Transaction Hash',
    '금액 (USDT) / Amount',
    '구매 시각 (UTC) / Purchased At',
  ])
  expect(rows).toEqual([
    [1, first?.transaction_hash, 99, new Date(first?.block_time ?? '')],
    [34, second?.transaction_hash, 3.5, new Date(second?.block_time ?? '')],
  ])
})

test('an event file lists all payments, a refund file what each address paid, held ones apart', async () => {
  await sell()
  const [header, ...all] = await rowsOf(
    await adminApi.send('GET', '/api/admin/export/excel/event/1', { token: adminApi.token }),
  )
  expect(header).toHaveLength(10)
  expect(all.map((row) => [row[0] ?? null, row[1], row[2], row[3] ?? null, row[6]])).toEqual([
    [1, 33, '발급 완료', null, 99],
    [34, 1, '발급 완료', null, 3.5],
    [null, 0, '발급 안 됨', '금액 부족', 1],
    [null, 0, '발급 안 됨', '보류', 5],
  ])
  const [, ...recipients] = await rowsOf(
    await adminApi.send('POST', '/api/admin/export/refund', { token: adminApi.token }),
  )
  expect(recipients.map((row) => [String(row[0]).toLowerCase(), ...row.slice(1)])).toEqual([
    [alice, 1, 33, 99, '99000000000000000000', '준비 전'],
    [bob, 2, 1, 4.5, '4500000000000000000', '준비 전'],
  ])
  const none = await adminApi.ask('POST', '/api/admin/export/refund', { eventNumber: 2 })
  expect(none.status).toBe(404)
  const [, ...history] = await rowsOf(
    await adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token }),
  )
  expect(history.map((row) => row.slice(0, 2))).toEqual([[1, '진행 중']])
})

test('the draw history names all winners and reserves, and what the draw was made of', async () => {
  const payments = [alice, bob].map((payer) => ({ payer, cents: 9_00 }))
  const sold = await soldOut(adminApi.db, { payments, winners: 2 })
  await drawnFrom(adminApi.db, sold, agreedBlocks(sold, 1))
  const answer = await adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token })
  const book = new excel.Workbook()
  await book.xlsx.load(await answer.arrayBuffer())
  const [history, drawn] = book.worksheets.map((sheet) =>
    (sheet.getSheetValues() as unknown[][]).slice(1).map((row) => row.slice(1)),
  )
  const { body } = await adminApi.ask('GET', '/api/admin/raffle/history')
  const proof = await loadProof(adminApi.db, 1)
  const named = Object.fromEntries((history?.[0] ?? []).map((name, index) => [name, history?.[1]?.[index]]))
  expect(named).toMatchObject({
    ...{ '당첨자 수': 2, '당첨 지갑': body[0].winnerWallet, '난수의 출처': 'blocks' },
    ...{ '블록 시드': proof?.blockSeed, '커밋먼트 (SHA-256)': proof?.commitment },
  })
  expect(drawn).toEqual([
    ['이벤트', '구분', '순위', '티켓 번호', '결제 지갑', '거래 해시'],
    ...(proof?.winners ?? []).map(({ walletAddress, transactionHash }, index) => [
      ...[1, '당첨', index + 1, body[0].drawn[index].ticketNumber],
      ...[getAddress(walletAddress), transactionHash],
    ]),
  ])
  expect(body[0]).toMatchObject({ winners: 2, entropy: 'blocks', beaconRound: null })
})

test('the books of refunds are a file, with what is owed, how it was paid and what is left', async () => {
  await sell()
  await adminApi.db.transaction((tx) => writeBatch(tx, { kind: 'leftover', eventNumber: 1, minUnits: 0n }))
  const [header, ...lines] = await rowsOf(
    await adminApi.send('POST', '/api/admin/export/books', { token: adminApi.token }),
  )
  expect(header?.slice(3, 10)).toEqual([
    ...['환불액 (USDT)', '완료 (USDT)', '환불 컨트랙트로 (USDT)', '그 밖의 전송으로 (USDT)'],
    ...['진행 중 (USDT)', '보류 (USDT)', '남음 (USDT)'],
  ])
  expect(lines.map(([payer, wallet, , ...sums]) => [payer, wallet, ...sums.slice(0, 8)])).toEqual([
    [getAddress(bob), getAddress(operator), 1, 0, 0, 0, 0, 0, 1, '1000000000000000000'],
  ])
  expect((await adminApi.ask('POST', '/api/admin/export/books', { eventNumber: 2 })).status).toBe(404)
  const audit = await adminApi.db.execute(sql`select action from audit where action like 'export.books'`)
  expect(audit).toHaveLength(2)
})

test('an event that does not exist is not found', async () => {
  for (const id of ['2', '0', 'x', '-1', '1e3', '99999999999'])
    expect((await adminApi.ask('GET', `/api/admin/export/excel/event/${id}`)).status).toBe(404)
})

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

test('fifty concurrent downloads share one file, also those that come while it is written (U4)', async () => {
  await sell()
  const files = await Promise.all(Array.from({ length: 50 }, async () => (await publicExport()).bytes()))
  expect(new Set(files.map((bytes) => Bun.hash(bytes))).size).toBe(1)
  expect(await rowsOf(await publicExport())).toHaveLength(3)
})

test('administrators have one download at a time, further ones are refused (U4)', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  const busy = answers.find(({ status }) => status === 429)
  expect(await busy?.json()).toMatchObject({ code: 'EXPORT_BUSY' })
  expect(busy?.headers.get('retry-after')).toBe('2')
  await Promise.all(answers.map((answer) => answer.status === 200 && answer.bytes()))
  expect((await adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token })).status).toBe(
    200,
  )
})

test('while a large file is written, its answer estimates the size', async () => {
  await adminApi.db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, 3000000000000000000::numeric * (1 + i % 40), i, '0x' || repeat('00', 32),
      now() + i * interval '1 second', i % 100, 0, 'credited', i, 1
    from generate_series(1, 5000) as i`)
  await adminApi.db.execute(sql`insert into refund_batches (id, kind, event_number) values (900, 'event', 1)`)
  await adminApi.db.execute(sql`insert into refund_rows (batch_id, payer, recipient, units)
    select 900, payer, payer, units from payments`)
  await adminApi.db.execute(sql`insert into refund_row_payments (row_id, payment_id)
    select r.id, p.id from payments p join refund_rows r on r.payer = p.payer`)
  for (const [method, path] of [
    ['GET', '/api/tickets/export/excel'],
    ['GET', '/api/admin/export/excel/event/1'],
    ['POST', '/api/admin/export/refund'],
    ['POST', '/api/admin/export/books'],
  ] as const) {
    const answer = await adminApi.send(method, path, { token: adminApi.token })
    const expected = Number(answer.headers.get('x-expected-bytes'))
    const { length } = await answer.bytes()
    expect([
      path,
      length / expected > 0.8 && length / expected < 1.2 ? 'near' : `${length} of ${expected}`,
    ]).toEqual([path, 'near'])
  }
  // Made already: then it is known.
  const again = await publicExport()
  expect(again.headers.get('x-expected-bytes')).toBeNull()
  expect(Number(again.headers.get('content-length'))).toBe((await again.bytes()).length)
})

test('a file that would not fit its disk is refused before its first byte, and the next one may begin', async () => {
  const full = existsSync('/proc') ? '/proc' : '/dev' // it has no room by its nature
  const log = { info: () => undefined, warn: () => undefined }
  const { db } = adminApi
  const { databaseUrl } = adminApi.deps.admin
  const lane = exportQueue({ db, databaseUrl, place: full, keepMs: 60_000, log })
  const ask = () => lane('1', 'tickets.xlsx', { sheet: 'tickets', eventNumber: 1 })
  for (const answer of [ask(), ask()]) await expect(answer).rejects.toMatchObject({ code: 'EXPORT_NO_ROOM' })
  await expect(ask()).rejects.toMatchObject({ code: 'EXPORT_NO_ROOM' })
})

test('exports lie below DATA_DIR, or with the temporary files where that cannot be written', async () => {
  const warnings: unknown[] = []
  const log = { warn: (...said: unknown[]) => warnings.push(said.at(-1)) }
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-data-'))
  try {
    expect(await exportsDir(dataDir, log as never)).toBe(join(dataDir, 'exports'))
    expect(warnings).toEqual([])
    expect(await exportsDir('/dev/null', log as never)).toBe(tmpdir())
    expect(warnings).toEqual(['exports are made with the temporary files'])
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('a new sale makes a new file', async () => {
  expect(await rowsOf(await publicExport())).toHaveLength(1)
  await sell()
  await adminApi.deps.state.refresh()
  expect(await rowsOf(await publicExport())).toHaveLength(3)
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
