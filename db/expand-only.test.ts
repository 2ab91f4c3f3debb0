import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDb, testDb } from '../e2e/lab/database.ts'
import type { Db } from './index.ts'
import { migrationsFolder } from './schema-major.ts'

/** What a program relies on, as `table.column -> what it may write and read there` and `function(arguments)`. */
type Shape = Map<string, { type: string; optional: boolean }>

let database: TestDb
beforeAll(async () => {
  database = await testDb()
})
afterAll(() => database.close())

async function shapeOf(db: Db): Promise<Shape> {
  const columns = await db.execute<{ name: string; type: string; optional: boolean }>(sql`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
      (not attnotnull or atthasdef or attidentity <> '') as optional
    from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped`)
  const functions = await db.execute<{ name: string }>(sql`
    select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name
    from pg_proc where pronamespace = 'public'::regnamespace`)
  return new Map([
    ...columns.map(({ name, type, optional }) => [name, { type, optional }] as const),
    ...functions.map(({ name }) => [name, { type: 'function', optional: true }] as const),
  ])
}

/** What the release before cannot live with, one sentence each. */
function lost(before: Shape, after: Shape): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]))
  const complaints = [...before].flatMap(([name, old]) => {
    const now = after.get(name)
    if (!now) return [`${name} is gone`]
    // Programs read the wider number as they read the narrower one.
    const isWider = old.type === 'integer' && now.type === 'bigint'
    if (now.type !== old.type && !isWider) return [`${name} was ${old.type} and is ${now.type}`]
    return old.optional && !now.optional ? [`${name} has to be given now`] : []
  })
  const demanded = [...after].filter(
    ([name, { optional }]) => !before.has(name) && !optional && tables.has(name.split('.')[0]),
  )
  return [
    ...complaints,
    ...demanded.map(([name]) => `${name} has to be given, by programs that do not know it`),
  ]
}

class Undo extends Error {}

test.each([
  ['alter table admins drop column username', ['admins.username is gone']],
  ['alter table admins rename column username to name', expect.arrayContaining(['admins.username is gone'])],
  ['alter table beacons rename to near_misses', expect.arrayContaining(['beacons.round is gone'])],
  [
    'alter table claims alter column client_address type varchar(40)',
    [expect.stringMatching(/^claims.client_address was text/)],
  ],
  [
    'alter table claims alter column client_address set not null',
    ['claims.client_address has to be given now'],
  ],
  [
    'alter table claims add column asn integer not null',
    ['claims.asn has to be given, by programs that do not know it'],
  ],
  ['drop function next_moment() cascade', ['next_moment() is gone']],
  ['alter table claims add column asn integer', []],
  ['alter table claims add column asn integer not null default 0', []],
  ['create table notes (id integer primary key)', []],
  [
    'alter table claims rename to claims_2026; create table claims (like claims_2026 including all) partition by hash (transaction_hash)',
    [],
  ],
])('V2: a migration with "%s"', async (statement, complaints) => {
  const undone = database.db.transaction(async (tx) => {
    const before = await shapeOf(tx)
    for (const one of statement.split('; ')) await tx.execute(sql.raw(one))
    expect(lost(before, await shapeOf(tx))).toEqual(complaints)
    throw new Undo()
  })
  await expect(undone).rejects.toThrow(Undo)
})

test('V2: no migration takes away what the release before reads or writes', async () => {
  const { db } = database
  await db.execute(sql`drop schema public cascade`)
  await db.execute(sql`create schema public`)
  let before: Shape = new Map()
  for (const migration of readMigrationFiles({ migrationsFolder })) {
    for (const statement of migration.sql) await db.execute(sql.raw(statement))
    const after = await shapeOf(db)
    expect(lost(before, after)).toEqual([])
    before = after
  }
  expect(before.size).toBeGreaterThan(100)
})
