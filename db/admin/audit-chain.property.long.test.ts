import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connect, type Db } from '../index.ts'
import { addAudit, addAudits } from './audit.ts'
import { auditHead, chainStart, checkChain } from './audit-chain.ts'
import { withoutAuditTriggers } from './audit-months.ts'

const length = 9
const database = await forFile(testDb())
const { db } = database
const json = fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 2 }))
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
const rowOf = fc.record({ actor: text, action: text, outcome: text, requestId: fc.option(text) })
for (const [i, row] of fc.sample(rowOf, { numRuns: length, seed: 7 }).entries())
  await addAudit(db, {
    ...row,
    clientAddress: `10.0.0.${i}`,
    before: { i },
    after: i % 2 ? { i: `${i}` } : null,
  })

/** What somebody with all rights does to rows; each is SQL with the numbers of rows in it. */
const place = fc.integer({ min: 1, max: length })
const tampering = fc.oneof(
  fc
    .tuple(place, fc.constantFrom('actor', 'action', 'outcome', 'client_address', 'request_id'), text)
    .map(
      ([id, column, value]) =>
        sql`update audit set ${sql.identifier(column)} = ${`${value}!`} where id = ${id}`,
    ),
  fc
    .tuple(place, fc.constantFrom('client_address', 'request_id', 'before', 'after'))
    .map(([id, column]) => sql`update audit set ${sql.identifier(column)} = null where id = ${id}`),
  fc
    .tuple(place, fc.constantFrom('before', 'after'), json)
    .map(
      ([id, column, value]) =>
        sql`update audit set ${sql.identifier(column)} = ${JSON.stringify(value)}::jsonb where id = ${id}`,
    ),
  fc
    .tuple(place, fc.constantFrom('1 microsecond', '-1 microsecond', '40 days', '-4000 years', 'infinity'))
    .map(([id, by]) => sql`update audit set at = at + ${by}::interval where id = ${id}`),
  fc
    .tuple(place, fc.integer({ min: -20, max: 20 }))
    .map(([id, by]) => sql`update audit set id = id + ${by} where id = ${id}`),
  fc.tuple(place, place).map(([from, to]) => sql`delete from audit where id between ${from} and ${to}`),
  fc
    .tuple(
      place,
      fc.integer({ min: -3, max: length + 3 }),
      fc.constantFrom('0 days', '1 microsecond', '40 days'),
    )
    .map(
      ([from, id, by]) => sql`
        insert into audit select ${id}, at + ${by}::interval, actor, client_address, action, outcome, before, after,
          request_id, hash from audit where id = ${from} on conflict do nothing`,
    ),
  fc
    .tuple(place, place)
    .map(
      ([a, b]) =>
        sql`update audit set id = case id when ${a}::bigint then ${b}::bigint else ${a}::bigint end where id in (${a}, ${b})`,
    ),
  fc.tuple(place, place).map(
    ([a, b]) => sql`
      update audit set actor = other.actor, action = other.action, before = other.before, hash = other.hash
      from (select * from audit where id in (${a}, ${b})) as other
      where audit.id in (${a}, ${b}) and (other.id <> audit.id or ${a} = ${b})`,
  ),
  place.map(
    (id) =>
      sql`update audit_chain set last_id = audit.id, hash = audit.hash from audit where audit.id = ${id}`,
  ),
)
const everything = (tx: Db) => tx.execute(sql`select audit::text as row from audit order by id, at`)

class TakenBack extends Error {}
/** Does it with all triggers asleep, looks, and takes it back. */
async function tamper(
  look: (tx: Db) => Promise<void>,
  ...statements: ReturnType<typeof sql>[]
): Promise<void> {
  const done = db.transaction(async (tx) => {
    await withoutAuditTriggers(tx, async () => {
      for (const statement of statements)
        await tx.transaction((part) => part.execute(statement)).catch(refused)
    })
    await look(tx)
    throw new TakenBack()
  })
  await expect(done).rejects.toThrow(TakenBack)
}

/** Two rows of one place and time, or a time that Postgres does not have, cannot be written: nothing changes then. */
function refused(error: { cause?: { code?: string } }): void {
  if (!['23505', '22008'].includes(`${error.cause?.code}`)) throw error
}

test('any change, removal, insertion or swap of rows is found by the chain and a head kept elsewhere (I38)', async () => {
  const former = JSON.stringify(await everything(db))
  const head = await auditHead(db)
  let changed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(tampering, { minLength: 1, maxLength: 3 }), async (statements) => {
      await tamper(
        async (tx) => {
          const isSame =
            JSON.stringify(await everything(tx)) === former &&
            JSON.stringify(await auditHead(tx)) === JSON.stringify(head)
          if (!isSame) changed++
          let isHeadFound = false
          const { fault } = await checkChain(tx, ({ hash }) => {
            isHeadFound ||= hash === head.hash
          })
          expect(fault === undefined && isHeadFound).toBe(isSame)
        },
        ...statements,
      )
    }),
    { numRuns: 80 },
  )
  expect(changed).toBeGreaterThan(30)
})

test('the first row that was changed is the one that is named', async () => {
  for (const id of [1, 5, length])
    await tamper(
      async (tx) => expect((await checkChain(tx)).fault?.id).toBe(id),
      sql`update audit set outcome = '201' where id >= ${id}`,
    )
  await tamper(
    async (tx) => expect((await checkChain(tx)).fault?.id).toBe(7),
    sql`delete from audit where id in (5, 6)`,
  )
})

test('a list that was hashed anew from a change on has another head', async () => {
  const head = await auditHead(db)
  const hashed = sql`
    do $$ declare last text := ${sql.raw(`'${chainStart.hash}'`)}; r record; begin
      for r in select * from audit order by id loop
        last := audit_hash(last, audit_line(r.id, r.at, r.actor, r.client_address, r.action, r.outcome, r.before,
          r.after, r.request_id));
        update audit set hash = last where id = r.id;
      end loop;
      update audit_chain set hash = last;
    end $$`
  await tamper(
    async (tx) => {
      const verdict = await checkChain(tx)
      expect(verdict.fault).toBeUndefined()
      expect(verdict.to.hash).not.toBe(head.hash)
    },
    sql`update audit set actor = 'somebody else' where id = 4`,
    hashed,
  )
})

const entry = (action: string) => ({ actor: 'owner', action, outcome: '200' })
const codeOf = (error: { cause?: { code?: string } }) => error.cause?.code

test('rows added at once, alone and many together, are one chain without a fork (I38)', async () => {
  const many = await forFile(connect(database.url, { max: 8 }))
  const writes = Array.from({ length: 40 }, (_, i) =>
    i % 4 === 0
      ? addAudits(many.db, [entry(`a${i}`), entry(`b${i}`)])
      : many.db.transaction((tx) => addAudit(tx, entry(`c${i}`))),
  )
  // What is taken back leaves no gap.
  const cancelled = many.db.transaction(async (tx) => {
    await addAudit(tx, entry('cancelled'))
    throw new Error('taken back')
  })
  await Promise.allSettled([...writes, cancelled])
  const verdict = await checkChain(db)
  expect(verdict).toEqual({ from: chainStart, to: await auditHead(db), rows: length + 50 })
  const ids = await db.execute<{ id: string }>(sql`select id from audit order by id`)
  expect(ids.map(({ id }) => Number(id))).toEqual(Array.from({ length: length + 50 }, (_, i) => i + 1))
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
  await addAudit(api, entry('now'))
  expect(await auditHead(db)).toMatchObject({ id: before.id + 3 })
  expect((await checkChain(db)).fault).toBeUndefined()
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
