import { execFileSync } from 'node:child_process'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connect, type Db } from '../index.ts'
import { addAudit, addAudits } from './audit.ts'
import { auditHead, chainStart, checkChain } from './audit-chain.ts'

const database: TestDb = await forFile(testDb())
const { db } = database
const rowOf = (action: string, more: object = {}) => ({ actor: 'owner', action, outcome: '200', ...more })

test('rows added at once, alone and many together, are one chain without a fork (I38)', async () => {
  const many = await forFile(connect(database.url, { max: 8 }))
  const writes = Array.from({ length: 40 }, (_, i) =>
    i % 4 === 0
      ? addAudits(many.db, [rowOf(`a${i}`), rowOf(`b${i}`)])
      : many.db.transaction((tx) => addAudit(tx, rowOf(`c${i}`))),
  )
  // What is taken back leaves no gap.
  const cancelled = many.db.transaction(async (tx) => {
    await addAudit(tx, rowOf('cancelled'))
    throw new Error('taken back')
  })
  await Promise.allSettled([...writes, cancelled])
  const verdict = await checkChain(db)
  expect(verdict).toEqual({ from: chainStart, to: await auditHead(db), rows: 50 })
  const ids = await db.execute<{ id: string }>(sql`select id from audit order by id`)
  expect(ids.map(({ id }) => Number(id))).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
})

test('id and hash are given by the database, whatever an older release or a thief inserts', async () => {
  const { id, hash } = await auditHead(db)
  await db.execute(
    sql`insert into audit (id, at, actor, action, outcome, hash) values (default, default, 'a', 'b', '200', default)`,
  )
  await db.execute(
    sql`insert into audit (id, actor, action, outcome, hash) values (${id}, 'a', 'b', '200', ${hash})`,
  )
  expect(await auditHead(db)).toMatchObject({ id: id + 2 })
  expect((await checkChain(db)).fault).toBeUndefined()
})

test('whoever steals the login of the api cannot choose the moment of a row (I38)', async () => {
  const api = database.dbOf('api')
  const before = await auditHead(db)
  const add = (at: string) =>
    api.execute(sql`insert into audit (at, actor, action, outcome) values (${sql.raw(at)}, 'a', 'b', '200')`)
  for (const at of [
    "now() - interval '1 second'",
    "now() + interval '1 hour'",
    "'2020-02-02'",
    "'2999-01-01'",
  ])
    expect(codeOf(await add(at).catch((error) => error))).toBe('42501')
  await expect(add('null')).rejects.toThrow()
  expect(await auditHead(db)).toEqual(before)
  await add('now()')
  await add('default')
  await addAudit(api, rowOf('now'))
  expect(await auditHead(db)).toMatchObject({ id: before.id + 3 })
  expect((await checkChain(db)).fault).toBeUndefined()
})

test('any text and any value in a row are hashed alike by the database, here, and by hand', async () => {
  await addAudits(db, [
    rowOf('quotes', { actor: `"'\\\t\n\u2028`, before: { ä: '한글 \u{1f3ab}', z: [1.5e300, -0.0, null] } }),
    rowOf('none', { before: null, after: {} }),
  ])
  await db.execute(
    sql`insert into audit (actor, action, outcome, before, after) values ('a', 'b', '200', 'null', '1.00')`,
  )
  expect((await checkChain(db)).fault).toBeUndefined()
  const former = sql`lag(hash, 1, repeat('0', 64)) over (order by id)`
  const line = sql`audit_line(id, at, actor, client_address, action, outcome, "before", "after", request_id)`
  const rows = await db.execute<{ text: string; hash: string }>(
    sql`select ${former} || ' ' || ${line} as text, hash from audit order by id`,
  )
  for (const { text, hash } of rows.slice(-3))
    expect(execFileSync('sha256sum', { input: text }).toString()).toBe(`${hash}  -\n`)
})

test('rows cannot be changed or deleted, in the list or in a month of it', async () => {
  const [month] = await db.execute<{ name: string }>(
    sql`select tableoid::regclass::text as name from audit limit 1`,
  )
  expect(month?.name).toMatch(/^audit_\d{4}_\d\d$/)
  for (const table of ['audit', month?.name, 'audit_archives'])
    for (const statement of [`delete from ${table}`, `truncate ${table}`, `update ${table} set hash = ''`])
      await expect(db.execute(sql.raw(statement)), statement).rejects.toThrow()
})

test('a call that waits for another’s row goes on when that one is committed', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isAdded = () => {}
  const added = new Promise<void>((resolve) => {
    isAdded = resolve
  })
  const first = db.transaction(async (tx: Db) => {
    await tx.execute(sql`update settings set require_otp = require_otp`)
    await addAudit(tx, rowOf('first'))
    isAdded()
    await held
  })
  await added
  const second = db.transaction(async (tx) => {
    await tx.execute(sql`update public_version set version = version + 1`)
    await addAudit(tx, rowOf('second'))
  })
  letGo()
  await Promise.all([first, second])
  const rows = await db.execute<{ action: string }>(sql`select action from audit order by id desc limit 2`)
  expect(rows.map(({ action }) => action)).toEqual(['second', 'first'])
  expect((await checkChain(db)).fault).toBeUndefined()
})

const codeOf = (error: { cause?: { code?: string } }) => error.cause?.code
