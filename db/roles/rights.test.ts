import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connect, type Db } from '../index.ts'
import { grantRights } from './grant.ts'
import { type RoleName, roles, tableRights } from './rights.ts'

const database: TestDb = await forFile(testDb())
const { db } = database
const names = Object.keys(roles) as RoleName[]

const as = Object.fromEntries(
  await Promise.all(
    names.map(async (role) => {
      const pool = await forFile(connect(database.urlOf(role), { max: 1, name: `rights ${role}` }))
      return [role, pool.db] as const
    }),
  ),
) as Record<RoleName, Db>

/** What Postgres answers; `done` when it does as it was told. */
const told = (role: RoleName, statement: string): Promise<string> =>
  as[role]
    .transaction(async (tx) => {
      await tx.execute(sql.raw(statement))
      throw new Error('done')
    })
    .catch((error: Error) => ((error.cause as Error | undefined) ?? error).message)

type Held = { table: string; role: string; held: string }

/** Asks Postgres for each right on each table of our schema, whatever gave it. */
const heldRights = () =>
  db.execute<Held>(sql`
    select relname as "table", rolname as role, coalesce(string_agg(letter, '' order by place), '') as held
    from pg_class join pg_namespace n on n.oid = relnamespace and nspname = 'public'
    cross join pg_roles
    left join (values (1, 's', 'SELECT'), (2, 'i', 'INSERT'), (3, 'u', 'UPDATE'), (4, 'd', 'DELETE'), (5, '!', 'TRUNCATE'),
      (6, '!', 'REFERENCES'), (7, '!', 'TRIGGER'), (8, '!', 'MAINTAIN')) as one (place, letter, word)
      on has_table_privilege(pg_roles.oid, pg_class.oid, word)
        or (place in (1, 2, 3, 6) and has_any_column_privilege(pg_roles.oid, pg_class.oid, word))
    where relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition and rolname in ${Object.values(roles)}
    group by relname, rolname`)

test('each program has the rights that were decided on, and no table was forgotten', async () => {
  const held = await heldRights()
  const decided = Object.entries(tableRights).flatMap(([table, rights]) =>
    names.map((role) => ({ table, role: roles[role], held: rights[role] as string })),
  )
  const key = ({ table, role }: Held) => `${table} ${role}`
  const sorted = (rows: readonly Held[]) => [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  expect(sorted(held)).toEqual(sorted(decided))
})

test('who adds rows may number them, and nobody sets the numbers', async () => {
  const held = await db.execute<Held & { sets: boolean }>(sql`
    select numbered.relname as "table", rolname as role, has_sequence_privilege(r.oid, s.oid, 'usage')::text as held,
      has_sequence_privilege(r.oid, s.oid, 'update') as sets
    from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass
    join pg_class numbered on numbered.oid = d.refobjid
    cross join pg_roles r
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace and rolname in ${Object.values(roles)}`)
  expect(held.length).toBeGreaterThan(20)
  const adds = ({ table, role }: Held): boolean => {
    const name = names.find((one) => roles[one] === role) as RoleName
    return tableRights[table as keyof typeof tableRights][name].includes('i')
  }
  expect(held.map((one) => ({ ...one }))).toEqual(
    held.map((one) => ({ ...one, held: `${adds(one)}`, sets: false })),
  )
})

test('a partition is reached through its parent alone', async () => {
  const parts = await db.execute(sql`
    select relname, rolname from pg_class cross join pg_roles
    where relispartition and rolname in ${Object.values(roles)} and relnamespace = 'public'::regnamespace
      and has_table_privilege(pg_roles.oid, pg_class.oid, 'select, insert, update, delete, truncate')`)
  expect(parts).toEqual([])
})

test.each(['audit', 'changes', 'draws', 'draw_blocks', 'endings', 'beacons', 'anchor_sends'])(
  'neither api nor worker can change, remove or empty what is in %s',
  async (table) => {
    for (const role of ['api', 'worker'] as const) {
      const [column] = await db.execute<{ name: string }>(
        sql`select column_name as name from information_schema.columns where table_name = ${table} limit 1`,
      )
      for (const statement of [
        `update ${table} set "${column?.name}" = "${column?.name}"`,
        `delete from ${table}`,
        `truncate ${table}`,
        `alter table ${table} disable trigger all`,
        `drop trigger ${table}_append_only on ${table}`,
        `set session_replication_role = replica`,
      ])
        expect([role, statement, await told(role, statement)]).toEqual([
          role,
          statement,
          expect.stringMatching(/^(permission denied|must be owner)/),
        ])
    }
  },
)

test.each([
  'create table public.mine (a int)',
  'create table drizzle.mine (a int)',
  'create table bullmq.mine (a int)',
  'create temporary table payments (a int)',
  'create schema mine',
  'create role mine',
  'create function public.f() returns int language sql as $$ select 1 $$',
  'alter function refuse_change() rename to refused',
  'alter table events add column mine int',
  'drop table payments',
  'update schema_major set major = 2',
  'delete from drizzle.__drizzle_migrations',
  "select setval('changes_id_seq', 1)",
  'grant blockdraw_owner to blockdraw_api',
  'set role blockdraw_owner',
  "copy (select 1) to program 'id'",
  "select pg_read_file('postgresql.conf')",
])('no program may `%s`', async (statement) => {
  for (const role of names)
    expect([role, await told(role, statement)]).toEqual([
      role,
      expect.stringMatching(/^(permission denied|must be)/),
    ])
})

test('a worker cannot read who may log in, and nobody else reads sessions than the api', async () => {
  for (const table of ['admins', 'recovery_codes', 'sessions', 'settings', 'audit'])
    expect(await told('worker', `select 1 from ${table}`)).toBe(`permission denied for table ${table}`)
  expect(await told('backup', 'select 1 from sessions')).toBe('permission denied for table sessions')
  expect(await told('backup', 'select 1 from admins')).toBe('done')
  expect(await told('backup', "insert into changes (event_number, field) values (1, 'x')")).toBe(
    'permission denied for table changes',
  )
})

test('a login that is none of ours has no way in', async () => {
  const [open] = await db.execute(sql`
    select has_database_privilege('public', current_database(), 'connect, temporary') as database,
      has_schema_privilege('public', 'public', 'usage, create') as ours,
      has_schema_privilege('public', 'bullmq', 'usage, create') as queue,
      exists (select from pg_proc where pronamespace = 'public'::regnamespace
        and has_function_privilege('public', oid, 'execute')) as functions`)
  expect(open).toEqual({ database: false, ours: false, queue: false, functions: false })
})

test('functions find their tables, whatever the search_path of who fires them', async () => {
  const loose = await db.execute(sql`
    select proname from pg_proc where pronamespace = 'public'::regnamespace and not exists (
      select from unnest(proconfig) one where one like 'search_path=%')`)
  expect(loose).toEqual([])
})

test('rights that somebody has added or taken are put right, and nothing else is touched', async () => {
  const other: TestDb = await testDb()
  try {
    const marks = () =>
      other.db.execute(
        sql`select relname, xmin::text from pg_class where relname in ('draws', 'claims') order by 1`,
      )
    const before = await marks()
    await grantRights(other.db)
    expect(await marks()).toEqual(before)
    await other.db.execute(sql`grant update, truncate on draws to blockdraw_worker`)
    await other.db.execute(sql`revoke insert on draws from blockdraw_worker`)
    await other.db.execute(sql`grant update (winning_ticket) on draws to blockdraw_api`)
    await grantRights(other.db)
    const [held] = await other.db.execute(sql`
      select has_table_privilege('blockdraw_worker', 'draws', 'insert') as adds,
        has_table_privilege('blockdraw_worker', 'draws', 'update, truncate, delete') as changes,
        has_any_column_privilege('blockdraw_api', 'draws', 'update') as columns`)
    expect(held).toEqual({ adds: true, changes: false, columns: false })
    expect((await marks())[0]).toEqual(before[0])
  } finally {
    await other.close()
  }
})
