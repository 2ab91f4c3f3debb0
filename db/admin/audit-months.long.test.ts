import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { firstReleaseDb } from '../../e2e/lab/first-release.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import type { Db } from '../index.ts'
import { migrateDatabase } from '../prepare.ts'
import { addAudit, listAudit } from './audit.ts'
import { chainStart, checkChain } from './audit-chain.ts'

const rowOf = (action: string) => ({ actor: 'owner', action, outcome: '200' })
/** Each row's action and the partition it lies in. */
const places = async (db: Db) =>
  Object.fromEntries(
    (
      await db.execute<{ action: string; part: string }>(
        sql`select action, tableoid::regclass::text as part from audit order by id`,
      )
    ).map(({ action, part }) => [action, part]),
  )
const months = async (db: Db) =>
  (
    await db.execute<{ part: string }>(
      sql`select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit'::regclass order by 1`,
    )
  ).map(({ part }) => part)

test('rows of the first release are chained in their order, each in its month, and it writes on (V2, I38)', async () => {
  const { db, url } = await forTest(firstReleaseDb())
  const add = (at: string, action: string) =>
    db.execute(
      sql`insert into audit (at, actor, action, outcome, before) values (${at}, 'owner', ${action}, '200', '{"a":1.50}')`,
    )
  await add('2025-12-31 23:59:59.999999+00', 'december')
  await add('2026-01-01 00:00:00+00', 'january')
  await db.execute(sql`select nextval('audit_id_seq')`)
  await add('2025-12-31 12:00:00+00', 'december again')
  await migrateDatabase(url)
  // As the first release writes a row: every column is named, and some by default.
  await db.execute(sql`
    insert into audit (id, at, actor, client_address, action, outcome, before, after, request_id)
    values (default, default, 'owner', null, 'now', '200', null, null, null)`)
  expect(await checkChain(db)).toMatchObject({ from: chainStart, rows: 4, to: { id: 5 } })
  expect((await checkChain(db)).fault).toBeUndefined()
  expect(await places(db)).toMatchObject({
    december: 'audit_2025_12',
    january: 'audit_2026_01',
    'december again': 'audit_2025_12',
    now: expect.stringMatching(/^audit_\d{4}_\d\d$/),
  })
  expect((await listAudit(db, {})).map(({ id }) => id)).toEqual([5, 4, 2, 1])
})

test('migrating makes the months of a year ahead, and moves there what has no month yet', async () => {
  const { db, url } = await forTest(testDb())
  const made = await months(db)
  expect(made).toHaveLength(14)
  const far = ['1999-12-31', '2101-02-03', 'infinity']
  for (const at of ['2021-02-03', ...far])
    await db.execute(
      sql`insert into audit (at, actor, action, outcome) values (${at}, 'owner', ${at}, '200')`,
    )
  await addAudit(db, rowOf('now'))
  expect(await places(db)).toMatchObject({ '2021-02-03': 'audit_default' })
  await Promise.all([migrateDatabase(url), migrateDatabase(url)])
  const parts = await places(db)
  expect(parts).toMatchObject({ '2021-02-03': 'audit_2021_02' })
  expect(far.map((at) => parts[at])).toEqual(far.map(() => 'audit_default'))
  expect(await months(db)).toEqual([...made, 'audit_2021_02'].sort())
  const { rows, fault } = await checkChain(db)
  expect([rows, fault]).toEqual([5, undefined])
  for (const part of ['audit_default', 'audit_2021_02'])
    for (const statement of [`truncate ${part}`, `delete from ${part}`])
      await expect(db.execute(sql.raw(statement)), statement).rejects.toThrow()
})
