import { randomBytes } from 'node:crypto'
import { sql as raw } from 'drizzle-orm'
import postgres from 'postgres'
import { type Connection, connect, type Db } from '../../db/index.ts'
import { loginOf, makeLogins, type RoleName, roles } from '../../db/logins.ts'
import { migrateDatabase, migrateQueue } from '../../db/prepare.ts'

/** Its `db` is the test's own hand: the owner and a superuser, who can also make another past. */
export type TestDb = Connection & {
  /** As the owner of the tables, as `db:migrate` works. */
  url: string
  /** As one of the programs. */
  urlOf: (role: RoleName) => string
  /** A pool as one of the programs has it, to run their code in a test; closed with the database. */
  dbOf: (role: RoleName) => Db
}

/** A migrated, empty database on this superuser's server, cloned from a template in a few milliseconds; `close` drops it. */
export async function freshDatabase(serverUrl: string): Promise<TestDb> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const { sql, release } = shareServer(serverUrl)
  const template = templates.get(serverUrl) ?? haveTemplate(serverUrl)
  templates.set(serverUrl, template)
  await template
  // By files: a third of what a copy through the log costs, where nothing is kept in the end.
  await sql.unsafe(`create database ${name} template blockdraw_template strategy file_copy`)
  // A template hands on everything but this.
  await sql.unsafe(`revoke all on database ${name} from public`)
  await sql.unsafe(`grant connect on database ${name} to ${Object.values(roles).join(', ')}`)
  const url = databaseOf(serverUrl, name)
  const connection = connect(url, { max: 5, name: 'blockdraw test' })
  const pools = new Map<RoleName, Connection>()
  const poolOf = (role: RoleName) => connect(loginOf(url, role), { max: 5, name: `blockdraw test ${role}` })
  const end = async () => {
    await Promise.all([connection, ...pools.values()].map((pool) => pool.close()))
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await release()
  }
  let closing: Promise<void> | undefined
  return {
    ...connection,
    url,
    urlOf: (role) => loginOf(url, role),
    dbOf: (role) => {
      const pool = pools.get(role) ?? poolOf(role)
      pools.set(role, pool)
      return pool.db
    },
    close: () => {
      closing ??= end()
      return closing
    },
  }
}

const templates = new Map<string, Promise<void>>()

/** Once a worker; its lock is on a connection that is never idle, as the next worker would take the half template from under it. */
async function haveTemplate(serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await sql`select pg_advisory_lock(hashtext('blockdraw template'))`
    const [template] = await sql`select 1 from pg_database where datname = 'blockdraw_template'`
    if (!template) await makeTemplate(sql, serverUrl)
  } finally {
    await sql.end()
  }
}

/** Made under another name first: a run that was killed in the middle leaves no half template. */
async function makeTemplate(sql: postgres.Sql, serverUrl: string): Promise<void> {
  await sql.unsafe('drop database if exists blockdraw_making with (force)')
  await sql.unsafe('create database blockdraw_making')
  const url = databaseOf(serverUrl, 'blockdraw_making')
  await migrateDatabase(url)
  await migrateQueue(url)
  await makeLogins(url)
  await sql.unsafe('alter database blockdraw_making rename to blockdraw_template')
}

type Server = { sql: postgres.Sql; users: number }
const servers = new Map<string, Server>()

/** One connection for all databases that a worker has open at once; it is closed with the last of them. */
function shareServer(url: string): { sql: postgres.Sql; release: () => Promise<void> } {
  const server = servers.get(url) ?? { sql: postgres(url, { max: 1, onnotice: () => undefined }), users: 0 }
  servers.set(url, server)
  server.users += 1
  return {
    sql: server.sql,
    release: async () => {
      server.users -= 1
      if (server.users > 0) return
      servers.delete(url)
      await server.sql.end()
    },
  }
}

export function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Takes back what was written since `keepRows`; triggers rest, as some refuse to delete. */
export const restoreRows = (db: Db, place = 'kept') => db.execute(raw.raw(`select ${place}.restore()`))

/** Copies the rows and numbers of now into this schema, in place of what it held; the function beside them brings them back. */
export const keepRows = (db: Db, place = 'kept') =>
  db.execute(
    raw.raw(`do $keep$
declare t record; is_full boolean; line text := '';
begin
  drop schema if exists ${place} cascade;
  create schema ${place};
  for t in
    select c.oid::regclass as name, '${place}.t' || c.oid as copy, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and relpersistence = 'p'
      and nspname !~ '^kept' and nspname not in ('pg_catalog', 'information_schema', 'simulated')
  loop
    line := line || format('if exists (select from %1$s) then delete from %1$s; end if; ', t.name);
    execute format('select exists (select from %s)', t.name) into is_full;
    if is_full then
      execute format('create table %s as table %s', t.copy, t.name);
      line := line || format('insert into %s (%s) overriding system value select %2$s from %3$s; ', t.name, t.columns, t.copy);
    end if;
  end loop;
  for t in
    select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, start_value) as value,
      last_value is not null as is_called from pg_sequences
  loop
    line := line || format('perform setval(%L, %s, %L); ', t.name, t.value, t.is_called);
  end loop;
  execute format('create function ${place}.restore() returns void language plpgsql
    set session_replication_role = replica set lock_timeout = ''5s'' as %L', 'begin ' || line || 'end');
end $keep$`),
  )
