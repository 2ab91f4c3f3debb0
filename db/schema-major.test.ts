import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { type TestDb, testDb } from '../e2e/lab/database.ts'
import { asOfDevelopment } from '../e2e/lab/development-database.ts'
import { migrateDatabase } from './prepare.ts'
import { awaitSchema, fitsSchema } from './schema-major.ts'

const open: TestDb[] = []
afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})
async function database(): Promise<TestDb> {
  const made = await testDb()
  open.push(made)
  return made
}
const journalOf = ({ db }: TestDb) => db.execute(sql`select * from drizzle.__drizzle_migrations order by id`)

test.each([11, 3])(
  'V2: a database of %i development migrations is refused and left unchanged',
  async (count) => {
    const old = await database()
    await asOfDevelopment(old.db, count)
    if (count < 9) await old.db.execute(sql`drop table house`)
    const before = [...(await journalOf(old))]
    await expect(migrateDatabase(old.url)).rejects.toThrow('an earlier development version')
    expect([...(await journalOf(old))]).toEqual(before)
    const warn = () => expect.unreachable('it would be waited for in vain')
    await expect(awaitSchema(old.db, { warn })).rejects.toThrow('an earlier development version')
  },
)

test('V2: a release keeps working beside migrations that a later one has added', async () => {
  const newer = await database()
  await newer.db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the next release', 9999999999999)`,
  )
  expect(await fitsSchema(newer.db)).toBe(true)
  await migrateDatabase(newer.url)
})

test('an empty journal belongs to a new database whose first migration was interrupted', async () => {
  const cut = await database()
  await cut.db.execute(sql`drop schema public cascade`)
  await cut.db.execute(sql`create schema public authorization pg_database_owner`)
  await cut.db.execute(sql`truncate drizzle.__drizzle_migrations`)
  expect(await fitsSchema(cut.db)).toBe(false)
  await migrateDatabase(cut.url)
  expect(await fitsSchema(cut.db)).toBe(true)
})
