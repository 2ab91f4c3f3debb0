import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, expect, inject, test } from 'vitest'
import { addAudit } from '../../../db/admin/audit.ts'
import { type Connection, connect, type Db } from '../../../db/index.ts'
import { ledgerPages } from '../../../db/payment/ledger.ts'
import { databaseOf, testDb } from '../../../e2e/lab/database.ts'
import { openDrawWorld } from '../../../e2e/lab/draw-story.ts'
import { forFile } from '../../../e2e/lab/opened.ts'
import { scan } from '../../../worker/payment/scan.ts'

const root = join(import.meta.dirname, '../../..')
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-backup-'))
const kept = join(dir, 'kept.gz')
const copies: { drop: () => Promise<void> }[] = []
const source = await testDb()
const world = await forFile(openDrawWorld({ database: source }))

afterAll(async () => {
  await Promise.all(copies.map(({ drop }) => drop()))
  rmSync(dir, { recursive: true, force: true })
})

/** A new, empty database on the server of this test run. */
async function emptyDatabase(): Promise<Connection & { url: string }> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  const server = postgres(inject('postgresUrl'), { max: 1, onnotice: () => undefined })
  await server.unsafe(`create database ${name}`)
  const url = databaseOf(inject('postgresUrl'), name)
  const own = connect(url, { max: 2, name: 'blockdraw test' })
  copies.push({
    drop: async () => {
      await own.close()
      await server.unsafe(`drop database ${name} with (force)`)
      await server.end()
    },
  })
  return { ...own, url }
}

/** One of the two commands as it is typed, on the given database. */
async function run(command: 'backup' | 'restore', databaseUrl: string, ...files: string[]) {
  const child = Bun.spawn([process.execPath, join(root, `infra/cli/${command}.ts`), ...files], {
    cwd: files.length > 0 ? root : dir,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, errors }
}

const ledger = async (db: Db): Promise<string> => {
  let file = ''
  for await (const { text } of ledgerPages(db, 1)) file += text
  return file
}

test('V4: backed up in mid-sale, restored elsewhere and scanned on, the ledger is the same byte for byte', async () => {
  await world.sell()
  await world.mine(3)
  await world.scan()
  await addAudit(source.db, {
    actor: 'owner',
    action: 'tabs\tand\nlines\\.',
    clientAddress: null,
    outcome: '200',
    before: null,
    after: { text: 'ä\\N"\t' },
    requestId: null,
  })
  const backup = await run('backup', source.urlOf('backup'), kept)
  expect([backup.code, backup.errors]).toEqual([0, ''])
  await world.pay(4, 30_00, 60)
  await world.pay(5, 2_00, 70)
  await world.mine(3)
  await world.scan()

  const copy = await emptyDatabase()
  const restored = await run('restore', copy.url, kept)
  expect([restored.code, restored.errors]).toEqual([0, ''])
  expect(restored.out).toContain('rows as of')
  expect(await ledger(copy.db)).not.toBe(await ledger(source.db))
  await scan({ ...world.deps, db: copy.db })
  expect(await ledger(copy.db)).toBe(await ledger(source.db))
  const audit = sql`select * from audit`
  expect([...(await copy.db.execute(audit))]).toEqual([...(await source.db.execute(audit))])
  const rejected = sql`select transaction_hash, status, reason from payments order by block_number`
  expect([...(await copy.db.execute(rejected))]).toEqual([...(await source.db.execute(rejected))])
})

test('I22: pages that saw a later version than the backup still get changes', async () => {
  const copy = await emptyDatabase()
  await run('restore', copy.url, kept)
  const [before] = await source.db.execute<{ version: string }>(sql`select version from public_version`)
  const [after] = await copy.db.execute<{ version: string }>(sql`select version from public_version`)
  expect(Number(after?.version)).toBeGreaterThan(Number(before?.version) + 1_000)
})

test('sessions are not restored: a session ended since stays ended', async () => {
  expect(gunzipSync(readFileSync(kept)).toString()).not.toContain('"sessions"')
})

test.each([
  ['is cut short', (text: string) => text.slice(0, text.indexOf('"table":"payments"') + 400)],
  ['lost its last line', (text: string) => text.slice(0, text.lastIndexOf('{"end"'))],
  ['lost a table', (text: string) => text.replace(/\{"table":"audit"[\s\S]*?\n\\\.\n/, '')],
  ['is something else', () => 'hello\n'],
  [
    'comes from a development version',
    (text: string) => text.replace(/"begunWith":"\w+"/, '"begunWith":"00"'),
  ],
  ['is from before releases were told apart', (text: string) => text.replace(/,"begunWith":"\w+"/, '')],
  ['comes from a later release', (text: string) => text.replace(/"migrations":\d+/, '"migrations":9999')],
])('a backup that %s is refused, and the database is still empty', async (_, damage) => {
  const file = join(dir, 'damaged.gz')
  writeFileSync(file, gzipSync(damage(gunzipSync(readFileSync(kept)).toString())))
  const copy = await emptyDatabase()
  const { code, errors } = await run('restore', copy.url, file)
  expect([code, /backup/.test(errors)]).toEqual([1, true])
  const tables = await copy.db.execute(sql`select 1 from pg_tables where schemaname in ('public', 'drizzle')`)
  expect(tables).toHaveLength(0)
})

test('a backup without a name is named by its moment', async () => {
  const { out, errors } = await run('backup', source.url)
  expect([out.replace(/\d{8}T\d{6}Z/, 'MOMENT'), errors]).toEqual(['blockdraw-MOMENT.backup.gz\n', ''])
  expect(existsSync(join(dir, out.trim()))).toBe(true)
})

test('a database that is not empty is not overwritten', async () => {
  const { code, errors } = await run('restore', source.url, kept)
  expect([code, errors]).toEqual([
    1,
    'The database of DATABASE_URL is not empty: restore into a new, empty one.\n',
  ])
})

test('V3: without a database the command names the variable', async () => {
  expect(await run('backup', '', join(dir, 'none.gz'))).toMatchObject({ code: 1 })
  expect((await run('restore', '', kept)).errors).toMatch(/^DATABASE_URL /)
})

// psql comes with a Postgres client, which the product does not need and a machine may lack.
test.skipIf(!Bun.which('psql'))('the runbook reads a backup with psql alone', async () => {
  const copy = await emptyDatabase()
  const file = join(dir, 'by-hand.gz')
  expect(await run('backup', source.url, file)).toMatchObject({ code: 0 })
  const runbook = readFileSync(join(root, 'infra/README.md'), 'utf8')
  const block = /```sh\ncreatedb read_only_copy\n([\s\S]*?)```/.exec(runbook)?.[1]
  const commands = block?.replaceAll('read_only_copy', `'${copy.url}'`).replace('kept.backup.gz', file)
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands ?? 'false'], {
    cwd: root,
    stderr: 'pipe',
  })
  expect([await new Response(child.stderr).text(), await child.exited]).toEqual(['', 0])
  expect(await ledger(copy.db)).toBe(await ledger(source.db))
  const count = sql`select (select count(*) from payments)::int as payments, (select count(*) from audit)::int as audit`
  expect((await copy.db.execute(count))[0]).toEqual((await source.db.execute(count))[0])
})
