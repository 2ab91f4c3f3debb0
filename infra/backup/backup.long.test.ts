import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { addAudit } from '../../db/admin/settings.ts'
import { isShut } from '../../db/event/shut.ts'
import { getBook } from '../../db/event/terms.ts'
import { type Connection, connect, type Db } from '../../db/index.ts'
import { migrateDatabase } from '../../db/prepare.ts'
import { endings, events } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { databaseOf, freshDatabase, type TestDb } from '../../e2e/lab/fresh-database.ts'
import { publishedLedger } from '../../e2e/lab/ledger-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { payUpTo } from '../../e2e/lab/refunds.ts'
import { draw } from '../../worker/draw/draw.ts'
import { scan } from '../../worker/payment/scan.ts'
import { closeSale } from '../../worker/payment/second-reading.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'
import { runAdmin } from '../cli/admin.ts'
import { freePort } from '../local/ports.ts'
import { postgresUser } from '../local/postgres.ts'

/** Postgres' own tools and restic as Debian has them: the embedded Postgres brings no pg_dump. */
const [tools] = [...new Bun.Glob('/usr/lib/postgresql/*/bin/pg_dump').scanSync('/')].map((file) =>
  join('/', file, '..'),
)
const isThere = tools !== undefined && Bun.which('restic') !== null
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-restic-'))
const user = postgresUser(dir)
const asUser = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
const [place, uploads, repository] = ['place', 'uploads', 'repository'].map((name) => join(dir, name)) as [
  string,
  string,
  string,
]
const picture = `${'ab'.repeat(32)}.png`
let [superuserUrl, stopServer] = ['', async () => {}]
let [source, world] = [{} as TestDb, {} as DrawWorld]
const copies: Connection[] = []

async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...asUser, ...command], {
    cwd: dir,
    env: { PATH: `${tools}:${process.env.PATH}`, HOME: dir, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, errors }
}

const backup = (databaseUrl: string, words: readonly string[], more: Record<string, string> = {}) =>
  run(['bash', join(import.meta.dirname, 'backup.sh'), ...words], {
    ...{ DATABASE_URL: databaseUrl, BACKUP_DIR: place, UPLOADS_DIR: uploads },
    ...{ RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'correct horse' },
    ...more,
  })

/** A new, empty database, owned as the first one is. */
async function emptyDatabase(): Promise<Connection & { url: string }> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await source.db.execute(sql.raw(`create database ${name}`))
  const url = databaseOf(superuserUrl, name)
  const own = connect(url, { max: 2, name: 'blockdraw test' })
  copies.push(own)
  return { ...own, url }
}

const ledger = (db: Db) => publishedLedger(db, 1)

beforeAll(async () => {
  if (!isThere) return
  mkdirSync(uploads)
  writeFileSync(join(uploads, picture), 'a picture')
  for (const path of [dir, uploads]) if (user) chownSync(path, user.uid, user.gid)
  const cluster = join(dir, 'server')
  const port = await freePort()
  await run(['bash', '-c', `echo secret >${dir}/word`])
  await run([
    ...`initdb -D ${cluster} -U blockdraw --pwfile=${dir}/word -A scram-sha-256 --no-sync`.split(' '),
  ])
  const options = `-p ${port} -k ${dir} -c fsync=off -c max_connections=50`
  const started = await run(['pg_ctl', '-s', '-w', '-D', cluster, '-l', `${dir}/log`, '-o', options, 'start'])
  expect([started.code, started.errors]).toEqual([0, ''])
  stopServer = async () => {
    await run(['pg_ctl', '-s', '-D', cluster, '-m', 'immediate', 'stop'])
  }
  superuserUrl = `postgres://blockdraw:secret@127.0.0.1:${port}/postgres`
  source = await freshDatabase(superuserUrl)
  world = await openDrawWorld({ database: source })
}, 120_000)

afterAll(async () => {
  await world.close?.()
  for (const copy of copies) await copy.close()
  await stopServer()
  rmSync(dir, { recursive: true, force: true })
})

test.runIf(isThere)(
  'V4: kept in mid-sale by its own login, brought back and scanned on, the ledger is the same byte for byte',
  async () => {
    await world.sell()
    await world.mine(3)
    await world.scan()
    await source.db.execute(sql`insert into admins (username, password_hash)
    values ('kim', '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g')`)
    const row = { clientAddress: null, outcome: '200', before: null, requestId: null }
    const [load, isOver] = [Promise.withResolvers<void>(), { yet: false }]
    const write = async () => {
      for (let n = 0; !isOver.yet; n++)
        await addAudit(source.db, {
          ...row,
          actor: 'kim',
          action: 'tabs\tand\nlines\\.',
          after: { n, text: 'ä\\N"\t' },
        })
      load.resolve()
    }
    const writing = write()
    const kept = await backup(source.urlOf('backup'), ['once'])
    isOver.yet = true
    await Promise.all([writing, load.promise])
    expect([kept.code, kept.errors]).toEqual([0, ''])
    // Tried by restoring it, while rows were added.
    expect(kept.out).toMatch(/A backup was made: \d+ rows[\s\S]*has the same rows/)
    expect((await backup('', ['healthy'])).code).toBe(0)
    await world.pay(4, 30_00, 60)
    await world.mine(3)
    await world.scan()

    rmSync(join(uploads, picture))
    const copy = await emptyDatabase()
    const restored = await backup(copy.url, ['restore', '--reset-credentials'])
    expect([restored.code, restored.errors]).toEqual([0, ''])
    const { operatorWallet } = await world.event()
    expect(restored.out).toContain(`event 1 is paid to ${operatorWallet}`)
    expect(restored.out).toContain('administrator kim, full')
    expect(restored.out).toContain('admin reset-password kim\n  admin after-restore')
    expect(readFileSync(join(uploads, picture), 'utf8')).toBe('a picture')

    await migrateDatabase(copy.url)
    expect(await isShut(copy.db)).toBe(true)
    const hashes = sql`select password_hash from admins`
    const [old, now] = [await source.db.execute(hashes), await copy.db.execute(hashes)]
    expect(now[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$c2FsdHNhbHQ\$[\w+/]{43}$/)
    expect(now).not.toEqual(old)
    const version = sql`select version::float from house`
    const [before, after] = [await source.db.execute(version), await copy.db.execute(version)]
    expect(Number(after[0]?.version)).toBeGreaterThan(Number(before[0]?.version) + 1_000)
    expect(await ledger(copy.db)).not.toBe(await ledger(source.db))
    await scan({ ...world.deps, db: copy.db })
    expect(await ledger(copy.db)).toBe(await ledger(source.db))
  },
  180_000,
)

test.runIf(isThere)(
  'a backup of the day before: once the chain is read on, the ledger and what everybody is owed are the same',
  async () => {
    const own = await freshDatabase(superuserUrl)
    const day = await openDrawWorld({ database: own, minTickets: 100, began: 90_000 })
    try {
      const saleEnd = 88_000
      const date = (second: number) => new Date((day.start + second) * 1000)
      await withOtherPast(own.db, (tx) =>
        tx.update(events).set({ saleEnd: date(saleEnd), drawDate: date(saleEnd + 60) }),
      )
      await day.sell()
      await day.mine(3)
      await day.scan()
      expect((await backup(own.urlOf('backup'), ['once'])).code).toBe(0)

      // The day after: two more buyers, a crumb, too few tickets in all, and the first buyer is paid back.
      await day.pay(4, 30_00, 86_500)
      await day.pay(1, 3_00, 86_600)
      await day.pay(5, 1_00, 86_700)
      for (const second of [-1, 0, 59, 60]) await day.mineAt(saleEnd + second)
      await day.mine(3)
      await day.scan()
      await closeSale(day.deps)
      await draw(day.deps, { eventNumber: 1 })
      await payUpTo(day.url, {
        ...{ from: day.accounts[0] as Address, book: (await getBook(own.db)) as Hex, sum: unitsOf(102_00) },
        debts: [{ debtor: day.accounts[1] as Address, total: unitsOf(102_00) }],
      })
      await day.catchUp()
      const read = async (db: Db) => {
        const deps = { ...day.deps, db }
        await scan(deps)
        await closeSale(deps)
        await watchRefunds({ ...deps, refundMinUnits: unitsOf(10) })
      }
      await read(own.db)

      const copy = await emptyDatabase()
      expect((await backup(copy.url, ['restore', '--reset-credentials'])).errors).toBe('')
      await migrateDatabase(copy.url)
      await read(copy.db)
      expect(
        await runAdmin(copy.db, ['after-restore', '--ending', '1=none', '--wallet', '1=none']),
      ).toContain('The house is open.')
      await read(copy.db)
      await draw({ ...day.deps, db: copy.db }, { eventNumber: 1 })
      const dues = (db: Db) => db.execute(sql`select * from refund_dues order by by_register desc, payer`)
      expect(await dues(own.db)).toMatchObject([
        { due: '0', by_register: `${unitsOf(102_00)}` },
        ...Array(4).fill({ by_register: '0' }),
      ])
      expect(await dues(copy.db)).toEqual(await dues(own.db))
      expect(await ledger(copy.db)).toBe(await ledger(own.db))
      const [ended, again] = [await own.db.select().from(endings), await copy.db.select().from(endings)]
      expect([again[0]?.reason, again.length]).toEqual([ended[0]?.reason, 1])
    } finally {
      await day.close()
    }
  },
  180_000,
)

test.runIf(isThere)('a database that is not empty is left alone', async () => {
  const { code, errors } = await backup(source.url, ['restore'])
  expect([code, errors]).toEqual([1, expect.stringContaining('is not empty')])
})

test.runIf(isThere)('a dump that breaks off is no backup', async () => {
  const count = async () => JSON.parse((await restic('snapshots', '--json', '--tag', 'database')).out).length
  const before = await count()
  const broken = join(dir, 'broken')
  mkdirSync(broken)
  const text = `#!/bin/bash\n${tools}/pg_dump "$@" | head -c 100000\nexit 1\n`
  writeFileSync(join(broken, 'pg_dump'), text, { mode: 0o755 })
  const PATH = `${broken}:${tools}:${process.env.PATH}`
  expect((await backup(source.urlOf('backup'), ['once'], { PATH })).code).not.toBe(0)
  expect(before).toBeGreaterThan(0)
  expect(await count()).toBe(before)
})

test.runIf(isThere)('V4: a repository that somebody changed brings nothing back', async () => {
  const packs = readdirSync(join(repository, 'data'), { recursive: true, encoding: 'utf8' })
  for (const name of packs.filter((one) => one.length > 40)) {
    const file = join(repository, 'data', name)
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    rmSync(file)
    writeFileSync(file, bytes)
  }
  const copy = await emptyDatabase()
  const { code } = await backup(copy.url, ['restore'])
  expect(code).not.toBe(0)
  expect(await copy.db.execute(sql`select from pg_tables where schemaname = 'public'`)).toHaveLength(0)
  const stranger = await backup(copy.url, ['restore'], { RESTIC_PASSWORD: 'another' })
  expect([stranger.code, stranger.errors]).toEqual([1, expect.stringContaining('wrong password')])
})

const restic = (...words: string[]) =>
  run(['restic', ...words], { RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'correct horse' })
