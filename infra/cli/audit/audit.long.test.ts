import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { listAudit } from '../../../db/admin/audit.ts'
import { auditHead, checkChain } from '../../../db/admin/audit-chain.ts'
import { withoutAuditTriggers } from '../../../db/admin/audit-months.ts'
import { migrateDatabase } from '../../../db/prepare.ts'
import { testDb } from '../../../e2e/lab/database.ts'
import { forFile } from '../../../e2e/lab/opened.ts'
import { until } from '../../../e2e/lab/until.ts'
import { runAdmin } from '../admin.ts'

// One story, told test by test: months go by, are archived, and somebody changes what is left.
const { db, url } = await forFile(testDb())
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-audit-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const [first, second] = [join(dir, 'first.jsonl'), join(dir, 'second.jsonl')]

const add = (at: string, action: string) =>
  db.execute(sql`insert into audit (at, actor, action, outcome) values (${at}, 'owner', ${action}, '200')`)
const run = (...words: string[]) => runAdmin(db, words)
/** What the command refuses with: its text and exit code. */
const refusal = (...words: string[]) =>
  run(...words).then(
    (text) => expect.unreachable(text),
    ({ message, exitCode }) => ({ message, exitCode }),
  )
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const actions = async () => (await listAudit(db, {})).map(({ action }) => action).reverse()
const heads: string[] = []

test('months before one are moved into a file; a row that began before midnight and came later waits', async () => {
  for (const [at, action] of [
    ['2025-01-15', 'january'],
    ['2025-02-27', 'february'],
    ['2025-03-01 00:00:00.1+00', 'march'],
    ['2025-02-28 23:59:59.9+00', 'late in february'],
    ['2025-03-05', 'march again'],
  ] as const)
    await add(at, action)
  await migrateDatabase(url)
  heads.push((await run('audit-head')).replace(/^\d+-/, ''))
  const rows = await listAudit(db, {})
  const text = await run('audit-archive', '--before', '2025-03', '--to', first)
  expect(text).toContain(`2 rows up to row 2 lie in ${first}, SHA-256 ${sha256(first)}`)
  expect(readFileSync(`${first}.sha256`, 'utf8')).toBe(`${sha256(first)}  first.jsonl\n`)
  const [head, ...lines] = readFileSync(first, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(head).toMatchObject({ format: 'blockdraw audit archive', previous: { id: 0 } })
  expect(lines.map(({ row }) => [row.id, row.action, row.at])).toEqual([
    [1, 'january', '2025-01-15T00:00:00'],
    [2, 'february', '2025-02-27T00:00:00'],
  ])
  expect(await actions()).toEqual(['march', 'late in february', 'march again', 'cli.audit-archive'])
  expect((await listAudit(db, {})).slice(1)).toEqual(rows.slice(0, 3))
  expect((await listAudit(db, {}, 1))[0]).toMatchObject({
    outcome: 'cli',
    after: { before: '2025-03', rows: 2, lastId: 2, sha256: sha256(first) },
  })
  const parts = await db.execute(
    sql`select 1 from pg_class where relname in ('audit_2025_01', 'audit_2025_02')`,
  )
  expect(parts).toHaveLength(0)
  await migrateDatabase(url)
  expect(await checkChain(db)).toMatchObject({ from: { id: 2 }, to: { id: 6 }, rows: 4 })
  expect((await checkChain(db)).fault).toBeUndefined()
})

test('archived twice is archived once', async () => {
  const before = sha256(first)
  expect(await run('audit-archive', '--before', '2025-02', '--to', first)).toContain(
    'The last archive is first.jsonl',
  )
  expect(sha256(first)).toBe(before)
  expect(await actions()).toHaveLength(4)
})

test('a changed list is not archived', async () => {
  const set = (actor: string) => withoutRules(sql`update audit set actor = ${actor} where id = 4`)
  await set('nobody')
  const { message, exitCode } = await refusal('audit-archive', '--before', '2025-04', '--to', second)
  expect([message, exitCode]).toEqual([
    expect.stringContaining('Nothing is archived: the audit list was changed at row 4'),
    1,
  ])
  expect([existsSync(second), await actions()]).toEqual([false, expect.objectContaining({ length: 4 })])
  await set('owner')
})

test('while a backup reads the list nothing is dropped, and the calls that wait behind go on', async () => {
  const before = await actions()
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table audit in access share mode`)
    const words = ['audit-archive', '--before', '2025-04', '--to', join(dir, 'while read.jsonl')]
    const refused = refusal(...words)
    await until(async () => (await waiting()) === 1, 'an archive that waits')
    const read = actions()
    await until(async () => (await waiting()) === 2, 'a call behind it')
    expect(await read).toEqual(before)
    expect(await refused).toEqual({ message: expect.stringContaining('is being read'), exitCode: 1 })
  })
  expect(await actions()).toEqual(before)
})

const waiting = async (): Promise<number> =>
  (
    await db.execute(
      sql`select 1 from pg_locks where not granted and relation = 'audit'::regclass and database =
        (select oid from pg_database where datname = current_database())`,
    )
  ).length

test('a run that was killed before it dropped anything is run again; another file of that name stays', async () => {
  writeFileSync(second, 'something else')
  const words = ['audit-archive', '--before', '2025-04', '--to', second]
  expect((await refusal(...words)).message).toContain('is there already and holds something else')
  expect(await actions()).toHaveLength(4)
  rmSync(second)
  await withNothingDropped(() => expect(run(...words)).rejects.toThrow())
  const left = sha256(second)
  expect(await actions()).toHaveLength(4)
  expect(await run(...words)).toContain('3 rows up to row 5')
  expect(sha256(second)).toBe(left)
  expect(await actions()).toEqual(['cli.audit-archive', 'cli.audit-archive'])
})

test('the check follows archives and table, finds every head that was ever noted, and writes nothing', async () => {
  const rows = await actions()
  const { id, hash } = await auditHead(db)
  heads.push(hash)
  const words = ['audit-check', '--archive', first, '--archive', second]
  const [old, now] = heads
  expect(
    await run(...words, '--head', `blockdraw-2025-03-05T000000-audit-5-${old}.backup.gz`, '--head', `${now}`),
  ).toBe(
    [
      `${first} holds: 2 rows, from 1 to 2, SHA-256 ${sha256(first)}`,
      `${second} holds: 3 rows, from 3 to 5, SHA-256 ${sha256(second)}`,
      `The audit list holds: 2 rows after row 5, the last in an archive, to row ${id} ${hash}`,
      `Head ${old} is row 5.`,
      `Head ${now} is row ${id}.`,
    ].join('\n'),
  )
  const [january] = readFileSync(first, 'utf8').split('\n').slice(1)
  const early = /"hash":"(\w+)"/.exec(january ?? '')?.[1] ?? ''
  expect(await run(...words, '--head', early)).toContain(`Head ${early} is row 1.`)
  expect(await refusal('audit-check', '--head', early)).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('neither in the table nor in the archives given'),
  })
  expect(await actions()).toEqual(rows)
})

test('the statement in the runbook finds by psql alone what was changed', async () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const statement = /```sql\n(select id from[\s\S]*?);\n```/.exec(runbook)?.[1] ?? ''
  expect(await db.execute(sql.raw(statement))).toHaveLength(0)
  await withoutRules(sql`update audit set actor = actor || '!' where id = 7`)
  expect(await db.execute<{ id: string }>(sql.raw(statement))).toMatchObject([{ id: '7' }])
  await withoutRules(sql`update audit set actor = left(actor, -1) where id = 7`)
})

test('a changed archive is found, and the row is named', async () => {
  const copy = join(dir, 'copy.jsonl')
  const text = readFileSync(first, 'utf8')
  for (const [changed, found] of [
    [text.replace('"february"', '"March"'), 'row 2'],
    [text.replace(/^.*"january".*\n/m, ''), 'row 2'],
    [text.replace(/^.*"february".*\n/m, ''), 'not an archive that this database knows'],
    [`${text}{"hash":"","row":{}}\n`, 'was changed'],
    [text.replace('"version":1', '"version":1,"more":0'), 'not an archive that this database knows'],
    ['', 'no archive of the audit list'],
  ] as const) {
    writeFileSync(copy, changed)
    expect(await refusal('audit-check', '--archive', copy)).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(found),
    })
  }
  copyFileSync(first, copy)
  expect(await run('audit-check', '--archive', copy)).toContain('holds: 2 rows')
})

test('a list without its last rows does not hold the head in the name of a backup (I38)', async () => {
  await add('2025-05-01', 'a theft')
  const { hash } = await auditHead(db)
  await withoutRules(sql`delete from audit where action = 'a theft'`)
  expect(await refusal('audit-check')).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('row 8'),
  })
  // Whoever can do that can set the head back, too: then only what was kept elsewhere tells.
  await db.execute(sql`update audit_chain set last_id = 7, hash = (select hash from audit where id = 7)`)
  expect(await run('audit-check')).toContain('The audit list holds')
  const kept = ['--head', `blockdraw-x-audit-8-${hash}.backup.gz`, '--archive', first, '--archive', second]
  expect(await refusal('audit-check', ...kept)).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(`no row is head ${hash}`),
  })
})

test.each([
  ['audit-check', '--head', 'abc'],
  ['audit-archive', '--before', '2025-13', '--to', 'x'],
  ['audit-archive', '--before', '2999-01', '--to', 'x'],
  ['audit-archive', '--before', '2025-01'],
  ['audit-archive', '--to', 'x', '--before', '2025-01', '--before', '2025-02'],
  ['audit-check', '--everything'],
  ['audit-head', 'now'],
])('"%s %s %s" is refused', async (...words) => {
  expect(await refusal(...words)).toMatchObject({ exitCode: 1 })
})

/** As whoever has all rights in the database. */
const withoutRules = (statement: SQL) =>
  db.transaction((tx) =>
    withoutAuditTriggers(tx, async () => {
      await tx.execute(statement)
    }),
  )

/** No archive can be noted meanwhile: as if the command had been killed after the file. */
async function withNothingDropped(act: () => Promise<unknown>): Promise<void> {
  const refuse = 'create trigger no_archive before insert on audit_archives execute function refuse_change()'
  await db.execute(sql.raw(refuse))
  await act()
  await db.execute(sql`drop trigger no_archive on audit_archives`)
}
