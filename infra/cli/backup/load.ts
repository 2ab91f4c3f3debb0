import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { linesOf } from '../../../core/server/lines.ts'
import { firstMigration, migrationsFolder } from '../../../db/first-migration.ts'
import { migrateDatabase } from '../../../db/prepare.ts'
import { endOfRows, type Head, quoted, type TableHead, type Tail } from './format.ts'

/** Why a backup cannot be restored, in one sentence for the user of the command. */
export class RestoreProblem extends Error {
  override name = 'RestoreProblem'
}

/**
 * Versions that pages saw after the backup must not be used again: the public version continues from one that
 * no page can have reached since.
 */
const versionLeap = 1_000_000

type Loaded = { head: Head; rows: number }
type LoadOptions = {
  /** The rows as they were, nothing else: to be compared, not to be used. */
  asIs?: boolean
  /** Part of the same transaction, after the last row. */
  afterRows?: (tx: postgres.TransactionSql) => Promise<void>
}

/**
 * Writes a backup into an empty database, in one transaction, then migrates it to this release. The worker
 * then scans the chain from the backup's cursor. Throws RestoreProblem and then leaves nothing behind.
 */
export async function load(
  databaseUrl: string,
  text: Readable,
  { asIs = false, afterRows }: LoadOptions = {},
): Promise<Loaded> {
  const lines = linesOf(text)
  const head = await readHead(lines)
  await expectEmpty(databaseUrl)
  await migrateTo(databaseUrl, head.migrations)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    const rows = await sql.begin(async (tx) => {
      const loaded = await loadTables(tx, lines)
      if (!asIs) await tx`update public_version set version = version + ${versionLeap}, shut_since = now()`
      await afterRows?.(tx)
      return loaded
    })
    if (!asIs) await migrateDatabase(databaseUrl)
    return { head, rows }
  } catch (error) {
    await sql.unsafe('drop schema public cascade; create schema public; drop schema drizzle cascade')
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

type Lines = AsyncIterator<string>

async function loadTables(tx: postgres.TransactionSql, lines: Lines): Promise<number> {
  let rows = 0
  for (let tables = 0; ; tables++) {
    const next = await readLine<TableHead | Tail>(lines)
    if ('end' in next) {
      if (next.tables !== tables) throw incomplete()
      return rows
    }
    rows += await loadTable(tx, next, lines)
  }
}

async function loadTable(tx: postgres.TransactionSql, { table, columns }: TableHead, lines: Lines) {
  // The rows were all that they are when they were backed up: nothing follows from them a second time.
  await tx.unsafe(`alter table ${quoted(table)} disable trigger user`)
  // The migrations insert rows into some tables.
  const [seeded] = await tx.unsafe(`select 1 from ${quoted(table)} limit 1`)
  if (seeded) await tx.unsafe(`delete from ${quoted(table)}`)
  let rows = 0
  const pages = async function* () {
    let page = ''
    for (let item = await lines.next(); item.value !== endOfRows; item = await lines.next()) {
      if (item.done) throw incomplete()
      page += `${item.value}\n`
      rows++
      if (page.length > 65_536) {
        yield page
        page = ''
      }
    }
    if (page) yield page
  }
  const names = columns.map(quoted).join(', ')
  await pipeline(
    Readable.from(pages()),
    await tx.unsafe(`copy ${quoted(table)} (${names}) from stdin`).writable(),
  )
  await tx.unsafe(`alter table ${quoted(table)} enable trigger user`)
  for (const column of rows > 0 ? columns : []) {
    const [{ place } = { place: null }] = await tx<{ place: string | null }[]>`
      select pg_get_serial_sequence(${quoted(table)}, ${column}) as place`
    if (place) await tx.unsafe(`select setval('${place}', max(${quoted(column)})) from ${quoted(table)}`)
  }
  return rows
}

async function readHead(lines: Lines): Promise<Head> {
  const head = await readLine<Head>(lines)
  if (head.format !== 'blockdraw backup' || head.version !== 1)
    throw new RestoreProblem('This file is not a backup that this release can read.')
  if (head.begunWith !== firstMigration())
    throw new RestoreProblem(
      'The backup was made of a database of an earlier development version, from which nothing leads to this release.',
    )
  const known = journal(migrationsFolder).entries.length
  if (head.migrations > known)
    throw new RestoreProblem('The backup was made by a newer release: restore it with that one.')
  return head
}

async function readLine<T>(lines: Lines): Promise<T> {
  const { value, done } = await lines.next()
  if (done) throw incomplete()
  try {
    return JSON.parse(value) as T
  } catch {
    throw new RestoreProblem('This file is not a backup, or it is damaged.')
  }
}

const incomplete = () => new RestoreProblem('The backup is cut short: its end is missing.')

async function expectEmpty(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    const [table] = await sql`select 1 from pg_tables where schemaname in ('public', 'drizzle') limit 1`
    if (table)
      throw new RestoreProblem('The database of DATABASE_URL is not empty: restore into a new, empty one.')
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * Runs only the first migrations, such as those that a backup had: its rows fit these tables.
 * @internal
 */
export async function migrateTo(databaseUrl: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'blockdraw-migrations-'))
  try {
    cpSync(migrationsFolder, folder, { recursive: true })
    const all = journal(folder)
    writeFileSync(journalFile(folder), JSON.stringify({ ...all, entries: all.entries.slice(0, count) }))
    await migrateDatabase(databaseUrl, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const journalFile = (folder: string): string => join(folder, 'meta/_journal.json')
const journal = (folder: string): { entries: unknown[] } =>
  JSON.parse(readFileSync(journalFile(folder), 'utf8'))
