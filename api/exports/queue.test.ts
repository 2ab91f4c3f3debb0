import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { exportsDir } from './disk-space.ts'
import { exportQueue } from './queue.ts'

/** Where a test has a file wait before its end. */
let mayEnd = Promise.resolve()
const { adminApi, publicExport, sell } = eachExport(() => mayEnd)
/** What `act` sees while the file is written. */
async function whileWritten<T>(act: () => Promise<T>): Promise<T> {
  const end = Promise.withResolvers<void>()
  mayEnd = end.promise
  try {
    return await act()
  } finally {
    end.resolve()
  }
}
const wanted = { sheet: 'tickets', eventNumber: 1, language: 'ko', minUnits: 0n } as const
const log = { info: () => undefined, warn: () => undefined }

test('fifty concurrent downloads share one file, made in a process of its own, also those that come while it is written (U4)', async () => {
  await sell()
  const queue = exportQueue({
    ...{ db: adminApi.db, databaseUrl: adminApi.deps.admin.databaseUrl, keepMs: 60_000, log },
  })
  const ask = () => queue('1', 'tickets.xlsx', wanted)
  const files = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).bytes()))
  expect(new Set(files.map((bytes) => Bun.hash(bytes))).size).toBe(1)
  expect(await rowsOf(await ask())).toHaveLength(3)
})

test('administrators have one download at a time, further ones are refused (U4)', async () => {
  const answers = await whileWritten(() =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token }),
      ),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429])
  const busy = answers.find(({ status }) => status === 429)
  expect(await busy?.json()).toMatchObject({ code: 'EXPORT_BUSY' })
  expect(busy?.headers.get('retry-after')).toBe('2')
  await Promise.all(answers.map((answer) => answer.status === 200 && answer.bytes()))
  expect((await adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token })).status).toBe(
    200,
  )
})

test('while a file is written, its answer estimates the size', async () => {
  await adminApi.db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, ${adminApi.event.token}, 3000000000000000000::numeric * (1 + i % 40), i, '0x' || repeat('00', 32),
      now() + i * interval '1 second', i % 100, 0, 'credited', i, 1
    from generate_series(1, 1000) as i`)
  await adminApi.db.execute(
    sql`insert into endings (event_number, kind, reason) values (1, 'refunds', 'minimum')`,
  )
  for (const [method, path] of [
    ['GET', '/api/tickets/export/excel'],
    ['GET', '/api/admin/export/excel/event/1'],
    ['POST', '/api/admin/export/refund'],
  ] as const) {
    const answer = await whileWritten(() => adminApi.send(method, path, { token: adminApi.token }))
    const expected = Number(answer.headers.get('x-expected-bytes'))
    const { length } = await answer.bytes()
    expect([
      path,
      length / expected > 0.8 && length / expected < 1.2 ? 'near' : `${length} of ${expected}`,
    ]).toEqual([path, 'near'])
  }
})

test('of a file that is made already its answer knows the size', async () => {
  await sell()
  await (await publicExport()).bytes()
  const again = await publicExport()
  expect(again.headers.get('x-expected-bytes')).toBeNull()
  expect(Number(again.headers.get('content-length'))).toBe((await again.bytes()).length)
})

test('a file that would not fit its disk is refused before its first byte, and the next one may begin', async () => {
  const full = existsSync('/proc') ? '/proc' : '/dev' // it has no room by its nature
  const { db } = adminApi
  const { databaseUrl } = adminApi.deps.admin
  const queue = exportQueue({ db, databaseUrl, place: full, keepMs: 60_000, log })
  const ask = () => queue('1', 'tickets.xlsx', wanted)
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
