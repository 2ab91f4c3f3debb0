import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { testDb } from '../e2e/lab/database.ts'
import { forFile } from '../e2e/lab/opened.ts'
import { until } from '../e2e/lab/until.ts'
import { migrateDatabase } from './prepare.ts'
import { migrationsFolder } from './schema-major.ts'

const { db, url } = await forFile(testDb())
const folder = mkdtempSync(join(tmpdir(), 'blockdraw-next-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The migrations, and one of a release after this one. */
function addMigration(text: string): void {
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(join(folder, 'next.sql'), text)
}

const waiting = async (): Promise<number> =>
  (
    await db.execute(sql`select 1 from pg_locks where not granted and relation = 'claims'::regclass
      and database = (select oid from pg_database where datname = current_database())`)
  ).length

const readClaims = async () => db.execute(sql`select 1 from claims limit 1`)

test('V2: a migration that finds a table in use lets purchases pass, and is tried again until it is free', async () => {
  addMigration('alter table claims add column next text')
  const backup = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const reading = db.transaction(async (tx) => {
    await tx.execute(sql`lock table claims in access share mode`)
    began.resolve()
    await backup.promise
  })
  await began.promise
  let isDone = false
  const migrating = migrateDatabase(url, folder).then(() => {
    isDone = true
  })
  try {
    await until(async () => (await waiting()) === 1, 'a migration that waits')
    let purchase: Promise<unknown> | undefined
    const buy = () =>
      readClaims().then(() => {
        purchase = undefined
      })
    // The migration waits a short time only, so one after the other buys until one has come in between.
    await until(() => {
      purchase ??= buy()
      return waiting().then((count) => count === 2)
    }, 'a purchase behind it')
    await purchase
    await Promise.race([migrating, until(async () => (await waiting()) === 1, 'another try')])
    expect(isDone).toBe(false)
  } finally {
    backup.resolve()
  }
  await Promise.all([reading, migrating])
  expect(await db.execute(sql`select next from claims`)).toHaveLength(0)
})
